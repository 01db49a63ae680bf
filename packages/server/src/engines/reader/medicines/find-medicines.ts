import type { Medication } from '../../lexicon/medications.js'
import { substanceOf } from '../../lexicon/same-substance.js'
import type { MedicineFinding, MedicineStatus, TopicScores } from '../reading.js'
import { toPlain, type Sentence, type Turn } from '../talk/read-talk.js'
import { isMeasuredOut, mayBeBareDose } from './bare-doses.js'
import { movesDose } from './moves-dose.js'
import { mayBeBareCount, mayBeCountDose } from './count-doses.js'
import { findDoses, type SaidDose } from './find-doses.js'
import { fitsStrengths } from './strengths.js'
import { isSmoked, mayBeElsewhere } from './may-be-elsewhere.js'
import { readAmount } from './read-amount.js'
import { readUnit, type DoseUnit } from './dose-units.js'
import { findReplacement, findUnnamed } from './find-by-form.js'
import { findNamed } from './find-names.js'
import type { Mention, Named, SentenceTalk } from './mention.js'
import { mergeMentions } from './merge-mentions.js'
import { findOwner } from './own-dose.js'
import { readFollowUp } from './read-follow-up.js'
import { readMedicineWhose, saysBelongs } from './read-medicine-whose.js'
import { readStatus } from './read-status.js'
import { readUse } from './read-use.js'
import { settleStatuses } from './settle-status.js'

/** So many items later "it" and "the fifty" still mean the medicine that was spoken of. */
const antecedentReach = 6
/** The same where the encoder is sure that the talk is about medicines: "it" can hardly mean anything else there. */
const antecedentReachAbout = 14
/** "Let's go up to twenty-seven" at the end is of what was spoken of at the beginning. */
const antecedentReachMove = 120
const surelyAboutAt = 0.4
/** From here an item is about medicines to the encoder. */
const aboutMedicineAt = 0.2
/** Comparing sounds is the dearest rule; longer turns are no talk. */
const misheardWordsMax = 600
/** Of so many mentions before, one may be meant by "it". */
const recentMax = 40
/** "The patch, and then the gum, and the spray for the cravings" in a sentence. */
const formsMax = 3
/** A bare number behind these is no dose. */
const asksOther =
  /\b(?:how old|what age|weigh\w*|how tall|how long|what time|blood pressure|scales?|score|to ten|to 10|how far along|inr|a1c|peak flow|reading)\b/
/** And these ask for a number that is none; what is said behind it may be one. */
const asksTimes =
  /\b(?:how often|how many (?!milligrams|units|puffs|drops|sprays|mils|mls|tablets|pills|(?:are|were) you taking|(?:do|did) you take|(?:can|could|should|may) i\b|of (?:them|those|each)|at a time))/
/** "Two puffs, three times a week": how much is said before how often. */
const opensWithPieces =
  /^(?:(?:um|uh|oh|well|just|maybe|about|like)[, ]+)*(?:[\w.-]+|a couple(?: of)?) (?:puffs?|drops?|sprays?|pumps?|sachets?|units?|milligrams?|micrograms?|mils?|mls?)\b/
