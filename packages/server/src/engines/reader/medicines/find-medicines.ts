import { findAllMedications, type Medication } from '../../lexicon/medications.js'
import type { MedicineFinding, TopicScores } from '../reading.js'
import type { Sentence, Turn } from '../talk/read-talk.js'
import { mayBeBareDose, movesDose } from './bare-doses.js'
import { mayBeBareCount, mayBeCountDose } from './count-doses.js'
import { findDoses, type SaidDose } from './find-doses.js'
import { readCombination } from './strengths.js'
import { findMisheard } from './find-misheard.js'
import type { Mention, Named, SentenceTalk } from './mention.js'
import { mergeMentions } from './merge-mentions.js'
import { findOwner } from './own-dose.js'
import { readFollowUp } from './read-follow-up.js'
import { readMedicineWhose } from './read-medicine-whose.js'
import { readStatus } from './read-status.js'
import { readUse } from './read-use.js'
import { settleStatuses } from './settle-status.js'

/** So many items later "it" and "the fifty" still mean the medicine that was spoken of. */
const antecedentReach = 6
/** Where the encoder is sure that medicines are spoken of, further: nothing else can be meant. */
const antecedentReachAbout = 14
/** "Let's go up to twenty-seven" at the end is of what was spoken of at the beginning. */
const antecedentReachMove = 60
const surelyAboutAt = 0.4
/** From here an item is about medicines to the encoder. */
const aboutMedicineAt = 0.2
/** Where it is surer, a name may also be one that a recognizer wrote otherwise. */
const aboutMisheardAt = 0.4
/** Comparing sounds is the dearest rule; longer turns are no talk. */
const misheardWordsMax = 600
/** Of so many mentions before, one may be meant by "it". */
const recentMax = 40
/** A bare number behind these is no dose. */
const asksOther =
  /\b(?:how old|what age|weigh\w*|how tall|how long|how many (?!milligrams|units|puffs|drops|sprays|mils|mls|tablets|pills|are you taking|do you take)|what time|how often|blood pressure|scale|score|to ten|to 10|how far along)\b/
/** So many items after a medicine was named, a number may still be its dose, whatever the encoder says. */
const adjacentMax = 3
const aboutTopics = ['medication', 'med_change', 'med_response', 'side_effects'] as const
const medicineTalk =
  /\b(?:dose|doses|dosage|milligrams?|mg|mgs|medications?|medicines?|meds|prescri\w+|refills?|tablets?|pills?|capsules?|pharmacy)\b/
const asksDose =
  /\b(?:what dose|which dose|how much|how many (?:milligrams|units|puffs|drops|sprays|mils|mls|tablets|pills|do you take)|what strength|dose (?:are|is|was)|what are you (?:on|taking)|how are you taking|taking it|what mg|still (?:on|at)|the dose)\b/
export const findMedicines = (
  turns: readonly Turn[],
  topics: readonly TopicScores[],
  questionOf: Readonly<Record<number, number>>,
): MedicineFinding[] => {
  const mentions: Mention[] = []
  for (const turn of turns)
    mentions.push(...readTurn(turn, turns, topics[turn.item] ?? {}, questionOf, mentions))
  return mergeMentions(settleStatuses(dropCounts(mentions), turns, questionOf), questionOf)
}

/** How many tablets or puffs is the dose of what has no other; beside a strength it says how that is taken. */
const dropCounts = (mentions: readonly Mention[]): Mention[] => {
  const strong = new Set(
    mentions.flatMap(({ medication, dose }) =>
      dose === null || dose.isCount ? [] : [medication.generic.toLowerCase()],
    ),
  )
  return mentions.map((mention) =>
    mention.dose?.isCount === true && strong.has(mention.medication.generic.toLowerCase())
      ? { ...mention, dose: null }
      : mention,
  )
}

