import { sortItems } from '../finding-id.js'
import { readAnswer } from '../questions/read-answer.js'
import type { AllergyFinding, Standing, TopicScores } from '../reading.js'
import type { Sentence, Turn } from '../talk/read-talk.js'
import { toFinding } from './allergy-finding.js'
import {
  allergyTalk,
  borne,
  cannotHave,
  doubtful,
  hadReaction,
  hasOwnReaction,
  isOthers,
  isPossible,
  noAllergy,
  none,
  reactions,
  tellsReaction,
} from './allergy-words.js'
import {
  askedWordsMax,
  asksUse,
  isSame,
  listMedicines,
  listSubstances,
  namedReach,
  namesSubstance,
  readUnlisted,
} from './list-substances.js'
import { nameReaction, readAnswered, readReaction } from './read-answered.js'
import { readStanding } from './read-standing.js'

/** So many items later a medicine that is asked about is still asked about as an allergy. */
const talkReach = 4

/** From here the encoder takes an item to be about allergies, and from here plainly. */
const foundAt = 0.15
const plainlyAt = 0.4

/** What somebody is allergic to, with what it does to them; and that there is none, where that was said. */
export const findAllergies = (
  turns: readonly Turn[],
  topics: readonly TopicScores[],
  questionOf: Readonly<Record<number, number>>,
): AllergyFinding[] => {
  const found: AllergyFinding[] = []
  let talkedAt = Number.NEGATIVE_INFINITY
  for (const turn of turns) {
    const asked = questionOf[turn.item]
    const question = asked === undefined ? findChecked(turn, turns) : turns[asked]
    const isAsked =
      question !== undefined &&
      allergyTalk.test(question.plain) &&
      (!noAllergy.test(question.plain) ||
        question.sentences.some(({ asks, plain }) => asks && allergyTalk.test(plain)))
    const score = topics[turn.item]?.allergies ?? 0
    const isNear = turn.item - talkedAt <= talkReach || score >= plainlyAt
    if (allergyTalk.test(turn.plain)) talkedAt = turn.item
    if (turn.role === 'clinician' && isNear && noAllergy.test(turn.plain)) denyLast(turn, found)
    const count = found.length
    if (isAsked && turn.role !== 'clinician') {
      const answered = readAnswered(turn, question, found)
      if (answered.some(({ standing }) => standing !== 'denied')) withdrawNone(question, found)
      found.push(...answered)
    } else if (allergyTalk.test(turn.plain) || score >= plainlyAt) found.push(...readTold(turn, score, found))
    if (turn.role === 'clinician') found.push(...readReply(turn, turns[turn.item - 1], found))
    else if (found.length === count && (isNear || isAsked))
      found.push(...readNamedInQuestion(turn, question, found), ...readAlso(turn, found, score))
    if (found.length === count && hadReaction.test(turn.plain)) found.push(...readHad(turn, turns, found))
    if (found.length === count && cannotHave.test(turn.plain)) found.push(...readCannot(turn, turns, found))
    if (score >= foundAt && isFollowUp(turn, found)) addReaction(turn, found)
  }
  // Told and then asked for is one: the answer, which has both items.
  return [...new Map(found.map((one) => [one.id, one])).values()]
}

/** "You've no allergies." – "Penicillin."; "Allergies, for the chart." – "Morphine.": answered as if it had been asked. */
const findChecked = (turn: Turn, turns: readonly Turn[]): Turn | undefined => {
  const before = turns[turn.item - 1]
  return turn.role !== 'clinician' &&
    before?.role === 'clinician' &&
    before.sentences.slice(-2).some(({ plain }) => none.test(plain) || namesAllergies.test(plain))
    ? before
    : undefined
}

const namesAllergies =
  /^(?:(?:okay|right|so|and|now|good|also)[,. ]+)*(?:(?:any|your|no|still|drug|food) ){0,2}allerg(?:y|ies)\b/

/** That there are none was the clinician's guess, and the answer names one. */
const withdrawNone = (question: Turn, found: AllergyFinding[]): void => {
  const at = found.findIndex(
    ({ substance, standing, items }) =>
      substance === 'any' && standing === 'denied' && items.every((item) => item === question.item),
  )
  if (at >= 0) found.splice(at, 1)
}

const isNew =
  (found: readonly AllergyFinding[]) =>
  (substance: string): boolean =>
    !found.some((one) => isSame(one.substance, substance))

