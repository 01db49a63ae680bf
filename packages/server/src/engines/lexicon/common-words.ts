import { readFileSync } from 'node:fs'
import { ownFile } from '../../kernel/own-files.js'

/** The 10,700 commonest English words (SCOWL 10 and 20); see packages/server/models/README.md. */
const commonWords: ReadonlySet<string> = new Set(
  readFileSync(ownFile('models/common-words.txt'), 'utf8').split(/\s+/),
)

/** Whether each part of what is written as one word is plain English: "search-a-line" is. */
export function isCommonWord(word: string): boolean {
  return word
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(/'s$/, '')
    .split(/[^a-z']+/)
    .every((part) => part === '' || commonWords.has(part) || commonWords.has(part.replaceAll("'", '')))
}

/**
 * Whole words of the encoder's vocabulary, some 20,000: with names of people and places, and words that the list above lacks. Too
 * many of them are a letter from a brand of some country ("clarinet", "crimson", "aspiring") for a name to be guessed from one.
 */
let vocabulary: ReadonlySet<string> | null = null
const lengthMin = 4
const further = new Set(
  `prenatal antenatal florist florists lactose lanolin electrolyte electrolytes decongestant decongestants allergist allergists
  collage concertina celestine clarinets ghosted straighter marisol daktari estrogens inhuman prowess aspiring`.split(
    /\s+/,
  ),
)

/** Whether it is a word of its own, also with an ending: then it is no misspelled name of anything. */
export function isOrdinaryWord(word: string): boolean {
  const lower = word.toLowerCase().replace(/['’]s$/, '')
  vocabulary ??= new Set(
    readFileSync(ownFile('models/reader/vocab.txt'), 'utf8')
      .split('\n')
      .filter((piece) => piece.length >= lengthMin && /^[a-z]+$/.test(piece)),
  )
  return [lower, lower.replace(/(?:s|es|ed|ing|ly|er|ers)$/, ''), lower.replace(/(?:ed|ing|er)$/, 'e')].some(
    (one) => isCommonWord(one) || further.has(one) || vocabulary?.has(one) === true,
  )
}
