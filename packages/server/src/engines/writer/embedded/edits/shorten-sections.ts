import { findMedications } from '../../../lexicon/medications.js'
import { hasNegation } from '../../text/find-negation.js'
import { findNumbers } from '../../text/find-numbers.js'
import { countWords, isContentWord, stemWord, tokenizeWords } from '../../text/tokenize-words.js'
import { EditRefusal, type ShortenEdit } from './edit.js'
import {
  capitalize,
  changeSections,
  outsideQuotes,
  type EditableNote,
  type EditableSection,
  type EditableSentence,
} from './editable-note.js'
import { findMention } from './find-mention.js'

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

const risk =
  /suicid|\bSI\b|\bHI\b|self[- ]?harm|homicid|kill|overdose|attempt|safety|crisis|988|911|abuse|violen|weapon|firearm|\bgun|hurt (?:him|her|them)sel|\brisk|hallucinat|voices|allerg|not (?:be )?(?:alive|here)|better off dead|not assessed|clinician review/i

const appointment = /\b(?:next (?:appointment|session|visit)|follow[- ]?up (?:in|on)|meet again)\b/i

/** What a shorter note may not leave out. */
const isEssential = ({ text, transcriptItems }: EditableSentence): boolean =>
  risk.test(text) ||
  appointment.test(text) ||
  findMedications(text).length > 0 ||
  transcriptItems.length === 0

export function shortenSections(
  note: EditableNote,
  edit: ShortenEdit,
  kept: readonly string[],
): EditableNote {
  return changeSections(note, edit.scope, (section) => {
    const isKept = (sentence: EditableSentence) =>
      isEssential(sentence) || kept.some((mention) => findMention(sentence.text, mention) !== null)
    const condensed = { ...section, sentences: section.sentences.map(condense) }
    return edit.limit === null
      ? dropToShare(section, condensed, isKept)
      : dropToLimit(condensed, edit.limit, isKept)
  })
}

const condense = (sentence: EditableSentence): EditableSentence => ({
  ...sentence,
  text: outsideQuotes(sentence.text, (part) =>
    phrases.reduce((text, [pattern, shorter]) => text.replace(pattern, shorter), part),
  ).replace(/^./u, (first) => (/^\p{Lu}/u.test(sentence.text) ? capitalize(first) : first)),
})

type IsKept = (sentence: EditableSentence) => boolean

const wordsOf = (sentences: readonly EditableSentence[]) =>
  sentences.reduce((sum, { text }) => sum + countWords(text), 0)

function dropToShare(before: EditableSection, condensed: EditableSection, isKept: IsKept): EditableSection {
  const wordsMax = Math.floor((wordsOf(before.sentences) * sharePerCent) / 100)
  return dropWhile(condensed, isKept, (sentences) => wordsOf(sentences) > wordsMax)
}

function dropToLimit(
  section: EditableSection,
  { unit, count }: NonNullable<ShortenEdit['limit']>,
  isKept: IsKept,
): EditableSection {
  const isOver = (sentences: readonly EditableSentence[]) =>
    (unit === 'sentences' ? sentences.length : wordsOf(sentences)) > count
  const shorter = dropWhile(section, isKept, isOver)
  if (!isOver(shorter.sentences)) return shorter
  throw new EditRefusal(
    `A section cannot be brought to ${count} ${unit} without leaving out risk, medication, the next appointment or your own words.`,
  )
}

/** The least telling sentence first, never the last one of a section. */
function dropWhile(
  section: EditableSection,
  isKept: IsKept,
  isOver: (sentences: readonly EditableSentence[]) => boolean,
): EditableSection {
  let sentences = section.sentences
  while (sentences.length > 1 && isOver(sentences)) {
    const others = sentences
    const [weakest] = others
      .filter((sentence) => !isKept(sentence))
      .map((sentence) => ({ sentence, weight: weigh(sentence, others) }))
      .toSorted((a, b) => a.weight - b.weight)
    if (weakest === undefined) break
    sentences = sentences.filter((sentence) => sentence !== weakest.sentence)
  }
  return {
    ...section,
    sentences: sentences.map((one, at) => (at === 0 ? { ...one, startsParagraph: false } : one)),
  }
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
