import { findMedications } from '../../../lexicon/medications.js'
import { hasNegation } from '../../text/find-negation.js'
import { findNumbers } from '../../text/find-numbers.js'
import { countWords, isContentWord, stemWord, tokenizeWords } from '../../text/tokenize-words.js'
import { EditRefusal, type ShortenEdit } from './edit.js'
import {
  capitalize,
  changeSections,
  isInScope,
  outsideQuotes,
  type EditableNote,
  type EditableSection,
  type EditableSentence,
} from './editable-note.js'
import { appointment, isAnyKept, risk, type IsKept } from './keep-mention.js'

/** "Shorter" without a number: about a third fewer words, what a reader notices. */
const sharePerCent = 67

/** Longer ways to say the same. No number, negation or name stands in any of them. */
const phrases: readonly (readonly [RegExp, string])[] = [
  [/\bin order to\b/gi, 'to'],
  [/\bdue to the fact that\b/gi, 'because'],
  [/\bat this (?:point in )?time\b,? ?/gi, ''],
  [/^(?:additionally|furthermore|moreover|in addition|overall|also|of note),? /i, ''],
  [/\b(?:it (?:was|is) noted that|it should be noted that) /gi, ''],
  [/\bwith regards? to\b|\bin regards? to\b/gi, 'about'],
  [/\ba (?:large |great )?number of\b/gi, 'several'],
  [/\bon a (daily|weekly|monthly) basis\b/gi, '$1'],
  [/\bthe (client|patient)\b/g, '$1'],
  [/\b(?:really|very|quite|basically|actually|currently) (?!not\b)/gi, ''],
  [/\bhas been experiencing\b/gi, 'has'],
  [/\b(?:approximately)\b/gi, 'about'],
  [/\b(reports?|reported|states?|stated|describes|described) that (?=\w)/gi, '$1 '],
]

/** What a shorter note may not leave out. */
const isEssential = ({ text, transcriptItems }: EditableSentence): boolean =>
  risk.test(text) ||
  appointment.test(text) ||
  findMedications(text).length > 0 ||
  transcriptItems.length === 0

export function shortenSections(
  note: EditableNote,
  { scope, limit }: ShortenEdit,
  kept: readonly string[],
): EditableNote {
  const isTold = isAnyKept(note, kept)
  const isKept: IsKept = (key, sentence) => isEssential(sentence) || isTold(key, sentence)
  const condensed = changeSections(note, scope, (section) => ({
    ...section,
    sentences: section.sentences.map(condense),
  }))
  if (limit !== null && !limit.isOfEach) {
    const inScope = condensed.sections.filter(({ key }) => isInScope(scope, key))
    const shorter = new Map(dropToLimit(inScope, limit, isKept).map((section) => [section.key, section]))
    return changeSections(condensed, scope, ({ key }) => shorter.get(key) ?? null)
  }
  return changeSections(condensed, scope, (section) => {
    if (limit !== null) return dropToLimit([section], limit, isKept)[0] ?? null
    const before = note.sections.find(({ key }) => key === section.key) ?? section
    const wordsMax = Math.floor((wordsOf([before]) * sharePerCent) / 100)
    return dropWhile([section], isKept, (sections) => wordsOf(sections) > wordsMax)[0] ?? null
  })
}

const condense = (sentence: EditableSentence): EditableSentence => ({
  ...sentence,
  text: outsideQuotes(sentence.text, (part) =>
    phrases.reduce((text, [pattern, shorter]) => text.replace(pattern, shorter), part),
  ).replace(/^./u, (first) => (/^\p{Lu}/u.test(sentence.text) ? capitalize(first) : first)),
})

const sentencesOf = (sections: readonly EditableSection[]) => sections.flatMap(({ sentences }) => sentences)

const wordsOf = (sections: readonly EditableSection[]) =>
  sentencesOf(sections).reduce((sum, { text }) => sum + countWords(text), 0)

function dropToLimit(
  sections: readonly EditableSection[],
  { unit, count, isOfEach }: NonNullable<ShortenEdit['limit']>,
  isKept: IsKept,
): EditableSection[] {
  const size = (given: readonly EditableSection[]) =>
    unit === 'sentences' ? sentencesOf(given).length : wordsOf(given)
  const shorter = dropWhile(sections, isKept, (given) => size(given) > count)
  if (size(shorter) <= count) return shorter
  const limit = `${count} ${count === 1 ? unit.slice(0, -1) : unit}`
  const least = `${size(shorter)} is the least`
  throw new EditRefusal(
    isOfEach
      ? `A section cannot be brought to ${limit} without leaving out risk, medication, the next appointment, what is to be kept or your own words; ${least}.`
      : `The note cannot be brought to ${limit} without leaving out a section, risk, medication, the next appointment, what is to be kept or your own words; ${least}.`,
  )
}

/** The least telling sentence first, never the last one of a section. */
function dropWhile(
  given: readonly EditableSection[],
  isKept: IsKept,
  isOver: (sections: readonly EditableSection[]) => boolean,
): EditableSection[] {
  let sections = [...given]
  while (isOver(sections)) {
    const all = sentencesOf(sections)
    const [weakest] = sections
      .filter(({ sentences }) => sentences.length > 1)
      .flatMap(({ key, sentences }) => sentences.filter((sentence) => !isKept(key, sentence)))
      .map((sentence) => ({ sentence, weight: weigh(sentence, all) }))
      .toSorted((a, b) => a.weight - b.weight)
    if (weakest === undefined) break
    sections = sections.map((section) => ({
      ...section,
      sentences: section.sentences.filter((sentence) => sentence !== weakest.sentence),
    }))
  }
  return sections.map((section) => ({
    ...section,
    sentences: section.sentences.map((one, at) => (at === 0 ? { ...one, startsParagraph: false } : one)),
  }))
}

/** How much is lost without it: words that no other sentence has, numbers, denials, and what several turns speak of. */
function weigh(sentence: EditableSentence, all: readonly EditableSentence[]): number {
  const stems = (text: string) =>
    tokenizeWords(text)
      .filter(({ lower }) => isContentWord(lower))
      .map(({ lower }) => stemWord(lower))
  const others = new Set(all.filter((one) => one !== sentence).flatMap(({ text }) => stems(text)))
  const own = new Set(stems(sentence.text).filter((stem) => !others.has(stem)))
  const numbers = findNumbers(tokenizeWords(sentence.text)).length
  return own.size + 3 * numbers + (hasNegation(sentence.text) ? 2 : 0) + sentence.transcriptItems.length
}
