import { lowerFirst } from '../../text/report-speech.js'
import { countWords } from '../../text/tokenize-words.js'
import { future, imperativeVerb, technique } from '../talk/clinician-patterns.js'
import { ofClient, ofThem, type Reader } from '../statement/clinician-wording.js'
import { isMedicationOrder } from './read-proposal.js'
import { readNextVisit } from './read-visit.js'

export const readVisit: Reader = (text) => {
  const visit = readNextVisit(text)
  return visit === null ? null : { kind: 'plan', text: visit }
}

/** "I want the group home to lock up the medication", "We talked about the risks". */
export const readArrangement: Reader = (text) => {
  const wanted =
    /^(?<why>(?:because of|given|with|before) [^,]{3,50}, )?I (?:would like|want|need) (?<what>(?:an?|some|your|the) (?!\w+ to\b)(?:\w+ ){1,3}.+)$/i.exec(
      text,
    )?.groups?.['what']
  if (
    wanted !== undefined &&
    /\b(?:screen|e ?k ?g|ecg|labs?|level|panel|tsh|a1c|blood|test|records?|release|cardiology|neurology|consult\w*|referral|form)\b/i.test(
      wanted,
    )
  )
    return { kind: 'plan', text: `clinician asked for ${ofClient(wanted)}` }
  if (/\b(?:988|crisis line|hotline)\b/i.test(text) && /^you (?:have|can)\b/i.test(text))
    return { kind: 'plan', text: `clinician noted that ${ofClient(text)}` }
  const placed = /^I (?:want|would like|need) you (?<where>(?:in|at|on|off|with|back) .+)$/i.exec(text)
    ?.groups?.['where']
  if (placed !== undefined) return { kind: 'plan', text: `client to be ${ofThem(placed)}` }
  const others =
    /^I (?:want|would like|need) (?<who>(?:the|your|his|her) (?:\w+ ){1,3})to (?<what>.+)$/i.exec(
      text,
    )?.groups
  if (others !== undefined)
    return {
      kind: 'plan',
      text: `clinician asked for ${ofClient(`${others['who'] ?? ''}to ${others['what'] ?? ''}`)}`,
    }
  const worked = /^we have been (?<what>(?:working on|practicing|talking about) .+)$/i.exec(text)?.groups?.[
    'what'
  ]
  if (worked !== undefined && countWords(worked) >= 5)
    return { kind: 'intervention', text: `clinician and client have been ${ofThem(worked)}` }
  const talked = /^we (?:have )?(?:talked about|discussed|went over|reviewed|covered) (?<what>.+)$/i.exec(
    text,
  )?.groups?.['what']
  return talked === undefined ||
    countWords(talked) < 3 ||
    /^(?:that|it|this|last)\b|\b(?:before|already|last (?:time|week|month|session)|ago)$/i.test(talked)
    ? null
    : { kind: 'intervention', text: `clinician and client discussed ${ofClient(talked)}` }
}

const leadIn =
  /^(?<lead>(?:(?:for|over|during) (?:this|the|next|coming)[^,:]{0,30}|this week|today|every \w+|if [^,]{3,60}|when [^,]{3,60})[,:]? )(?<body>.+)$/i
const asides =
  /^(?:rate it|just let|say that|say it|let that|take your time|hold (?:your|on)|open your|stay with|tell me|let me|go ahead|keep going|do not worry|notice (?:that|what)|come on|take care|take a|let us)/i

/** "Sleep I don't want to touch": what is spoken of stands in front, and looks like a verb. */
const isTopicFirst = (body: string): boolean => /^\w+,? (?:I|we)\b/i.test(body)

export const readImperative: Reader = (text, { isLate, mentionsMedication, isCue, isUnplanned }) => {
  const groups = leadIn.exec(text)?.groups
  const body = (groups?.['body'] ?? text).replace(/^(?:(?:so|and|please|also|then|just)[, ]+)+/i, '')
  if (!imperativeVerb.test(body) || asides.test(body) || isTopicFirst(body)) return null
  const lead = (groups?.['lead'] ?? '').trim().replace(/[,:]$/, '')
  const opening = lead === '' ? '' : `${ofThem(lowerFirst(lead))}, `
  const words = ofThem(body.charAt(0).toLowerCase() + body.slice(1))
  if (isUnplanned === true && ofTheBody.test(body) && !future.test(text))
    return { kind: 'intervention', text: `${opening}clinician asked client to ${words}` }
  if ((isLate && !(isCue === true && cue.test(body))) || future.test(text))
    return {
      kind: isMedicationOrder(body, mentionsMedication) ? 'order' : 'plan',
      text: `${opening}client to ${words}`,
    }
  return technique.test(text) || (exercise.test(body) && countWords(body) >= exerciseWordsMin)
    ? { kind: 'intervention', text: `${opening}clinician asked client to ${words}` }
    : null
}

/** What is done at once, with the body. */
const ofTheBody =
  /^(?:put (?:a|an|one|both|your) (?:hands?|feet|palms?)\b|close your eyes\b|take (?:a|one|two|three|another) (?:slow |deep |big )*breaths?\b|feel your feet\b)(?=.* \w+ \w+)/i

/** What keeps an exercise going. */
const cue =
  /^(?:let|keep|stay|hold|notice|breathe|watch|feel|look|sit|repeat)\b(?!.*\b(?:at (?:home|work|school|night)|when|whenever|each|every|if|after|before|log|going)\b)/i

/** What a client is told to do in the room. */
const exercise =
  /^(?:touch|write|close|imagine|picture|repeat|name|hold|put (?:both|your) (?:hands?|feet))\b/i

/** Fewer words are a cue within it. */
const exerciseWordsMin = 5

/** "If it holds for a month, we could, go to fifty": a clause that was given up. */
const withoutStart = (what: string): string =>
  what.replace(/,? (?:and )?(?:we|you|they|I) (?:could|can|will|would|should|would have to|have to)$/i, '')

/** "… text her, I'll call you at five": what the client is to write, in their own voice. */
const withoutVoice = (act: string): string =>
  act.replace(/^((?:text|tell) (?:him|her|them|your \w+)),? (?:that )?I\b.*$/i, '$1')

/** "If the thoughts come back, call us, or 988." */
export const readContingency: Reader = (text) => {
  const parts =
    /^(?:and |but |so )*if (?<what>(?:you|your|any|the|things|it|those|that|thoughts)\b.+?),? (?:then )?(?:you |just |please |you can )*(?<act>(?:pull over|call|text|dial|go to|tell|let us know|reach out|use) .+)$/i.exec(
      text,
    )?.groups
  return parts === undefined
    ? null
    : {
        kind: 'plan',
        text: `if ${ofThem(withoutStart(parts['what'] ?? ''))}, client to ${ofThem(withoutVoice(parts['act'] ?? ''))}`,
      }
}

/** "If she loses two more pounds, we go to the day program." */
export const readStep: Reader = (text) => {
  const parts =
    /^(?:and |but |so )*if (?<what>[^,]{5,70}), (?:then )?we(?: will)? (?<act>(?:go|move|switch|add|try|raise|start|stop|talk|look|call|send|come|do|think) .+)$/i.exec(
      text,
    )?.groups
  return parts === undefined
    ? null
    : {
        kind: 'plan',
        text: `if ${ofThem(withoutStart(parts['what'] ?? ''))}, plan to ${ofThem(parts['act'] ?? '')}`,
      }
}