/** "Four years. The fifty.": behind an answer to something else. */
const saysDose =
  /^(?:(?:um|uh|yeah|and|on|at)[, ]+)*(?:the|on|at|it's the) |, (?:the|on|on the|at) (?:\d[\d.]*|[a-z]+(?:[ -][a-z]+)?)[.?!]?$/
/** What it costs is no dose, nor what is said of that. */
const asksCost = /\b(?:cost\w*|price\w*|copay|co-pay|out of pocket|afford)\b/
const costReach = 2
/** So many items after a medicine was named, a number may still be its dose, whatever the encoder says. */
const adjacentMax = 3
const aboutTopics = ['medication', 'med_change', 'med_response', 'side_effects'] as const
const medicineTalk =
  /\b(?:dose|doses|dosage|milligrams?|mg|mgs|medications?|medicines?|meds|prescri\w+|refills?|tablets?|pills?|capsules?|pharmacy)\b/
const asksDose =
  /\b(?:what dose|which dose|(?:what|which) (?:strength|number)|how strong|how much|how many (?:milligrams|units|puffs|drops|sprays|mils|mls|tablets|pills|do you take)|dose (?:are|is|was)|what are you (?:on|taking)|how are you taking|taking it|what mg|still (?:on|at)|the dose)\b/
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

/** How many tablets are taken is the dose of what has no other; beside a strength it says how that is taken. How many puffs, sprays or pumps are
 * taken is what is changed of what has but one strength, and stays. */
const dropCounts = (mentions: readonly Mention[]): Mention[] => {
  const strong = new Set(
    mentions.flatMap(({ medication, dose }) =>
      dose === null || dose.isCount ? [] : [medication.generic.toLowerCase()],
    ),
  )
  return mentions.map((mention) =>
    isPartOfAnother(mention, mentions)
      ? { ...mention, dose: null }
      : mention.dose?.isCount === true &&
          !/^(?:puff|spray|pump|drop)/.test(mention.dose.unit ?? '') &&
          strong.has(mention.medication.generic.toLowerCase())
        ? { ...mention, dose: null }
        : mention,
  )
}

/** The second part of a dose such as "twenty-five one hundred", read as a dose of its own. */
const isPartOfAnother = ({ medication, dose, item, words }: Mention, mentions: readonly Mention[]): boolean =>
  dose?.unit === null &&
  !dose.amount.includes('/') &&
  mentions.some(
    (one) =>
      one.item === item &&
      one.words === words &&
      one.medication.generic === medication.generic &&
      one.dose?.amount.includes('/') === true &&
      one.dose.amount.split('/').includes(dose.amount),
  )

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
  const lastAsked = turns[asked ?? -1]?.sentences.at(-1)?.plain ?? ''
  const isOtherAnswer = !isDoseAnswer && asksOther.test(lastAsked)
  // "How many paracetamol?" – "Two, the five hundreds."
  const isTimesAnswer =
    !isDoseAnswer &&
    asksTimes.test(lastAsked) &&
    !(/\bhow many\b/.test(lastAsked) && earlier.some(({ namedIn }) => namedIn === asked))
  const isCost = turns
    .slice(Math.max(0, turn.item - costReach), turn.item)
    .some((one) => asksCost.test(one.sentences.at(-1)?.plain ?? ''))
  const reach = about >= surelyAboutAt ? antecedentReachAbout : antecedentReach
  const listBefore = (itemsBack: number) =>
    earlier.slice(-recentMax).filter(({ namedIn, item }) => turn.item - Math.max(namedIn, item) <= itemsBack)
  const found: Mention[] = []
  const seen = new Set(earlier.map(({ medication }) => medication.generic))
  // "And the sleeping pills, where are we with the Ambien?" says which.
  let isUnnamed =
    asked !== undefined && asksUnnamed(turns[asked]) && !earlier.some(({ namedIn }) => namedIn === asked)
  for (const sentence of turn.sentences) {
    const names = findNamed(sentence, turn.wordCount <= misheardWordsMax ? about : 0, seen)
    const byForm =
      names.length > 0
        ? []
        : [
            ...findReplacement(sentence.text, turn, turns, seen),
            ...findUnnamed(sentence.text, [...earlier.slice(-recentMax), ...found]),
          ]
    const named = nameAlike(names.length > 0 ? names : byForm.slice(0, formsMax), [...earlier, ...found])
    for (const { medication } of named) seen.add(medication.generic)
    if (named.length > 0) isUnnamed = false
    else if (unnamed.test(sentence.plain)) isUnnamed = true
    const isMove = movesDose.test(sentence.plain)
    const mentions = readSentence({
      sentence,
      turn,
      named,
      recent:
        isUnnamed ||
        (isCost && !isMove && found.length === 0) ||
        (isOtherAnswer && found.length === 0 && !saysDose.test(sentence.plain)) ||
        (isTimesAnswer && sentence.at === 0 && !opensWithPieces.test(sentence.plain))
          ? []
          : [...listBefore(isMove ? antecedentReachMove : reach), ...found.slice(-recentMax)],
      isAbout: isAbout || found.length > 0 || isMove,
      isDoseAnswer,
      askedUnit: sentence.at === 0 ? readAskedUnit(lastAsked) : null,
      change: scores.med_change ?? 0,
    })
    if (takesBack.test(sentence.plain) || isSaidAgain(found.at(-1), mentions)) withdrawLast(found, mentions)
    found.push(...mentions)
    const [mention] = mentions
    if (mentions.length === 1 && mention?.dose === null) {
      const others = [...earlier, ...found.slice(0, -1)]
      if (namesBefore.test(sentence.plain)) found.push(...readDosesBefore(mention, turn, turns, others))
      else if (isNameAlone(sentence, mention) && others.every(({ item }) => item !== turn.item))
        found.push(...readDosesBefore(mention, turn, turns, others, 0))
    }
    if (mentions.length === 0 && !isUnnamed)
      found.push(...followUp(sentence, turn, [...earlier.slice(-1), ...found].at(-1)))
  }
  return found
}

