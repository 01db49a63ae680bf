import { readAnswer } from '../questions/read-answer.js'
import type { AllergyFinding, Standing } from '../reading.js'
import type { Sentence, Turn } from '../talk/read-talk.js'
import {
  allergyTalk,
  hasOwnReaction,
  isOthers,
  isRecorded,
  none,
  reactions,
  tellsBorne,
  tellsReaction,
} from './allergy-words.js'
import { toFinding } from './allergy-finding.js'
import { asksOtherLast, isSame, listSubstances, listSubstancesIn, readUnlisted } from './list-substances.js'
import { readStanding } from './read-standing.js'

const takes = /\b(?:i take|i'm on|i'm taking|taking|i use|he takes|she takes|just on)\b/
const asksMedicines =
  /\b(?:medicines?|medications?|meds|tablets|pills|taking|take|supplements?|inhalers?|problems?|medical|health|history|conditions?|surger\w+)\b/
/** "Any allergy? Food, medicine?" */
const namesKinds = /^(?:(?:any|or|and|foods?|medicines?|drugs?|tablets|anything|animals|pollen)[,.? ]*)+$/
const isTagged = /, (?:is it|isn't it|right|is that right)\?$/
/** Behind a no: "Nah. Oh, trimethoprim", "None. Well, egg as a kid." */
const makesException =
  /^(?:(?:um|uh)[, ]+)?(?:oh|ay|ah|well|just|only|except|but|apart from|actually|although|wait|and|other than|unless|aside from|mind you)\b/

interface NamedIn {
  substance: string
  sentence: Sentence
}

/** What the answer to a question about allergies says: what it names, that there are none, or that nobody knows. */
export const readAnswered = (
  turn: Turn,
  question: Turn,
  found: readonly AllergyFinding[],
): AllergyFinding[] => {
  const items = [question.item, turn.item]
  // "Medical? Allergies?": what is named without a word of allergy may be anything.
  const isOther = asksOtherLast(question.sentences)
  const isOpen =
    isOther ||
    question.sentences.some(
      ({ plain }) =>
        !namesKinds.test(plain) &&
        asksMedicines.test(
          plain.replace(
            /\ballerg\w+(?: to)?(?: any)?(?: other)? (?:medicines?|medications?|meds|drugs)\b|\b(?:medicine|medication|drug) allerg\w+/g,
            '',
          ),
        ),
    )
  const named = listNamed(turn, isOpen)
  const told = named.filter(
    ({ substance }, at) =>
      !found.some((one) => isSame(one.substance, substance)) &&
      named.findIndex((other) => isSame(other.substance, substance)) === at,
  )
  if (told.length > 0)
    return told.map(({ substance, sentence }) =>
      toFinding(
        substance,
        readReaction(turn, sentence),
        readAnsweredStanding(turn, sentence, substance),
        items,
        sentence.text,
      ),
    )
  return named.length > 0 ? [] : readUnnamed(turn, question, { isOpen, isOther }, found)
}

/** Behind a no, or said only not to have been borne, what is named may be one: nobody can say. */
const readAnsweredStanding = (turn: Turn, sentence: Sentence, substance: string): Standing => {
  const standing = readStanding(sentence, substance)
  if (standing !== 'affirmed' || hasOwnReaction(sentence.plain) || allergyTalk.test(sentence.plain))
    return standing
  const next = turn.sentences[sentence.at + 1]?.plain ?? ''
  if (hasOwnReaction(next)) return standing
  return wasNotBorne.test(sentence.plain) ||
    (opensWithNo(turn) && !makesException.test(withoutNo(sentence.plain)))
    ? 'unclear'
    : standing
}

const wasNotBorne = /\b(?:couldn't|could not) (?:take|have|tolerate|stand|stay on|do)\b|\bdidn't agree with\b/
const opensWithNo = ({ sentences }: Turn): boolean =>
  /^(?:(?:um|uh|erm|oh|well)[, ]+)*(?:no|nope|nah|naw|none|nothing|never)\b/.test(sentences[0]?.plain ?? '')
const withoutNo = (plain: string): string =>
  plain.replace(/^(?:(?:no|nope|nah|naw|none|nothing|um|uh)[,. ]+)+/, '')
/** "No. Penicillin, I think.": a name and hardly more, and so no story of something that was borne. */
const bareWordsMax = 7
const tellsUse =
  /\b(?:took|had|was on|been on|were|gave|given|stung|bitten|eat|ate|used|use|like|love|hate)\b/
const isBareName = ({ plain }: Sentence): boolean =>
  plain.split(' ').length <= bareWordsMax && !tellsUse.test(plain)

/** "They never gave me penicillin again." */
const isAvoided =
  /\bnever (?:again\b|(?:give|gave|given|had|have|take|took|taken|touch|touched) (?:[\w'-]+ ){1,3}again\b)/

const listNamed = (turn: Turn, isOpen: boolean): NamedIn[] => {
  const sentences = turn.sentences.filter(
    ({ asks, plain }) =>
      !asks || isTagged.test(plain) || /^(?:\w+ )?(?:maybe|possibly|perhaps)\b/.test(plain),
  )
  const saysNo = sentences[0] !== undefined && readAnswer(sentences[0].plain) === 'no'
  return sentences.flatMap((sentence) => {
    const next = turn.sentences[sentence.at + 1]?.plain ?? ''
    const isSaid =
      allergyTalk.test(sentence.plain) ||
      isAvoided.test(sentence.plain) ||
      hasOwnReaction(sentence.plain) ||
      (hasOwnReaction(next) && listSubstancesIn(next).length === 0)
    if (!isSaid && (isOpen || takes.test(sentence.plain))) return []
    // "None. He got stung by a wasp, just a lump."
    if (
      saysNo &&
      sentence.at > 0 &&
      !makesException.test(sentence.plain) &&
      !allergyTalk.test(sentence.plain) &&
      !hasOwnReaction(sentence.plain) &&
      !isBareName(sentence)
    )
      return []
    if (saysNo && !isSaid && tellsUse.test(sentence.plain)) return []
    if (isOthers(sentence.plain)) return []
    const listed = listSubstances(sentence)
    const isJoke = turn.sentences.slice(sentence.at + 1).some(({ plain }) => readAnswer(plain) === 'no')
    const unlisted = isJoke ? null : listed.length > 0 || isOpen ? null : readUnlisted(sentence, next)
    return [...listed, ...(unlisted === null ? [] : [unlisted])].map((substance) => ({ substance, sentence }))
  })
}

/** An answer that names nothing is of what the question named, or of allergies at large. */
const readUnnamed = (
  turn: Turn,
  question: Turn,
  { isOpen, isOther }: { isOpen: boolean; isOther: boolean },
  found: readonly AllergyFinding[],
): AllergyFinding[] => {
  if (isOther) {
    const denial = turn.sentences.find(({ plain }) => /allerg/.test(plain) && none.test(plain))
    return denial === undefined
      ? []
      : [toFinding('any', null, 'denied', [question.item, turn.item], denial.text)]
  }
  const items = [question.item, turn.item]
  const sentences = turn.sentences.filter(({ asks }) => !asks)
  const answer = readAnswer(turn.plain)
  const about = listAsked(question)
  const isNamed = about[0] !== undefined && about[0] !== 'any'
  const first = sentences[0]?.text ?? turn.text.trim()
  if (isNamed && sentences.some(({ plain }) => tellsBorne(plain)) && !tellsReaction(turn.plain))
    return about.map((substance) => toFinding(substance, null, 'denied', items, first))
  if (isNamed && answer !== 'no' && sentences.some(({ plain }) => reactions.test(plain)))
    return [toFinding(about[0] ?? 'any', readReaction(turn, undefined), 'affirmed', items, first)]
  const words = sentences.find(({ plain }) => none.test(plain))?.text ?? first
  if (
    none.test(turn.plain) ||
    (answer === 'no' && !tellsInability.test(turn.plain) && (!isOpen || turn.wordCount <= shortWordsMax))
  )
    return about.map((substance) => toFinding(substance, null, 'denied', items, words))
  if (answer === 'unclear' && !isOpen) return [toFinding(about[0] ?? 'any', null, 'unclear', items, words)]
  // "Still just the penicillin?" – "Yeah."; "It says Ceclor here." – "When I was a kid."
  if (!isNamed || (answer !== 'yes' && !(answer === 'other' && isRecorded.test(question.plain)))) return []
  const quoted =
    question.sentences.find((one) => listSubstances(one).some((substance) => about.includes(substance)))
      ?.text ?? words
  return about
    .filter((substance) => !found.some((one) => isSame(one.substance, substance)))
    .map((substance) => toFinding(substance, readReaction(question, undefined), 'affirmed', items, quoted))
}

/** "I couldn't get up the step": denies something else. */
const tellsInability = /^\W*(?:(?:i|we|he|she|they) )?(?:couldn't|can't|won't|wouldn't|didn't)\b/
/** Of several things that were asked, so short a no is of all. */
const shortWordsMax = 4

/** What a question names; `any` where it asks for allergies at large. */
const listAsked = (question: Turn): string[] => {
  const first = question.sentences.findIndex(({ plain }) => allergyTalk.test(plain))
  const sentences = question.sentences.filter(
    ({ plain, at }) => allergyTalk.test(plain) || (at === first + 1 && isRecorded.test(plain)),
  )
  // "No codeine. Is that an allergy?"
  const isThat = sentences.some(({ plain }) => /\b(?:is|was) (?:that|it|this) an? allergy\b/.test(plain))
  if (isThat) return question.sentences.flatMap(listSubstances).slice(-1)
  const named = sentences.flatMap(listSubstances)
  return named.length > 0 ? named : ['any']
}

/** In the sentence, or in the one behind it: "Codeine. I throw up." */
export const readReaction = (turn: Turn, sentence: Sentence | undefined): string | null => {
  const near = sentence === undefined ? turn.sentences : turn.sentences.slice(sentence.at, sentence.at + 2)
  for (const { plain } of near) {
    const reaction = reactions.exec(plain)?.[0]
    if (reaction !== undefined) return nameReaction(reaction)
  }
  return null
}

export const nameReaction = (reaction: string): string =>
  reaction
    .replace(
      /^(?:(?:broke|c[ao]mes?) out in|c[ao]mes? up in|gets?|got|gives me|gave (?:me|her|him)|with|in) /,
      '',
    )
    .replace(/^(?:the|that|this) /, '')
    .trim()
