import { findSaidMedicines } from '../../lexicon/said-medicines.js'
import { makeFindingId, sortItems } from '../finding-id.js'
import { readAnswer } from '../questions/read-answer.js'
import type { DecisionFinding, TopicScores } from '../reading.js'
import type { Sentence, Turn } from '../talk/read-talk.js'

type About = DecisionFinding['about']

/** From here the encoder takes an item to hold a plan of that kind. */
const foundAt = 0.35
/** Items of one decision stand beside each other: proposed, asked back, agreed. */
const gapMax = 2

const day =
  '(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|tomorrow|the (?:\\w+(?:st|nd|rd|th)|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|twelfth|fifteenth|twentieth)|next (?:week|month|session|time|visit))'
const appointment = new RegExp(
  `\\b(?:see you|seeing you|come back|back in|follow.?up|next (?:appointment|session|visit|time)|appointment|schedule\\w*|same time|book\\w*|check in|meet (?:again|next)|talk (?:again )?(?:on|in)|i'll call you|visit in)\\b[^.?!]{0,60}(?:\\b(?:in (?:a|one|two|three|four|five|six|eight|\\d+|a couple of|a few) (?:week|month|day)s?|${day}|\\d{1,2}(?::\\d\\d)?|o'clock|weeks?|months?|usual time)\\b)|\\b(?:same time next week|see you (?:next|on|in|then|monday|tuesday|wednesday|thursday|friday)|in (?:two|three|four|six|eight|\\d) weeks)\\b`,
)
const fixesVisit =
  /\b(?:(?:i'll|i will|we'll|let's) (?:see|meet|talk|schedule|book)|see you|come back|(?:you )?back in|follow.?up in|same time next week)\b/
const referral =
  /\b(?:refer(?:ral|red|ring)?\b|send(?:ing)? you (?:to|over)|set you up with|connect you (?:with|to)|specialist|(?:cardiolog|neurolog|psychiatr|endocrinolog|dermatolog|gastroenterolog|therap|nutritionist|dietitian|physical therap|sleep (?:clinic|study)|social work|case manag)\w*|intensive outpatient|iop\b|program|support group|crisis team|group on|intake)\b/
const test =
  /\b(?:labs?|blood ?work|bloods|blood test|draw|x.?ray|mri|ct\b|scan|ultrasound|ekg|ecg|urine|level|colonoscopy|mammogram|biopsy|swab|test(?:s|ed)?|a1c|screening|sleep study|panel|imaging|echo)\b/
const safety =
  /\b(?:safety plan|988|crisis (?:line|number)|lock(?:ed|ing)? (?:up|it|them|box|away)|lockbox|safe (?:storage|place)|hold (?:on to )?(?:the|your|my|them|it|those)|take (?:the|my|your) guns?|guns? out|give (?:the|your|my) (?:pills|gun|guns|meds|keys)|call (?:me|him|her|my|your|the) (?:\w+ )?(?:before|if|when|first)|emergency room|go to the er|911|police|shelter|child protect\w*|cps|adult protective|hotline|protective order|text (?:me|her|him)|won't be alone|stay with)\b/
const homework =
  /\b(?:homework|practice|practise|write (?:down|it|one|a|three)|journal\w*|log\b|track\w*|worksheet|try (?:to|it|that|one|this|the)|this week,? (?:i'd|you|can|let's)|thought record|before (?:we meet|next)|between (?:now|sessions)|exercise|breathing|list of|once a day|every (?:day|night|morning)|experiment|assignment|notice (?:when|what)|read(?:ing)? (?:the|chapter))\b/
const disposition =
  /\b(?:admit(?:ting|ted)?|hospital\b|inpatient|emergency (?:room|department)|ambulance|discharge\w*|send you home|go home today|level of care|observation unit)\b/
const medicine =
  /\b(?:dose|increase|decrease|start(?:ing)?|stop(?:ping)?|raise|lower|taper|refill\w*|prescri\w+|script|pharmacy|milligrams?|mg|tablets?|pills?|go (?:up|down)|stay (?:at|on)|keep (?:you|the|it))\b/

const proposes =
  /\b(?:could|might|would you|how about|what about|what if|option\w*|i'd (?:like|suggest|recommend|want|love)|maybe|we can|you can|do you want|are you (?:open|willing|okay|up for)|should we|shall we|think about|consider|can you|could you|let me know|if you(?:'d)? (?:like|want)|i'm wondering)\b/
const settles =
  /\b(?:we'll|we will|i'll|i will|i'm (?:going to|gonna|referring|sending|ordering|putting|writing)|let's|you'll|i'm required|we're going to|i want you to|i need you to|see you|stays?|starting (?:today|tonight|tomorrow)|so (?:we|you)|go ahead|back in|same (?:time|dose)|i've (?:put|sent|booked|got you)|i have you)\b/
const commits =
  /\b(?:i'll|i will|i can do that|i can try|i'll try|i'm (?:going to|gonna)|let's do|works for me|sounds (?:good|fine|right)|that works|fair enough|deal\b|okay,? (?:yeah|i|let's|sure)|i guess i can|i promise|all right|alright|that(?:'s| is) (?:fine|grand|good)|that'd be (?:good|alright|great|fine))\b/
const refuses =
  /\b(?:i don't want (?:to|that|it|any|the)|i'd rather not|rather not|not (?:interested|ready|doing that|comfortable|this year|yet|today)|no,? (?:thanks|thank you|i don't|i won't|i can't|not)|i won't|i'm not (?:going to|gonna|doing|taking|going)|can't do that|no way|i'll pass|i'd rather (?:stay|not|wait|keep|do)|absolutely not)\b/

/** What was proposed and what was agreed, where the encoder sees a plan. */
export const findDecisions = (
  turns: readonly Turn[],
  topics: readonly TopicScores[],
  questionOf: Readonly<Record<number, number>>,
): DecisionFinding[] => {
  const parts = turns.flatMap((turn) => readTurn(turn, topics[turn.item] ?? {}))
  const groups: Part[][] = []
  for (const part of parts) {
    const last = groups.findLast((group) => group[0]?.about === part.about)
    if (last !== undefined && part.item - (last.at(-1)?.item ?? 0) <= gapMax) last.push(part)
    else groups.push([part])
  }
  return groups
    .map((group) => toFinding(group, turns, questionOf))
    .toSorted((a, b) => (a.items[0] ?? 0) - (b.items[0] ?? 0))
}

interface Part {
  item: number
  about: About
  sentence: Sentence
  score: number
}

const readTurn = (turn: Turn, scores: TopicScores): Part[] => {
  const { plan = 0, homework: task = 0, med_change: change = 0, safety_plan: safe = 0 } = scores
  const score = Math.max(plan, task, change, safe)
  if (turn.isBackchannel) return []
  if (score < foundAt) {
    // "I'll see you in two weeks" needs no encoder.
    const visit = turn.sentences.find(
      ({ plain, asks }) =>
        turn.role === 'clinician' && !asks && appointment.test(plain) && fixesVisit.test(plain),
    )
    return visit === undefined ? [] : [{ item: turn.item, about: 'appointment', sentence: visit, score }]
  }
  const parts: Part[] = []
  for (const sentence of turn.sentences) {
    const about = nameAbout(sentence, scores)
    if (about === null || parts.some((part) => part.about === about)) continue
    parts.push({ item: turn.item, about, sentence, score })
  }
  if (parts.length > 0) return parts
  // The encoder is sure, and no words say what kind it is.
  const about: About | null =
    safe >= isSureAt && safe === score
      ? 'safety_step'
      : change >= isSureAt && change === score
        ? 'medicine'
        : task >= isSureAt && task === score
          ? 'homework'
          : plan >= isSureAt &&
              turn.role === 'clinician' &&
              turn.sentences.some(({ plain }) => settles.test(plain) || proposes.test(plain))
            ? 'other'
            : null
  const sentence =
    turn.sentences.find(({ plain }) => settles.test(plain) || proposes.test(plain) || commits.test(plain)) ??
    turn.sentences.find(({ plain }) => plain.split(' ').length > 3) ??
    turn.sentences[0]
  return about === null || sentence === undefined || turn.wordCount < 4
    ? []
    : [{ item: turn.item, about, sentence, score }]
}

const isSureAt = 0.5

const nameAbout = ({ plain, text }: Sentence, scores: TopicScores): About | null => {
  const { plan = 0, homework: task = 0, med_change: change = 0, safety_plan: safe = 0 } = scores
  if (change >= foundAt && (findSaidMedicines(text).length > 0 || medicine.test(plain))) return 'medicine'
  if (safe >= foundAt && safety.test(plain)) return 'safety_step'
  if (plan < foundAt && task < foundAt) return null
  if (plan >= foundAt) {
    if (disposition.test(plain) && /\b(?:you|i'm|we)\b/.test(plain)) return 'disposition'
    if (appointment.test(plain)) return 'appointment'
    if (referral.test(plain)) return 'referral'
    if (test.test(plain)) return 'test'
  }
  return task >= foundAt && (homework.test(plain) || task >= isSureAt) && plain.split(' ').length > 3
    ? 'homework'
    : null
}

const toFinding = (
  group: readonly Part[],
  turns: readonly Turn[],
  questionOf: Readonly<Record<number, number>>,
): DecisionFinding => {
  const first = group[0]!
  const deciding =
    group.find(({ sentence, item }) => turns[item]?.role === 'clinician' && settles.test(sentence.plain)) ??
    first
  const end = Math.max(...group.map(({ item }) => item))
  const answer = turns.slice(end + 1, end + 3).find(({ role, plain }) => role !== 'clinician' && plain !== '')
  const items = sortItems([
    ...group.map(({ item }) => item),
    ...group.flatMap(({ item }) =>
      questionOf[item] === undefined || turns[item]?.role === 'clinician' ? [] : [questionOf[item]],
    ),
    ...(answer !== undefined && answer.wordCount <= 25 && questionOf[answer.item] !== undefined
      ? [answer.item]
      : []),
  ])
  return {
    kind: 'decision',
    id: makeFindingId('decision', first.about, items[0] ?? 0, deciding.sentence.text),
    items,
    words: deciding.sentence.text,
    about: first.about,
    standing: readStanding(group, answer, turns),
  }
}

/** What the client says to it decides; a clinician's "we'll" that nobody speaks against is agreed. */
const readStanding = (
  group: readonly Part[],
  answer: Turn | undefined,
  turns: readonly Turn[],
): DecisionFinding['standing'] => {
  const own = group
    .filter(({ item }) => turns[item]?.role !== 'clinician')
    .map(({ item }) => turns[item]?.plain ?? '')
  const said = [...own, ...(answer === undefined ? [] : [answer.plain])]
  if (said.some((plain) => refuses.test(plain)) && !said.some((plain) => commits.test(plain)))
    return 'declined'
  const asked = group.some(({ sentence }) => sentence.asks || proposes.test(sentence.plain))
  if (said.some((plain) => commits.test(plain))) return 'agreed'
  const last = answer === undefined ? 'other' : readAnswer(answer.plain)
  if (asked && last === 'no' && group.some(({ sentence }) => sentence.asks)) return 'declined'
  if (asked && last === 'yes') return 'agreed'
  return group.some(
    ({ sentence, item }) =>
      turns[item]?.role === 'clinician' && settles.test(sentence.plain) && !sentence.asks,
  )
    ? 'agreed'
    : 'proposed'
}