/** "How many mils?" – "Two and a half." */
const readAskedUnit = (question: string): DoseUnit | null => {
  const asked = /\bhow many (?=(?:mils|mls|millilit|units|milligrams|micrograms)\w*\b)/.exec(question)
  return asked === null ? null : (readUnit(question.slice(asked.index + asked[0].length), '2')?.unit ?? null)
}

/** Salbutamol, and "we say albuterol here": the name that was said first stands for both. */
const nameAlike = (named: readonly Named[], earlier: readonly Mention[]): Named[] =>
  named.map((one, index) => {
    const substance = substanceOf(one.medication.generic)
    const first = [...earlier, ...named.slice(0, index)].find(
      ({ medication }) => substanceOf(medication.generic) === substance,
    )
    return first === undefined ? one : { ...one, medication: first.medication }
  })

/** "I'm on six hundred." – "Of the Priadel, yes." */
const namesBefore =
  /^(?:(?:and|so|okay|right|yeah|yes|sorry|no)[,. ]+){0,3}(?:of|that's(?: of| the| your)?|is that(?: of| the| your)?|that'd be(?: the| your)?|that would be(?: the| your)?)(?: (?:the|your|my|her|his))? [\w-]+(?: [\w-]+)?[,.?!]/
/** A dose and its name, said by two, lie so many items apart. */
const namesBeforeReach = 2
/** "I'm at seventy. Methadone." */
const isNameAlone = ({ plain, at, asks }: Sentence, { said }: Mention): boolean =>
  at > 0 && !asks && plain.replace(/[.!]$/, '') === said.toLowerCase()

const readDosesBefore = (
  mention: Mention,
  own: Turn,
  turns: readonly Turn[],
  earlier: readonly Mention[],
  reach = namesBeforeReach,
): Mention[] => {
  for (let at = mention.item; at >= Math.max(0, mention.item - reach); at--) {
    const turn = at === mention.item ? own : turns[at]
    if (turn === undefined || earlier.some(({ item }) => item === at)) return []
    const named = at < mention.item ? -1 : turn.sentences.findIndex(({ text }) => text === mention.words)
    const before = named < 0 ? turn.sentences : turn.sentences.slice(0, named)
    const doses = before.flatMap((sentence) =>
      readSentence({
        sentence,
        turn,
        named: [],
        recent: [{ ...mention, item: at }],
        isAbout: true,
        isDoseAnswer: true,
        askedUnit: null,
        change: mention.change,
      }),
    )
    if (doses.length > 0 || (at < mention.item && !turn.isBackchannel)) return doses
  }
  return []
}

/** So many items behind it, "it" is the medicine that was named last. */
const followUpReach = 2

const followUp = (sentence: Sentence, turn: Turn, last: Mention | undefined): Mention[] => {
  if (last === undefined || turn.item - last.item > followUpReach) return []
  const status = readFollowUp(sentence.plain, turn.role, sentence.asks, last)
  return status === null
    ? []
    : [{ ...last, item: turn.item, words: sentence.text, use: null, status, role: turn.role, asks: false }]
}

