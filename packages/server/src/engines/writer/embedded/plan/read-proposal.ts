import { findMedications } from '../../../lexicon/medications.js'
import { lowerFirst } from '../../text/report-speech.js'
import { countWords } from '../../text/tokenize-words.js'
import { toGerund } from '../../text/verb-forms.js'
import {
  future,
  imperativeVerb,
  orderVerb,
  planVerb,
  proposal,
  technique,
} from '../talk/clinician-patterns.js'
import { hasNumber, ofClient, ofThem, type Reader } from '../statement/clinician-wording.js'
import type { StatementKind } from '../statement/statement.js'

const smallTalk =
  /^(?:sorry|watch|glad|not sure|wondering|curious|thinking|hearing|note|ask(?! (?:doctor|the|your|him|her|for)\b)|check in|slow|come back to|be honest|say|know|hear more|understand|get your|talk about|be|make sure|find|make the plan|think about|think\b|tell|go tell|do (?:my|our) best|go through|take (?:those|that|them|it)|see how|look (?:at (?:your|the) (?:labs|chart)|here)|start there|begin|wrap|stop|move on|wait|hold on|back up|talk|keep going|come back around|call (?:that|it|this)|go (?:in|with)|give you a (?:second|minute)|say|hear|go three|put you|stay (?:with (?:that|it|this)|(?:there|here)(?: for)? a (?:second|minute|moment|bit))|have (?:you|mom|dad|your \w+) (?:step|wait|come|sit|go))\b/i

export const readProposal: Reader = (text, { isLate, mentionsMedication }) => {
  const groups = proposal.exec(text)?.groups
  const rest = beforeVoice(groups?.['rest'] ?? '')
  const lead = groups?.['lead'] ?? ''
  if (
    groups === undefined ||
    // "I won't tell you that it is easy."
    (groups['me'] !== undefined && /^not (?:tell|say|lie|pretend|promise)\b/i.test(rest)) ||
    // "I can see you're tearing up" is seen, not planned.
    (/^I can$/i.test(groups['me'] ?? '') && /^(?:see|hear|tell|imagine|understand|feel)\b/i.test(rest)) ||
    // "I'd like your husband to …" is asked of somebody else.
    /^(?:like (?!to\b)|make the plan|give you (?:a )?(?:few|second|minute)|think about|keep asking|settle|stay with|try something$|come back around|get started)\b/i.test(
      rest,
    )
  )
    return null
  if (
    groups['you'] === undefined &&
    !isMedicationOrder(rest, mentionsMedication) &&
    !technique.test(rest) &&
    smallTalk.test(rest) &&
    !future.test(text)
  )
    return null
  if (/\b(?:if (?:it|that|you)|okay|ha|right|earlier)\b/i.test(lead)) return null
  const isOrder = isMedicationOrder(rest, mentionsMedication)
  const isPromise = /^I (?:will|am going to)$/i.test(groups['me'] ?? '') && !inSession.test(rest)
  const isPlan =
    isOrder ||
    (planVerb.test(rest) && !isForToday(groups, text)) ||
    (future.test(text) && !isForToday(groups, text)) ||
    (isLate && (groups['you'] !== undefined || isPromise || isSetForLater(groups['us'] ?? '', rest)))
  const kind: StatementKind = isOrder ? 'order' : isPlan ? 'plan' : 'intervention'
  // "Call me, we can do a booster."
  if (/^(?:call|text|email|message|reach out)\b/i.test(lead) && !isOrder && isLate)
    return {
      kind: 'plan',
      text: `client to ${ofThem(lowerFirst(lead.trim().replace(/[,:]$/, '')))}; plan to ${ofThem(rest)}`,
    }
  const opening = lead === '' ? '' : `${ofThem(lowerFirst(lead.trim())).replace(/[,:]$/, '')}, `
  const body = wordProposal(groups, rest, { isPlan, isOrder })
  return body === null ? null : { kind, text: opening + body }
}

/** "Today I'd like us to write the plan for bad weeks": done there and then. */
const isForToday = ({ us, me, rest, lead }: Record<string, string | undefined>, text: string): boolean =>
  (/^(?:let us|I would like us to|I want us to)$/i.test(us ?? '') ||
    (/^I (?:would like to|want to|am going to|will)$/i.test(me ?? '') && doneInSession.test(rest ?? ''))) &&
  (/^(?:today|now)\b/i.test(lead ?? '') || /\b(?:right now|today|here)$/i.test(text))

const doneInSession =
  /^(?:introduce|teach|show|try|practice|do|go over|look at|work on|talk (?:about|through)|explore|use|walk you through|start with)\b/i

/** "We set a timer, forty five minutes": for later, unless it is done there and then. */
const isSetForLater = (us: string, rest: string): boolean =>
  /^we will$/i.test(us) && hasNumber(rest) && !/\b(?:now|today|together|here)\b/i.test(rest)

/** What a clinician does there and then. */
const inSession =
  /^(?:guide|walk|teach|show|read|count|demonstrate|draw|share|explain|start|pause|write (?:it|that|this))\b/i

