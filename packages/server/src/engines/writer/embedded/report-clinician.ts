import { findMedications } from '../../lexicon/medications.js'
import { expandContractions } from '../text/expand-contractions.js'
import { findNumbers } from '../text/find-numbers.js'
import { lowerFirst } from '../text/report-speech.js'
import { nameClinician, shiftSecondPerson } from '../text/shift-person.js'
import { countWords, tokenizeWords } from '../text/tokenize-words.js'
import { toGerund } from '../text/verb-forms.js'
import {
  assessmentWords,
  future,
  imperativeVerb,
  measureWords,
  observation,
  orderVerb,
  planVerb,
  proposal,
  technique,
} from './clinician-patterns.js'
import { readNextVisit } from './read-visit.js'
import { isFullClause } from './report-client.js'
import type { StatementKind } from './statement.js'

export interface ClinicianWording {
  kind: StatementKind
  text: string
}

interface Context {
  /** In the part of the session where plans are made. */
  isLate: boolean
  /** A medicine has been named before. */
  mentionsMedication: boolean
  /** It tells the result of what was measured just before. */
  tellsMeasure?: boolean
  /** It begins with "so": what was said is said back. */
  sumsUp?: boolean
}

type Reader = (text: string, context: Context) => ClinicianWording | null

/** What a sentence of the clinician contributes, in the third person; null for what does not belong in a note. */
export const wordClinician = (clean: string, context: Context): ClinicianWording | null => {
  const text = straighten(expandContractions(clean))
    .replace(/[.!?…]+$/, '')
    .replace(/^(?:maybe|please) (?=\w+ \w+ \w+)/i, '')
    .replace(/\b(I (?:would|want|will|am)|let us|we (?:will|would)) (?:also|just|really|still) /gi, '$1 ')
    .replace(/\byou both\b|\bboth of you\b/gi, 'both participants')
    .trim()
  if (countWords(text) < 3) return null
  for (const read of readers) {
    const wording = read(text, context)
    if (wording !== null) return { ...wording, text: wording.text.replace(/,? (?:too|as well|for me)$/i, '') }
  }
  return null
}

/** "I'm referring you for therapy": done by saying so. */
const announcedVerbs = [
  'refer',
  'send',
  'order',
  'add',
  'start',
  'raise',
  'lower',
  'increase',
  'prescribe',
  'schedule',
]

const leads: readonly [RegExp, string][] = [
  [/^someone, /i, ''],
  [/^that is why (?=(?:we|I)\b)/i, ''],
  [/^(?:(?:so|and|okay|alright|well|now|then|but|good|great|also)[, ]+)+(?=\S)/i, ''],
  [/^what I would like (you )?(?:to do )?is (?:to |for you to )?(?=[a-z])/i, 'I would like $1to '],
  // "What I'd like to try today is the three piles."
  [
    /^what I would like (?:us )?to (\w+)(?: today| now| next)? is (?=(?:the|an?|some|your) )/i,
    'I would like to $1 ',
  ],
  [/^here is what (?:I|we) (?:am thinking|would like|will do)(?: to do)?[:,.]? ?/i, ''],
  [
    /^(?:I am thinking|I think|my thought is)(?: that)?,? (?=(?:let us|we (?:will|should|can|could|keep|stay|need))\b)/i,
    '',
  ],
  // Said in the present, meant from now on.
  [
    /(^|, )we (?=(?:keep|stay|do|meet|continue|start|stop|go|hold|leave|check|add|set|drop|cut)\b(?! not\b))/gi,
    '$1we will ',
  ],
  // "What I'd suggest is once a week."
  [/^(?:then )?what I would (suggest|recommend|propose) is (?=\w+ \w)/i, 'I would $1 '],
  [/^(?:meanwhile|for now|in the meantime),? (?=(?:I|we)\b)/i, ''],
  [/^(?:today )?I am giving you /i, 'I will give you '],
  ...announcedVerbs.map((verb): [RegExp, string] => [
    new RegExp(`^I am ${toGerund(verb)} (?=\\S+ \\S)`, 'i'),
    `I will ${verb} `,
  ]),
  [/^(if [^,]+), (?:then )?you (?=(?:tell|call|go|pull|text|come|use|take|let)\b)/i, '$1, '],
  [/ to me(?= today\b| and\b| like\b|,|$)/i, ''],
]