/** "Penicillin okay?" – "Penicillin is fine."; "Nothing else, latex, plasters?" – "No.": asked about while allergies are spoken of. */
const readNamedInQuestion = (
  turn: Turn,
  question: Turn | undefined,
  found: readonly AllergyFinding[],
): AllergyFinding[] => {
  const last = question?.sentences.findLast(({ asks }) => asks)
  if (question === undefined || last === undefined || last.plain.split(' ').length > askedWordsMax) return []
  if (asksUse.test(last.plain) && !borne.test(turn.plain)) return []
  const asked = listSubstances(last).filter(isNew(found))
  const [first] = asked
  if (first === undefined) return []
  const words = turn.sentences[0]?.text ?? turn.text.trim()
  const items = [question.item, turn.item]
  if (doubtful.test(turn.plain)) return [toFinding(first, null, 'unclear', items, words)]
  if (neverAgain.test(turn.plain))
    return [toFinding(first, readReaction(turn, undefined), 'affirmed', items, words)]
  // "Penicillin okay?" – "I was fine the first time and then I couldn't breathe."
  const told = turn.sentences
    .slice(0, findAnother(turn, asked))
    .find(({ plain }) => tellsReaction(plain) && !isStomachOnly(plain))
  if (told !== undefined && !deniesNamed(turn, first)) {
    const standing: Standing = hasOwnReaction(told.plain) ? 'affirmed' : 'unclear'
    return [toFinding(first, readReaction(turn, told), standing, items, words)]
  }
  if (borne.test(turn.plain) || readAnswer(turn.plain) === 'no')
    return asked.map((substance) => toFinding(substance, null, 'denied', items, words))
  const isSo =
    hadReaction.test(turn.plain) || (readAnswer(turn.plain) === 'yes' && hasOwnReaction(turn.plain))
  const isRepeated =
    words.split(' ').length <= repeatedWordsMax &&
    listSubstances({ text: words }).some((one) => isSame(one, first))
  if (isRepeated && readStanding({ plain: words.toLowerCase() }, first) === 'denied')
    return [toFinding(first, null, 'denied', items, words)]
  return isSo || isRepeated ? [toFinding(first, readReaction(turn, undefined), 'affirmed', items, words)] : []
}

/** "Not penicillin. The Bactrim. My skin peeled.": from the sentence on that names something else it is told of that. */
const findAnother = ({ sentences }: Turn, asked: readonly string[]): number => {
  const at = sentences.findIndex((sentence) =>
    listSubstances(sentence).some((one) => !asked.some((other) => isSame(one, other))),
  )
  return at < 0 ? sentences.length : at
}

const deniesNamed = ({ sentences: [sentence] }: Turn, substance: string): boolean =>
  sentence !== undefined &&
  namesSubstance(sentence.plain, substance) &&
  readStanding(sentence, substance) === 'denied'

const neverAgain = /^\W*(?:no,? )?never again\b/
/** "Sulfa?" – "Sulfa, yeah.": with more, something else is told of it. */
const repeatedWordsMax = 3

const endsWithAllergen = (plain: string): boolean => {
  const at = plain.lastIndexOf('allergic to ')
  return at >= 0 && !plain.includes(',', at)
}