/** "The thyroid pill", "her nerve pills": another one, whose name nobody says; a dose behind it is not of the last one. */
const unnamed =
  /\b(?:thyroid|(?:blood )?pressure|heart|water|cholesterol|sugar|sleeping|sleep|pain|nerve|stomach|anxiety|allergy|diabetes) (?:pills?|meds?|medications?|medicines?|tablets?)\b|\b(?:edibles?|cannabis|weed|thc)\b/
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
  if (
    right.length > 0 &&
    right.every(({ dose }) => dose?.amount !== last.dose?.amount || dose?.unit !== last.dose?.unit)
  )
    found[found.length - 1] = { ...last, dose: null }
}

/** "Twenty mil. Twenty milligrams.": the first was begun, and said again. */
const isSaidAgain = (last: Mention | undefined, [next]: readonly Mention[]): boolean =>
  last?.dose?.unit === 'mL' && next?.dose?.unit === 'mg' && next.dose.amount === last.dose.amount

const readSentence = (talk: SentenceTalk): Mention[] => {
  const { sentence, turn, named } = talk
  const { text } = sentence
  const doses = findDoses(text, (number, last) => mayBeBareDose(talk, number, last), {
    mayBeCount: (number, unit) => mayBeCountDose(talk, number, unit),
    mayBeBareCount: (number, last) => mayBeBareCount(talk, number, last),
  }).filter(({ isWithdrawn }) => !isWithdrawn)
  const mentions: { mention: Mention; place: number }[] = []
  const owned = new Set<Named>()
  for (const [index, said] of doses.entries()) {
    const went = goesOn(talk, doses, index, mentions.at(-1)?.mention)
    const before = doses[index - 1]
    const isPoured = went !== null && before !== undefined && isMeasuredOut(before, said.amount)
    const dose =
      said.unit !== null || said.isCount
        ? said
        : isPoured
          ? { ...said, unit: before.unit }
          : { ...said, unit: talk.askedUnit }
    const { owner, medication } = went ?? findOwner(talk, dose)
    if (owner !== undefined) owned.add(owner)
    if (medication === undefined || isSmoked(medication, dose, text.slice(dose.end))) continue
    const amount = readAmount(medication, dose, text.slice(dose.start, dose.end))
    if (owner === undefined && !mayBeElsewhere(talk, medication, dose, amount)) continue
    const namedBefore = talk.recent.findLast((mention) => mention.medication.generic === medication.generic)
    const next = doses[index + 1]
    const isOld =
      /\b(?:from|instead of|rather than|(?:was|were)(?: on| at)?) (?:the |a |about |like )*$/i.test(
        text.slice(0, dose.start),
      ) ||
      (next !== undefined &&
        // "Ten to twenty when you need it" is a range.
        /\b(?:from|go|goes|going|gone|went|came|come|bump\w*|rais\w+|increas\w+|lower\w*|reduc\w+|drop\w*|mov\w+|cut|put|took|take|taper\w*)\b/.test(
          talk.sentence.plain,
        ) &&
        /^ ?(?:mg|milligrams)? ?(?:up |down )?to (?:the |a )?$/i.test(text.slice(dose.end, next.start)))
    mentions.push({
      mention: toMention(
        talk,
        medication,
        owner?.said ?? namedBefore?.said ?? medication.generic,
        { ...dose, amount },
        owner === undefined ? (namedBefore?.namedIn ?? turn.item) : turn.item,
        isOld,
        dose.start,
      ),
      place: owner?.start ?? dose.start,
    })
  }
  for (const one of named) {
    const isSaidAlready = [...owned].some(({ medication }) => medication.generic === one.medication.generic)
    if (owned.has(one) || isSaidAlready) continue
    mentions.push({
      mention: toMention(talk, one.medication, one.said, null, turn.item, false, one.start),
      // "Cetirizine instead of the Piriton. Five mils": of the other.
      place: /\b(?:instead of|rather than|in place of) (?:the |your |my )?$/i.test(text.slice(0, one.start))
        ? -1
        : one.start,
    })
  }
  // In the order in which they were said: "it" is the last of them.
  return mentions.toSorted((a, b) => a.place - b.place).map(({ mention }) => mention)
}