const readTurn = (
  turn: Turn,
  turns: readonly Turn[],
  scores: TopicScores,
  questionOf: Readonly<Record<number, number>>,
  earlier: readonly Mention[],
): Mention[] => {
  const about = Math.max(...aboutTopics.map((topic) => scores[topic] ?? 0))
  const asked = questionOf[turn.item]
  const isAbout =
    about >= aboutMedicineAt ||
    medicineTalk.test(turn.plain) ||
    earlier.slice(-recentMax).some(({ item }) => turn.item - item <= adjacentMax || item === asked)
  const question = asked === undefined ? '' : (turns[asked]?.plain ?? '')
  const isDoseAnswer = asksDose.test(question)
  const isOtherAnswer = !isDoseAnswer && asksOther.test(turns[asked ?? -1]?.sentences.at(-1)?.plain ?? '')
  const reach = about >= surelyAboutAt ? antecedentReachAbout : antecedentReach
  const listBefore = (itemsBack: number) =>
    earlier.slice(-recentMax).filter(({ namedIn, item }) => turn.item - Math.max(namedIn, item) <= itemsBack)
  const found: Mention[] = []
  let isUnnamed = isOtherAnswer || (asked !== undefined && asksUnnamed(turns[asked]))
  for (const sentence of turn.sentences) {
    const named = findNamed(sentence, about >= aboutMisheardAt && turn.wordCount <= misheardWordsMax)
    if (named.length > 0) isUnnamed = false
    else if (unnamed.test(sentence.plain)) isUnnamed = true
    const isMove = movesDose.test(sentence.plain)
    const mentions = readSentence({
      sentence,
      turn,
      named,
      recent: isUnnamed
        ? []
        : [...listBefore(isMove ? antecedentReachMove : reach), ...found.slice(-recentMax)],
      isAbout: isAbout || found.length > 0 || isMove,
      isDoseAnswer,
      change: scores.med_change ?? 0,
    })
    if (takesBack.test(sentence.plain)) withdrawLast(found, mentions)
    found.push(...mentions)
    if (mentions.length === 0 && !isUnnamed)
      found.push(...followUp(sentence, turn, [...earlier.slice(-1), ...found].at(-1)))
  }
  return found
}

/** So many items behind it, "it" is the medicine that was named last. */
const followUpReach = 2

const followUp = (sentence: Sentence, turn: Turn, last: Mention | undefined): Mention[] => {
  if (last === undefined || turn.item - last.item > followUpReach) return []
  const status = readFollowUp(sentence.plain, turn.role, sentence.asks)
  return status === null
    ? []
    : [{ ...last, item: turn.item, words: sentence.text, use: null, status, role: turn.role, asks: false }]
}

/** "The thyroid pill", "her nerve pills": another one, whose name nobody says; a dose behind it is not of the last one. */
const unnamed =
  /\b(?:thyroid|(?:blood )?pressure|heart|water|cholesterol|sugar|sleeping|sleep|pain|nerve|stomach|anxiety|allergy|diabetes) (?:pills?|meds?|medications?|medicines?|tablets?)\b/
const asksUnnamed = (question: Turn | undefined): boolean =>
  unnamed.test(question?.sentences.at(-1)?.plain ?? '')

const takesBack =
  /^(?:oh,? )?(?:no|naw|nah|nope|wait|sorry|i mean|actually|scratch that|hang on)\b(?!.*\bhalf\b)/

/** "She bumped me up to forty? No, twenty.": what the sentence before said of the dose is not so. */
const withdrawLast = (found: Mention[], mentions: readonly Mention[]): void => {
  const last = found.at(-1)
  if (last?.dose == null) return
  const right = mentions.filter(
    ({ medication, dose }) => dose !== null && medication.generic === last.medication.generic,
  )
  if (right.length > 0 && right.every(({ dose }) => dose?.amount !== last.dose?.amount))
    found[found.length - 1] = { ...last, dose: null }
}

