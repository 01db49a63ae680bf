import { isCommonWord } from '../lexicon/common-words.js'

/** Fewer words say too little: a name and a medicine make half of a short line. */
const wordsMin = 15

/** Enough to tell; a text of hours is as its beginning, its middle and its end. */
const wordsRead = 600

/** Of 1,817 English sessions and stretches 0.72 of the words and more are common, of a clinician's shorthand 0.6; of 13 other languages less than 0.1. */
const commonShareMin = 0.35

/** Whether a text is not in English, the one language that reader and writers know. */
export function isUnknownLanguage(lines: readonly string[]): boolean {
  const words = sampleWords(lines)
  if (words.length < wordsMin) return false
  const common = words.filter((word) => isLatin.test(word) && isCommonWord(word)).length
  return common < commonShareMin * words.length
}

/** "Dx", "PHQ", "qd": clinicians write them in every language. */
const isAbbreviation = /^(?:[A-Z]{1,6}|[A-Za-z]{1,2})$/

/** Letters of any script: what is written without spaces is one word, and no common one. */
const wordsOf = /\p{L}[\p{L}\p{M}'’]*/gu
const isLatin = /^[a-z'’]+$/i

/** From three places, so that greetings in another language do not decide. */
function sampleWords(lines: readonly string[]): string[] {
  const perPlace = Math.floor(wordsRead / 3)
  const places = [0, Math.floor(lines.length / 3), Math.floor((lines.length * 2) / 3)]
  return [...new Set(places)].flatMap((from, at, all) => {
    const words: string[] = []
    for (const line of lines.slice(from, all[at + 1])) {
      for (const [word] of line.slice(0, lineLengthMax).matchAll(wordsOf))
        if (!isAbbreviation.test(word)) words.push(...spread(word))
      if (words.length >= perPlace) break
    }
    return words.slice(0, perPlace)
  })
}

/** Minutes of talk without a break. */
const lineLengthMax = 8_000

/** Chinese, Japanese and Thai put no spaces between words: two characters are about one. */
const spread = (word: string): string[] =>
  unspaced.test(word)
    ? Array.from({ length: Math.ceil(word.length / 2) }, (_, at) => word.slice(at * 2, at * 2 + 2))
    : [word.replaceAll('’', "'").toLowerCase()]
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u