/** "… the thought, which is, he's saying I'm a fraud": from there on it is the client who says "I". */
const beforeVoice = (rest: string): string => {
  const cut = rest.replace(
    /[,:]? (?:and )?(?:say|saying|says|the thought|which is|tell (?:him|her|them|yourself)|text (?:him|her|them)),?(?: that)?(?: \w+){0,3} I\b.*$/i,
    '',
  )
  return countWords(cut) >= 3 ? cut : rest
}

/** "You could ask your husband to sit in": advice, once plans are made. */
export const readSuggestion: Reader = (text, { isLate }) => {
  const rest =
    /^(?:(?:and|or|also|maybe) )*you (?:could|might|can)(?: also| maybe| just)? (?<rest>.+)$/i.exec(text)
      ?.groups?.['rest']
  if (!isLate || rest === undefined || !suggested.test(rest) || countWords(rest) < suggestedWordsMin)
    return null
  const [verb = '', ...others] = rest.split(' ')
  return {
    kind: 'plan',
    text: `clinician suggested ${ofClient([toGerund(verb.toLowerCase()), ...others].join(' '))}`,
  }
}

/** Fewer words leave open what it is. */
const suggestedWordsMin = 4

/** What a client does by themselves, after the session. */
const suggested =
  /^(?:ask|call|text|email|write|practice|use|track|bring|join|visit|walk|schedule|invite|read|set|keep|put|share|talk to|tell (?:your|him|her))\b/i

export const isMedicationOrder = (rest: string, mentionsMedication: boolean): boolean =>
  orderVerb.test(rest.split(' ').slice(0, 5).join(' ')) &&
  (findMedications(rest).length > 0 ||
    /\b(?:dose|milligrams?|mg|medications?)\b/i.test(rest) ||
    (mentionsMedication && hasNumber(rest) && isDoseTalk(rest)))

/** "Keep it at one fifty" is a dose, "keep it at fifteen minutes" is none. */
const isDoseTalk = (rest: string): boolean =>
  /\b(?:bedtime|morning|night|day|twice|up to|down to|for a week|(?:at|to|from|on|start) (?:a |the )?(?:\d|one|two|three|four|five|ten|twelve|fifteen|twenty|thirty|forty|fifty|sixty|seventy|hundred|eighteen))\b/i.test(
    rest,
  ) && !/\b(?:minutes?|hours?|times|steps|pages|breaths?|sessions?|o'clock|p\.?m|a\.?m)\b/i.test(rest)

/** Done by saying so. */
const introduces =
  /^introduce (?:you to )?(?:(?:something|an? \w+) (?:that is )?called )?(?<what>.+?)(?: today| now)?$/i

/** "Go down the hall and touch the sink, and not wash": each verb would have to change. */
const goesOn = (rest: string): boolean =>
  [
    ...(rest.split(',')[0] ?? '').matchAll(
      / and (?:then )?(?:not )?(?<next>[a-z]+) (?:the|your|it|that|through|out|down|them|to|what|a)\b/gi,
    ),
  ].some((match) => imperativeVerb.test(match.groups?.['next'] ?? ''))

/** "a skill from DBT called TIPP" */
const kindOfSkill =
  /\ban? (?:\w+ )?(?:skill|technique|tool|exercise|strategy)(?: from [A-Z]{2,4})?,? called (?:the )?/i

const wordProposal = (
  { us, me, you, advise }: Record<string, string | undefined>,
  rest: string,
  { isPlan, isOrder }: { isPlan: boolean; isOrder: boolean },
): string | null => {
  const [verb = '', ...others] = rest.split(' ')
  const doing = ofClient(
    rest.startsWith('role play')
      ? rest.replace('role play', 'role playing')
      : goesOn(rest)
        ? `to ${lowerFirst(rest)}`
        : [toGerund(verb.toLowerCase()), ...others].join(' '),
  )
  if (advise !== undefined) {
    const isVerb = imperativeVerb.test(rest) || planVerb.test(rest)
    return `clinician recommended ${isVerb && !verb.endsWith('ing') ? doing : ofClient(rest)}`
  }
  if (you !== undefined)
    return isPlan ? `client to ${ofThem(rest)}` : `clinician invited client to ${ofThem(rest)}`
  if (us?.toLowerCase() === 'let me')
    return /^(?:teach|show|explain|walk|share)\b/i.test(rest)
      ? `clinician offered to ${ofClient(rest.replace(kindOfSkill, ''))}`
      : null
  if (us !== undefined) return isPlan ? `plan to ${ofClient(rest)}` : `clinician proposed ${doing}`
  if (me === undefined || /^I am$/i.test(me)) return null
  const introduced = introduces.exec(rest)?.groups?.['what']
  if (introduced !== undefined && !isPlan) return `clinician introduced ${ofClient(introduced)}`
  // "I'd stop it if it made you sick" decides nothing.
  if (/^I would$/i.test(me) && isOrder && !/\b(?:if|unless|but|although)\b/i.test(rest))
    return `plan to ${ofClient(rest.replace(/^rather /i, ''))}`
  if (/^I would$/i.test(me)) return isPlan ? `clinician recommended ${doing}` : null
  if (!isPlan) return `clinician proposed ${doing}`
  return `clinician ${/^I will|^I am going/i.test(me) ? 'will' : 'plans to'} ${ofClient(rest)}`
}