/** Not a medicine: "lithium battery", "nicotine" without a patch, a testosterone level, the pages of a sonata. */
const isNoMedicine = (text: string, { medication, start, end }: Named): boolean => {
  const behind = text.slice(end, end + 30).toLowerCase()
  const before = text.slice(Math.max(0, start - 30), start).toLowerCase()
  if (medication.generic === 'lithium') return /^[ -](?:ion|batter|mine)/.test(behind)
  if (medication.generic === 'nicotine')
    return (
      !/ /.test(text.slice(start, end)) && !/^ (?:patch|gum|lozenge|replacement|spray|inhaler)/.test(behind)
    )
  if (medication.generic === 'testosterone') return /^ (?:level|test|was|is (?:low|high))/.test(behind)
  if (medication.generic === 'insulin') return /^ (?:resist|level)/.test(behind)
  if (/^(?:vitamin [BD]|magnesium|zinc|folic acid)$/.test(medication.generic))
    return (
      /^(?: level| was| is (?:low|high|fine))/.test(behind) ||
      (/\b(?:tsh|thyroid|labs?|blood|bloods|panel|a1c|urine|level)\b/i.test(text) &&
        !/\b(?:tak(?:e|es|ing)|took|on)\b/i.test(text))
    )
  if (/^(?:epinephrine|dextromethorphan|heparin|morphine)$/.test(medication.generic)) return false
  if (text.slice(start, end) === 'Sonata' || /\b(?:piano|violin|moonlight) $/.test(before))
    return /\b(?:play|piano|music|violin|moonlight)/i.test(text)
  return false
}

const findNamed = (sentence: Sentence, isAbout: boolean): Named[] => {
  const all = findAllMedications(sentence.text).map(({ medication, name, start, end }) => ({
    medication,
    said: name,
    start,
    end,
  }))
  const named = all.filter((one) => !isNoMedicine(sentence.text, one))
  return isAbout
    ? [...named, ...findMisheard(sentence.text, all)].toSorted((a, b) => a.start - b.start)
    : named
}

const readSentence = (talk: SentenceTalk): Mention[] => {
  const { sentence, turn, named } = talk
  const { text } = sentence
  const doses = findDoses(text, (number, last) => mayBeBareDose(talk, number, last), {
    mayBeCount: (number, unit) => mayBeCountDose(talk, number, unit),
    mayBeBareCount: (number) => mayBeBareCount(talk, number),
  }).filter(({ isWithdrawn }) => !isWithdrawn)
  const mentions: { mention: Mention; place: number }[] = []
  const owned = new Set<Named>()
  for (const [index, dose] of doses.entries()) {
    const { owner, medication } = findOwner(talk, dose)
    if (owner !== undefined) owned.add(owner)
    if (medication === undefined) continue
    const namedBefore = talk.recent.findLast((mention) => mention.medication.generic === medication.generic)
    const next = doses[index + 1]
    const isOld =
      /\b(?:from|instead of|rather than|(?:was|were)(?: on| at)?) (?:the |a |about |like )*$/i.test(
        text.slice(0, dose.start),
      ) ||
      (next !== undefined &&
        /^ ?(?:mg|milligrams)? ?(?:up |down )?to (?:the |a )?$/i.test(text.slice(dose.end, next.start)))
    mentions.push({
      mention: toMention(
        talk,
        medication,
        owner?.said ?? namedBefore?.said ?? medication.generic,
        { ...dose, amount: readCombination(medication, dose.amount) ?? dose.amount },
        owner === undefined ? (namedBefore?.namedIn ?? turn.item) : turn.item,
        isOld,
        dose.start,
      ),
      place: owner?.start ?? dose.start,
    })
  }
  for (const one of named) {
    if (owned.has(one)) continue
    mentions.push({
      mention: toMention(talk, one.medication, one.said, null, turn.item, false, one.start),
      place: one.start,
    })
  }
  // In the order in which they were said: "it" is the last of them.
  return mentions.toSorted((a, b) => a.place - b.place).map(({ mention }) => mention)
}

const toMention = (
  { sentence, turn, change }: SentenceTalk,
  medication: Medication,
  said: string,
  dose: SaidDose | null,
  namedIn: number,
  isOld: boolean,
  place: number,
): Mention => ({
  medication,
  said,
  dose,
  item: turn.item,
  namedIn,
  words: sentence.text,
  // Of several in one sentence each has its own behind it.
  use: readUse(sentence.text.slice(place)) ?? readUse(sentence.text),
  status: readStatus({ plain: sentence.plain, role: turn.role, asks: sentence.asks, change, isOld }),
  role: turn.role,
  asks: sentence.asks,
  change,
  whose: readMedicineWhose(sentence.plain, turn.role, said),
})
