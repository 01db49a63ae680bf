import { isCommonWord } from '../../../lexicon/common-words.js'
import { findMedications } from '../../../lexicon/medications.js'
import { findNumbers } from '../../text/find-numbers.js'
import { isContentWord, tokenizeWords } from '../../text/tokenize-words.js'
import type { Spoken } from '../talk/read-session.js'

/** "They can do that": a clause of function words. */
export const saysNothing = (text: string): boolean => {
  const words = tokenizeWords(text).filter(({ lower }) => isContentWord(lower) && !emptyWords.has(lower))
  return words.length < 2 && findNumbers(tokenizeWords(text)).length === 0
}

/** "They do that": not one word of its own. */
export const isHollow = (text: string): boolean => {
  if (
    /^(?:client reported )?(?:whatever|they (?:wish|remember|hope|guess|suppose|think|know|knew|mean|swear)(?: so| not)?)$|^(?:client reported )?(?:that|it) is (?:the|a) (?:\w+ )?(?:part|thing|question|story)$/i.test(
      text,
    )
  )
    return true
  const tokens = tokenizeWords(text.replace(/^asked [^,]+, /, ''))
  return (
    findNumbers(tokens).length === 0 &&
    tokens.every(
      ({ lower }) =>
        !isContentWord(lower) ||
        lower === 'client' ||
        lower === 'reported' ||
        (!text.startsWith('asked ') && isEmptyWord(lower)),
    )
  )
}

/** "They lost it", "they are good": of what, another sentence says. */
export const leavesOpen = (text: string): boolean =>
  /\b(?:it|that|this|those|these|things?|stuff|there|one)\b/i.test(text) ||
  /^they (?:are|were) (?:\w+ )?(?:good|alright|okay|fine|great)$/i.test(text)

/** "If they pass out in here", "their manager is going to, ugh": what it was about was not said, or belongs to another clause. */
export const isHalf = (text: string): boolean =>
  (/^(?:even )?(?:if|unless|although|because(?! of\b)) [^,;:(]*$/i.test(text) &&
    (text.replace(told, '').match(/\b(?:they|it|he|she|there|you|we|their)\b/gi) ?? []).length < 2) ||
  /^(?:with|of|from) (?:the|an?|their) \w+$|^(?:the|that) (?:\w+ )?(?:part|thing|one|stuff)$/i.test(text) ||
  /^(?:client reported )?(?:it|that|this) (?:made|makes|got|gets) (?:them|him|her|it)$/i.test(text) ||
  /\b(?:to|the|an?|and|but|with|of|is|was|are|that),? (?:ugh|um|uh|like|anyway)$/i.test(text)

/** "tell themselves it is prettier": the second clause is what is told. */
const told = /\b(?:tell|told|think|thought|say|said|know|knew|feel|felt)\b.*$/i

/** "Asked whether that fits, client answered yes": yes to nothing that has a name. */
export const confirmsNothing = (text: string): boolean =>
  /^asked whether (?:that|it|this|these|those|any of (?:that|it|this)) (?:\w+ ){0,3}\w+, (?:client|a participant) answered (?:yes|no)$/i.test(
    text,
  )

const isEmptyWord = (lower: string): boolean => emptyWords.has(lower)

const emptyWords = new Set(
  'right boy god gosh meh weird client reported reports asked think mean say said know want sure try trying okay fine guess see participant plans'.split(
    ' ',
  ),
)

const measured =
  /\b(?:(?:blood )?pressure|weight|pulse|temperature|score|scale|PHQ(?:-?9)?|GAD(?:-?7)?|PCL(?:-?5)?|AUDIT|level|A1c)\b/i

/** What a number was measured of, if a sentence shortly before it says so. */
const findMeasure = (spoken: Spoken | null): string | undefined => {
  const found = measured.exec(spoken?.clean ?? '')?.[0]
  return found === undefined || /^[A-Z]{2}/.test(found) ? found : found.toLowerCase()
}

/** "I've got your PHQ here. It's a fourteen.": a number of something that was measured. */
export const tellsMeasure = ({ clean, previous }: Spoken): boolean =>
  /^(?:it|that)(?:'s| is) (?:an? )?(?=\w)/i.test(clean) &&
  findMeasure(previous) !== undefined &&
  findNumbers(tokenizeWords(clean)).length > 0

/** "Let me take your blood pressure. It's 132 over 86." */
export const nameMeasure = (text: string, { previous }: Spoken): string => {
  const measure = findMeasure(previous)
  return measure === undefined ? text : text.replace(/^(?:it|that) is\b/i, `${measure} is`)
}

/**
 * Where words stop making sense, as a recognizer writes what it did not understand: a compound of which no part is a
 * common word ("pottery-glassed"). One rare word alone is most often a word of somebody's life. -1 if there is none.
 */
export const findGarble = (text: string): number =>
  !text.includes('-')
    ? -1
    : ([...text.matchAll(/\b[a-z]+(?:-[a-z]+)+\b/g)].find(
        ([word]) =>
          word.split('-').every((part) => !isCommonWord(part)) && findMedications(word).length === 0,
      )?.index ?? -1)