/** A plan is a plan however it is announced. */
const straighten = (text: string): string =>
  leads.reduce((straight, [pattern, replacement]) => straight.replace(pattern, replacement), text)

/** With the client named, where the sentence has not done it yet; and without. */
const ofClient = (text: string): string => nameClinician(shiftSecondPerson(lowerFirst(text)))
const ofThem = (text: string): string => nameClinician(shiftSecondPerson(text, { isNamed: true }))

const hasNumber = (text: string): boolean => findNumbers(tokenizeWords(text)).length > 0

const readMeasure: Reader = (text, { tellsMeasure }) => {
  if (!(measureWords.test(text) || tellsMeasure === true) || !hasNumber(text)) return null
  if (
    /^if\b|\bscale (?:of|from)\b|\b(?:how|will|would|want|check|get|order|next|before|should|let)\b/i.test(
      text,
    )
  )
    return null
  const told = ofClient(
    fromFirstNumber(text.replace(/^(?:I (?:looked|am looking) at (?=your)|that is an? )/i, '')),
  )
  // A sentence that begins with the client would be theirs.
  return { kind: 'measure', text: told.startsWith('client ') ? `clinician noted ${told}` : told }
}

/** "You filled in the forms, your PHQ nine is fourteen": what is measured begins with the clause that has a number. */
const fromFirstNumber = (text: string): string => {
  const clauses = text.split(/, (?:but |and )?(?=\w)/)
  const first = clauses.findIndex(hasNumber)
  return first <= 0 ? text : text.slice(text.indexOf(clauses[first] ?? ''))
}

const readVisit: Reader = (text) => {
  const visit = readNextVisit(text)
  return visit === null ? null : { kind: 'plan', text: visit }
}

const smallTalk =
  /^(?:sorry|watch|glad|not sure|wondering|curious|thinking|hearing|note|ask(?! (?:doctor|the|your|him|her|for)\b)|check in|slow|come back to|be honest|say|know|hear more|understand|get your|talk about|be|make sure|find|make the plan|think about|think\b|tell|go tell|do (?:my|our) best|go through|take (?:those|that|them|it)|see how|look (?:at (?:your|the) (?:labs|chart)|here)|start there|begin|wrap|stop|move on|wait|hold on|back up|talk|keep going|come back around|call (?:that|it|this)|go (?:in|with)|give you a (?:second|minute)|say|hear|go three|put you)\b/i