const laddered = /^[^.;?!]{0,40}\b(?:then|to)(?: (?:up |down |on )?to)? (?:the |a )?$/i

/** "Twenty-four, then twenty-six": of the same, where no other is named between. */
const goesOn = (
  { sentence: { text }, named }: SentenceTalk,
  doses: readonly SaidDose[],
  index: number,
  before: Mention | undefined,
): { owner: Named | undefined; medication: Medication } | null => {
  const [last, dose] = [doses[index - 1], doses[index]]
  if (last === undefined || dose === undefined || before === undefined) return null
  if (before.dose?.start !== last.start || last.isCount !== dose.isCount) return null
  if (named.some(({ start }) => start >= last.end)) return null
  const isNext =
    laddered.test(text.slice(last.end, dose.start)) &&
    (fitsStrengths(before.medication, dose.amount) || isMeasuredOut(last, dose.amount))
  return isNext ? { owner: undefined, medication: before.medication } : null
}

/** "Stop the one and continue the other": of several medicines each has what its own clause says. */
const partsClauses =
  /(?:,|;)? (?:and|but|then|so) (?=(?:i|i'll|i'd|we|we'll|let's|then|you|you'll|stop|start|keep|leave|add|continue|drop|put|go|try|take|switch|the|my|your)\b)/gi

const clauseAt = (text: string, place: number): string => {
  const cuts = [...text.matchAll(partsClauses)].map(({ index }) => index)
  return text.slice(cuts.findLast((cut) => cut < place) ?? 0, cuts.find((cut) => cut >= place) ?? text.length)
}

/** What the words right before a name say of it, whatever the sentence decides: "instead of the Aleve", "no ibuprofen". */
const readPlaced = (before: string, role: Turn['role']): MedicineStatus | null => {
  if (/\b(?:instead of|in place of|replac(?:es|e|ing)) (?:the|your|my|that) $/i.test(before)) return 'stopped'
  if (/\b(?:rather|better|more|other|stronger|safer|weaker) than (?:the |your )?$/i.test(before))
    return 'mentioned'
  if (
    /\b(?:are|'re|'m|am|is|'s|was|been|come|came|coming|get|like you) off (?:of )?(?:the |my |your |that )?$/i.test(
      before,
    )
  )
    return 'stopped'
  return role === 'clinician' &&
    /(?:^|[,.] |\b(?:and|just|so|but|please) )(?:no|not|never)(?: any| more| the)? $/i.test(before)
    ? 'mentioned'
    : null
}

/** "My brother had a problem with that stuff. With Percocet.": a sentence that names nobody goes on about the one before. */
const isGoingOn = ({ at, plain }: Sentence, { sentences, role }: Turn): boolean =>
  at > 0 &&
  (role !== 'clinician' || saysBelongs(sentences[at - 1]?.plain ?? '')) &&
  (sentences[at - 1]?.asks === false || saysBelongs(sentences[at - 1]?.plain ?? '')) &&
  plain.split(' ').length <= goingOnWordsMax &&
  !/\b(?:i|i'm|i've|i'll|i'd|me|my|you|your|you're|she|he|they|we)\b/.test(plain)
const goingOnWordsMax = 6

const toMention = (
  { sentence, turn, named, change }: SentenceTalk,
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
  status:
    readPlaced(sentence.text.slice(0, place), turn.role) ??
    readStatus({
      plain: named.length > 1 ? toPlain(clauseAt(sentence.text, place)) : sentence.plain,
      role: turn.role,
      asks: sentence.asks,
      change,
      isOld,
    }),
  role: turn.role,
  asks: sentence.asks,
  change,
  whose: isGoingOn(sentence, turn)
    ? readMedicineWhose(`${turn.sentences[sentence.at - 1]?.plain} ${sentence.plain}`, turn.role, said)
    : readMedicineWhose(sentence.plain, turn.role, said),
})
