import { findMedications } from '../lexicon/medications.js'
import { isDoseUnit } from '../text/measure-units.js'
import { readAmounts } from '../text/read-amounts.js'
import { tokenizeWords } from '../text/tokenize-words.js'

/** A dose as a note writes it, with the medicine that it stands behind. */
export interface WrittenDose {
  generic: string
  /** What the number may mean. */
  values: readonly string[]
  /** As it is written: "sertraline was increased to 100 mg". */
  text: string
}

/** How many words may stand between a name and its dose: "sertraline was increased to 100 mg" has three. */
const wordsBetweenMax = 4

/** Names and doses are looked up for each other: what is longer than any sentence is not read to its end. */
const sentenceLengthMax = 1_000

/** The doses that stand behind a name, before another medicine is named. */
export const readDoses = (sentence: string): WrittenDose[] => {
  const text = sentence.slice(0, sentenceLengthMax)
  const mentions = /\d/.test(text) ? findMedications(text) : []
  if (mentions.length === 0) return []
  const tokens = tokenizeWords(text)
  return readAmounts(text, tokens).flatMap(({ unit, values, firstToken, lastToken }) => {
    if (!isDoseUnit(unit)) return []
    const start = tokens[firstToken]?.start ?? 0
    const named = mentions.findLast((mention) => mention.end <= start)
    if (named === undefined) return []
    const nameAt = tokens.findIndex((token) => token.end >= named.end)
    if (firstToken - nameAt - 1 > wordsBetweenMax) return []
    const end = (tokens[lastToken + 1] ?? tokens[lastToken])?.end
    return [{ generic: named.medication.generic, values, text: text.slice(named.start, end) }]
  })
}

/** What a dose or value may mean in digits: "50 mg" is 50. */
export const valuesOf = (said: string): string[] =>
  readAmounts(said, tokenizeWords(said)).flatMap(({ values, form }) =>
    form === 'implied' ? [] : [...values],
  )