const readProposal: Reader = (text, { isLate, mentionsMedication }) => {
  const groups = proposal.exec(text)?.groups
  const rest = beforeVoice(groups?.['rest'] ?? '')
  const lead = groups?.['lead'] ?? ''
  if (
    groups === undefined ||
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
    planVerb.test(rest) ||
    future.test(text) ||
    (isLate && (groups['you'] !== undefined || isPromise || isSetForLater(groups['us'] ?? '', rest)))
  const kind: StatementKind = isOrder ? 'order' : isPlan ? 'plan' : 'intervention'
  const opening = lead === '' ? '' : `${ofThem(lowerFirst(lead.trim())).replace(/[,:]$/, '')}, `
  const body = wordProposal(groups, rest, isPlan)
  return body === null ? null : { kind, text: opening + body }
}

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

const isMedicationOrder = (rest: string, mentionsMedication: boolean): boolean =>
  orderVerb.test(rest.split(' ').slice(0, 5).join(' ')) &&
  (findMedications(rest).length > 0 ||
    /\b(?:dose|milligrams?|mg|medications?)\b/i.test(rest) ||
    (mentionsMedication && hasNumber(rest) && isDoseTalk(rest)))

/** "Keep it at one fifty" is a dose, "keep it at fifteen minutes" is none. */
const isDoseTalk = (rest: string): boolean =>
  /\b(?:bedtime|morning|night|day|twice|up to|down to|for a week|(?:at|to|from|on|start) (?:a |the )?(?:\d|one|two|three|four|five|ten|twelve|fifteen|twenty|thirty|forty|fifty|sixty|seventy|hundred|eighteen))\b/i.test(
    rest,
  ) && !/\b(?:minutes?|hours?|times|steps|pages|breaths?|sessions?|o'clock|p\.?m|a\.?m)\b/i.test(rest)

const wordProposal = (
  { us, me, you, advise }: Record<string, string | undefined>,
  rest: string,
  isPlan: boolean,
): string | null => {
  const [verb = '', ...others] = rest.split(' ')
  const doing = ofClient(
    rest.startsWith('role play')
      ? rest.replace('role play', 'role playing')
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
      ? `clinician offered to ${ofClient(rest)}`
      : null
  if (us !== undefined) return isPlan ? `plan to ${ofClient(rest)}` : `clinician proposed ${doing}`
  if (me === undefined || /^I am$/i.test(me)) return null
  if (/^I would$/i.test(me)) return isPlan ? `clinician recommended ${doing}` : null
  if (!isPlan) return `clinician proposed ${doing}`
  return `clinician ${/^I will|^I am going/i.test(me) ? 'will' : 'plans to'} ${ofClient(rest)}`
}

/** "I want the group home to lock up the medication", "We talked about the risks". */
const readArrangement: Reader = (text) => {
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
  const talked = /^we (?:have )?(?:talked about|discussed|went over|reviewed|covered) (?<what>.+)$/i.exec(
    text,
  )?.groups?.['what']
  return talked === undefined || countWords(talked) < 3 || /^(?:that|it|this|last)\b/i.test(talked)
    ? null
    : { kind: 'intervention', text: `clinician and client discussed ${ofClient(talked)}` }
}

/** As a status is written: "good eye contact, thinking more organized than last time". */
const briefly = (text: string): string =>
  text
    .replace(
      /^(?:client is|client has been|they are) making (?=(?:good|poor|better|some|more) eye contact)/i,
      '',
    )
    .replace(
      /\b(?:client's|their) (\w+) (?:is|are|was|were|seems?|looks?|sounds?) (?!not\b|no\b|(?:\w+ )?\w+ing\b)/gi,
      '$1 ',
    )
    .replace(/\b(?:pretty|really|a lot(?! of)) (?=\w)/gi, '')
    .replace(/, and (?:I|clinician) (?:think|am|is|thinks?)\b.*$/i, '')

const readObservation: Reader = (text) => {
  const noticed =
    /^(?:I (?:notice|noticed|can see|could see|see|saw|can hear|could hear)(?: that)?) (?<what>.+)$/i.exec(
      text,
    )
  // "I can see it's still close, you're tearing up."
  const what = noticed?.groups?.['what']?.replace(/^(?:it|that|this)\b[^,]*, (?=you\b)/i, '')
  if (
    what !== undefined &&
    !/^(?:it|that|this)\b/i.test(what) &&
    (observation.test(text) || what.startsWith('both participants'))
  )
    return { kind: 'observation', text: `clinician noted ${briefly(ofClient(what))}` }
  if (!observation.test(text)) return null
  const person = /^I see (?:someone|somebody|a (?:man|woman|person)) (?:who is |that is )?(?<what>.+)$/i.exec(
    text,
  )
  if (person?.groups !== undefined)
    return {
      kind: 'observation',
      text: `clinician noted client is ${briefly(ofThem(person.groups['what'] ?? '')).replace(/\bwho is /g, '')}`,
    }
  const seen = text.replace(/,? (?:and |but )?look at you(?: now)?,? (?=you)/i, ', now ')
  return /^(?:when you (?:first )?(?:came in|got here|sat down|walked in)\b.*? )?(?:you (?:even |also |just )?(?:are|were|had|seem|look|looked|appear|sound|have|kept|sat|came in|laughed|smiled|startled|cried|stayed|jumped|teared|really)|your \w+|it is hard to)\b/i.test(
    seen,
  )
    ? { kind: 'observation', text: `clinician noted ${briefly(ofClient(seen))}` }
    : null
}

/** "So there's the thought, I'm unlovable": the clinician lends the client a voice, and is not speaking of themselves. */
const voicesClient = (text: string): boolean => /\bI\b/.test(text)

const reflection =
  /^(?:so |and )*(?:(?:it |that )?sounds (?:to me )?like|what I am hearing is(?: that)?|what I (?:hear|heard) you say(?:ing)? is,?|I am hearing(?: that)?|I hear (?:that |you say(?:ing)? )|it seems like|so underneath|I wonder (?=if|whether))(?: maybe)? ?(?<what>.+)$/i

const readReflection: Reader = (text) => {
  const what = reflection.exec(text)?.groups?.['what']
  if (what === undefined || countWords(what) < 3 || voicesClient(what)) return null
  if (/\b(?:disorder|episode|dissociation|ptsd)\b/i.test(text))
    return { kind: 'assessment', text: `clinician stated that it sounds like ${ofClient(what)}` }
  const isClause =
    /^(?:you|your|there|it|this|that|the|they|she|he|underneath)\b.* (?:is|are|was|were|has|have|feel|feels|felt|do|does|led|got|had|made|makes)\b/i.test(
      what,
    )
  const verb = /^(?:if|whether)\b/i.test(what)
    ? 'wondered'
    : isClause || /^you\b/i.test(what)
      ? 'reflected that'
      : 'reflected that it sounds like'
  return countWords(what) < 4 ? null : { kind: 'intervention', text: `clinician ${verb} ${ofClient(what)}` }
}

/** What the clinician calls it, or how they think that it goes. */
const judgement =
  /^(?:I (?:think|believe|would say)|this|your|what you|my impression|you meet|it is|the) (?:.* )?(?:schizo\w+|bipolar|post[- ]?traumatic|ptsd|major depress\w+|postpartum|gambling|generalized anxiety|panic disorder|adhd|ocd|adjustment|grief)\b|^(?:it|this|that) (?:looks|sounds|seems) like (?:.* )?(?:depress\w+|anxiety|stress|ptsd|trauma\w*|panic|adhd|ocd|bipolar|grief|mania|psychosis|withdrawal|burnout)\b|^I (?:think|believe|would say) (?:.* )?(?:working|helping|improving|getting (?:better|worse)|about the same|important connection)\b/i

const safest = /^I (?:think|believe) (?<what>(?:the|what) [^,]{3,40} is (?:for|to)\b.+)$/i

const readAssessment: Reader = (text) => {
  const advice = safest.exec(text)?.groups?.['what']
  if (advice !== undefined) return { kind: 'plan', text: `clinician stated that ${ofClient(advice)}` }
  if (/\b(?:goals?|objectives?|treatment plan)\b.{0,40}\b(?:is|are|was)\b/i.test(text))
    return { kind: 'goal', text: ofClient(text.replace(/, remember,/i, '')) }
  if (
    !(assessmentWords.test(text) || judgement.test(text)) ||
    /^(?:that is|it is|this is) (?:real|great|good|such|a lot)/i.test(text)
  )
    return null
  const called = /^I would call (?:that|it|this) (?<what>.+)$/i.exec(text)?.groups?.['what']
  if (called !== undefined)
    return { kind: 'assessment', text: `clinician described this as ${ofClient(called)}` }
  if (/^my impression is\b/i.test(text)) return { kind: 'assessment', text: ofClient(text) }
  const thought = /^(?:I (?:think|believe|would say|feel)(?: that)?) (?<what>.+)$/i.exec(text)?.groups?.[
    'what'
  ]
  return {
    kind: 'assessment',
    text: `clinician stated that ${ofClient(thought ?? text).replace(/^that is\b/, 'this is')}`,
  }
}

const leadIn =
  /^(?<lead>(?:(?:for|over|during) (?:this|the|next|coming)[^,:]{0,30}|this week|today|every \w+|if [^,]{3,60}|when [^,]{3,60})[,:]? )(?<body>.+)$/i
const asides =
  /^(?:rate it|just let|say that|say it|let that|take your time|hold (?:your|on)|open your|stay with|tell me|let me|go ahead|keep going|do not worry|notice (?:that|what)|come on|take care|take a|let us)/i

const readImperative: Reader = (text, { isLate, mentionsMedication }) => {
  const groups = leadIn.exec(text)?.groups
  const body = (groups?.['body'] ?? text).replace(/^(?:(?:so|and|please|also|then|just)[, ]+)+/i, '')
  if (!imperativeVerb.test(body) || asides.test(body)) return null
  const lead = (groups?.['lead'] ?? '').trim().replace(/[,:]$/, '')
  const opening = lead === '' ? '' : `${ofThem(lowerFirst(lead))}, `
  const words = ofThem(body.charAt(0).toLowerCase() + body.slice(1))
  if (isLate || future.test(text))
    return {
      kind: isMedicationOrder(body, mentionsMedication) ? 'order' : 'plan',
      text: `${opening}client to ${words}`,
    }
  return technique.test(text) || (exercise.test(body) && countWords(body) >= exerciseWordsMin)
    ? { kind: 'intervention', text: `${opening}clinician asked client to ${words}` }
    : null
}

/** What a client is told to do in the room. */
const exercise =
  /^(?:touch|write|close|imagine|picture|repeat|name|hold|put (?:both|your) (?:hands?|feet))\b/i

/** Fewer words are a cue within it. */
const exerciseWordsMin = 5

/** "The sertraline stays", "Then bupropion XL one fifty": a decision without a verb of one. */
const readLooseOrder: Reader = (text, { isLate }) => {
  if (!isLate || findMedications(text).length === 0 || /\b(?:you (?:are|were|have|take|took))\b/i.test(text))
    return null
  const isKept = /^(?:the |your )?[\w ]{3,30} (?:stays?|remains?)\b/i.test(text)
  const startsWithMedicine = findMedications(text)[0]?.start === 0
  return isKept || (startsWithMedicine && hasNumber(text) && !isFullClause(text))
    ? { kind: 'order', text: `plan: ${ofClient(text)}` }
    : null
}

/** "So worry time at six, fifteen minutes", "No coffee after two": a plan without a verb. */
const readLoosePlan: Reader = (text, { isLate }) => {
  if (!isLate || /^(?:that|it|this|there|let us|see you|have a)\b/i.test(text)) return null
  const isTimed = future.test(text) && !/\b(?:I|we|you)\b/i.test(text)
  const isList = countWords(text) >= listWordsMin && !isFullClause(text) && namesStep(text)
  // "At three in the morning, out of bed, write the worry down."
  const isTold =
    /^(?:at|when|before|after|in|on|during) [^,]+, (?:[^,]+, )?(?:write|put|set|call|text|take|use|keep|stop|leave|turn|go|drink|eat|walk|get)\b/i.test(
      text,
    ) && !/\b(?:I|we|you)\b/i.test(text)
  return isTimed || isList || isTold || setsDays.test(text) || forbids.test(text) || forNow.test(text)
    ? { kind: 'plan', text: `plan: ${ofClient(text.replace(/^so /i, ''))}` }
    : null
}

/** Fewer words without a verb are an echo of what was said. */
const listWordsMin = 5

/** "And the stove picture, Monday, Wednesday, Friday only." */
const setsDays =
  /^(?:the|your|a|two|three|\w+) (?:[\w']+ ){0,4}[\w']+,? (?:on )?(?:mon|tues|wednes|thurs|fri|satur|sun)days?(?:,? (?:and )?\w+day)*(?: only)?$/i

/** "No pool, no sit ups." Comfort begins like it: "No need to be sorry." */
const forbids =
  /^(?:no|no more|not more than|nothing|only) (?!need\b|problem|worries|wonder|rush|pressure\b|doubt|judg\w+|shame|surprise|one\b|thoughts|way\b|matter\b)(?:\w+ )*\w+,? (?:no|or|and|until|after|before|this|for|with|than|at) \w+/i

/** "For this week, the cold water thing when you feel it climbing." */
const forNow = /^(?:for |over )?(?:this|the next|the) (?:week|weekend|month|two weeks)[:,] \w+ \w+ \w/i

const namesStep = (text: string): boolean =>
  /^(?:no|nothing|one|two|three|ten|fifteen|twenty|thirty|a|an|the|\w+s)\b/i.test(text) &&
  (technique.test(text) ||
    /\b(?:(?:minutes?|hours?|times|after|before|until|at) \w+|a (?:day|week|night))/i.test(text))

/** Beyond this it is a speech, and its first sentences say what it is about. */
const taughtWordsMax = 40

const taught =
  /\b(?:brain|body|anxiety|panic|depression|caffeine|alcohol|sleep|grief|trauma|avoid\w*|thoughts?|feelings?|emotions?|worry|cravings?|urges?|anger|habits?|mood|numb\w*)\b/i
const general =
  /^(?:[a-z]+(?:ing)?|the \w+|when|avoiding|people|it|a lot of \w+ \w+) (?:\w+ ){0,6}(?:is|are|can|means|peaks?|gives?|teaches|makes?|comes?|goes|learns?|tells?|works?|stays?|gets?|grows?|helps?|keeps?|feel)\b/i

/** General truths that the clinician teaches, and techniques that they name. */
const readTeaching: Reader = (text) => {
  const words = countWords(text)
  if (
    words > taughtWordsMax ||
    /^(?:that|it|this) (?:is|was) (?:a |an )?(?:great|good|nice|wonderful|real|powerful)/i.test(text)
  )
    return null
  if (voicesClient(text)) return null
  const isGeneral = general.test(text) && !/^(?:I|we|you)\b/i.test(text)
  if (technique.test(text) && isGeneral)
    return { kind: 'intervention', text: `clinician explained that ${ofClient(text)}` }
  if (technique.test(text) && !/^(?:that|it|this|which)\b/i.test(text))
    return /\b(?:we|you|I|is|are|was|means|called)\b/i.test(text)
      ? { kind: 'intervention', text: `clinician discussed that ${ofClient(text)}` }
      : null
  if (technique.test(text) && words > 5)
    return { kind: 'intervention', text: `clinician noted that ${ofClient(text)}` }
  return taught.test(text) && isGeneral && words > 6
    ? { kind: 'intervention', text: `clinician explained that ${ofClient(text)}` }
    : null
}

/** "So there's one rule for your friend and one for you." */
const readSummary: Reader = (text, { sumsUp }) =>
  sumsUp === true &&
  countWords(text) >= summaryWordsMin &&
  countWords(text) <= taughtWordsMax / 2 &&
  /\byou(?:r|rself)?\b/i.test(text) &&
  /^(?:there|you|your|it|this|between|one|the|when|on|at)\b/i.test(text) &&
  !voicesClient(text) &&
  findMedications(text).length === 0 &&
  isFullClause(text)
    ? { kind: 'intervention', text: `clinician reflected that ${ofClient(text)}` }
    : null

/** Fewer words say nothing back. */
const summaryWordsMin = 7

/** "If the thoughts come back, call us, or 988." */
const readContingency: Reader = (text) => {
  const parts =
    /^(?:and |but |so )*if (?<what>(?:you|your|any|the|things|it|those|that|thoughts)\b.+?),? (?:then )?(?:you |just |please |you can )*(?<act>(?:pull over|call|text|dial|go to|tell|let us know|reach out|use) .+)$/i.exec(
      text,
    )?.groups
  return parts === undefined
    ? null
    : { kind: 'plan', text: `if ${ofThem(parts['what'] ?? '')}, client to ${ofThem(parts['act'] ?? '')}` }
}

/** "If she loses two more pounds, we go to the day program." */
const readStep: Reader = (text) => {
  const parts =
    /^(?:and |but |so )*if (?<what>[^,]{5,70}), (?:then )?we(?: will)? (?<act>(?:go|move|switch|add|try|raise|start|stop|talk|look|call|send|come|do|think) .+)$/i.exec(
      text,
    )?.groups
  return parts === undefined
    ? null
    : { kind: 'plan', text: `if ${ofThem(parts['what'] ?? '')}, plan to ${ofThem(parts['act'] ?? '')}` }
}

/** The plainest first: a number that was measured, an appointment; then what needs interpretation. */
const readers: readonly Reader[] = [
  readMeasure,
  readContingency,
  readStep,
  readVisit,
  readProposal,
  readArrangement,
  readObservation,
  readReflection,
  readAssessment,
  readImperative,
  readLooseOrder,
  readLoosePlan,
  readTeaching,
  readSummary,
]