/** "So I'm not allergic to ibuprofen?" – "You're not.": the client asks, and the clinician says. */
const readReply = (
  turn: Turn,
  before: Turn | undefined,
  found: readonly AllergyFinding[],
): AllergyFinding[] => {
  const asked = before?.sentences.findLast(({ asks, plain }) => asks && endsWithAllergen(plain))
  if (before === undefined || before.role === 'clinician' || asked === undefined) return []
  const isNo = /^(?:no\b|you're not\b|you are not\b|not any ?more\b|nope\b)/.test(turn.plain)
  if (!isNo && !/^(?:yes\b|yeah\b|you are\b|yep\b)/.test(turn.plain)) return []
  const standing: Standing = isNo ? 'denied' : 'affirmed'
  return listSubstances(asked)
    .filter(isNew(found))
    .map((substance) => toFinding(substance, null, standing, [before.item, turn.item], asked.text))
}

/** What is no more than a bad stomach is not yet an allergy, where nobody asked. */
const isStomach = /^(?:sick|nausea|vomit|thr[oe]w|upset|stomach|diarrh|faint|hospital|asthma|seizure)/
/** More than a bad stomach, though nobody can say whether it was an allergy: "I can't take tramadol, I had a seizure." */
const isGrave = /(?:faint|hospital|asthma|seizure|passed out|collapsed)/

/** "And elastoplast. I come up in a weal.": one more, while allergies are spoken of. */
const readAlso = (turn: Turn, found: readonly AllergyFinding[], score: number): AllergyFinding[] =>
  turn.sentences.flatMap((sentence) => {
    const next = turn.sentences[sentence.at + 1]?.plain ?? ''
    const reaction = reactions.exec(sentence.plain)?.[0] ?? reactions.exec(next)?.[0]
    if (sentence.asks || reaction === undefined) return []
    if (score < plainlyAt && isStomach.test(nameReaction(reaction))) return []
    const listed = listSubstances(sentence)
    const unlisted = listed.length > 0 ? null : readUnlisted(sentence, next)
    return [...listed, ...(unlisted === null ? [] : [unlisted])]
      .filter(isNew(found))
      .map((substance) =>
        toFinding(
          substance,
          nameReaction(reaction),
          readStanding(sentence, substance),
          [turn.item],
          sentence.text,
        ),
      )
  })

/** "Lamotrigine. No. You had the rash.": of the only medicine that is named in the sentence, else in the turn, else just before. */
const readHad = (turn: Turn, turns: readonly Turn[], found: readonly AllergyFinding[]): AllergyFinding[] => {
  const sentence = turn.sentences.find(
    ({ plain, asks }) => !asks && hadReaction.test(plain) && !isPossible.test(plain),
  )
  if (sentence === undefined) return []
  const own = listMedicines(sentence.text)
  const here = own.length > 0 ? own : listMedicines(turn.text.slice(0, namedTextMax))
  const before = here.length > 0 ? [] : listMedicines((turns[turn.item - 1]?.text ?? '').slice(-namedReach))
  const [substance, another] = [...here, ...before]
  if (substance === undefined || another !== undefined || !isNew(found)(substance)) return []
  const items = here.length > 0 ? [turn.item] : [turn.item - 1, turn.item]
  return [toFinding(substance, readReaction(turn, sentence), 'affirmed', items, sentence.text)]
}

/** In a longer turn the reaction may be to anything. */
const namedTextMax = 400

/** "I can't have Voltaren. My whole face." – "Swelled?": what it did is said behind it, or asked by the clinician. */
const readCannot = (
  turn: Turn,
  turns: readonly Turn[],
  found: readonly AllergyFinding[],
): AllergyFinding[] => {
  const sentence = turn.sentences.find(({ plain }) => cannotHave.test(plain))
  if (sentence === undefined) return []
  const [substance, another] = listMedicines(sentence.text).filter(isNew(found))
  if (substance === undefined || another !== undefined) return []
  const behind = turn.sentences.slice(sentence.at, sentence.at + 3).map(({ plain }) => plain)
  const reply = turns[turn.item + 1]?.sentences[0]?.plain ?? ''
  const reaction = [...behind, reply]
    .map((plain) => reactions.exec(plain)?.[0])
    .find((one) => one !== undefined)
  // "I couldn't take the Zoloft, it made me sick": not borne well is no allergy.
  if (reaction !== undefined && isStomach.test(nameReaction(reaction)) && !isGrave.test(reaction)) return []
  const isTold = behind.some((plain) => /\b(?:it|that|they) nearly killed (?:me|him|her)\b/.test(plain))
  return reaction === undefined && !isTold
    ? []
    : [
        toFinding(
          substance,
          reaction === undefined ? null : nameReaction(reaction),
          reaction !== undefined && isGrave.test(reaction) ? 'unclear' : 'affirmed',
          [turn.item],
          sentence.text,
        ),
      ]
}

const denyLast = (turn: Turn, found: AllergyFinding[]): void => {
  const last = found.at(-1)
  if (last === undefined || last.substance === 'any' || turn.item - Math.max(...last.items) > 2) return
  found[found.length - 1] = toFinding(
    last.substance,
    last.reaction,
    'denied',
    [...last.items, turn.item],
    last.words,
  )
}

const readTold = (turn: Turn, score: number, found: readonly AllergyFinding[]): AllergyFinding[] =>
  turn.sentences.flatMap((sentence) => {
    const before = turn.sentences[sentence.at - 1]
    // "Any allergies, before you ask, no. Just nickel."
    const isSaid =
      allergyTalk.test(sentence.plain) ||
      (before !== undefined &&
        allergyTalk.test(before.plain) &&
        /^(?:just|only|except) /.test(sentence.plain))
    if (sentence.asks && !tellsAndAsks(sentence.plain)) return []
    if (isOthers(sentence.plain)) return []
    if (!isSaid && (score < plainlyAt || !hasOwnReaction(sentence.plain) || isStomachOnly(sentence.plain)))
      return []
    const named = listSubstances(sentence).filter(isNew(found))
    if (named.length > 0) return named.map((substance) => tell(turn, sentence, substance))
    return none.test(sentence.plain) ? [toFinding('any', null, 'denied', [turn.item], sentence.text)] : []
  })

/** "I'm allergic to latex, right?", "and she's allergic to peanuts, does that matter?" */
const tellsAndAsks = (plain: string): boolean => {
  const told = /\b(?:i'm|she's|he's|we're|i am|she is|he is) allergic to\b/.exec(plain)
  return told !== null && (told[0].startsWith("i'm") || plain.includes(', ', told.index))
}

const isStomachOnly = (plain: string): boolean =>
  isStomach.test(nameReaction(reactions.exec(plain)?.[0] ?? ''))

const tell = (turn: Turn, sentence: Sentence, substance: string): AllergyFinding =>
  toFinding(
    substance,
    readReaction(turn, sentence),
    readStanding(sentence, substance),
    [turn.item],
    sentence.text,
  )

const isFollowUp = (turn: Turn, found: readonly AllergyFinding[]): boolean =>
  found.some(({ items }) => turn.item - Math.max(...items) <= 2)

/** "What happens?" – "My throat swells up.": belongs to the allergy that was just named. */
const addReaction = (turn: Turn, found: AllergyFinding[]): void => {
  const last = found.at(-1)
  const reaction = reactions.exec(turn.plain)?.[0]
  if (last === undefined || last.reaction !== null || last.standing === 'denied' || reaction === undefined)
    return
  found[found.length - 1] = {
    ...last,
    reaction: nameReaction(reaction),
    items: sortItems([...last.items, turn.item]),
  }
}
