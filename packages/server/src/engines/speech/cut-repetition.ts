/** Phrases of more words do not loop within a clip of 14 s. */
const phraseWordsMax = 12

/** People say one word five times ("no, no, no, no, no") and a phrase three times; models in a loop do not stop there. */
const findRepeatsMin = (phraseWords: number): number => (phraseWords === 1 ? 6 : 4)

/**
 * Recognizers with a decoder can fall into a loop on noise ("I'm sorry. I'm sorry. I'm sorry. …"). Gives the text up to
 * and with the first round of the loop: what follows has nothing to do with the sound.
 */
export function cutRepetition(text: string): { text: string; isLoop: boolean } {
  const words = text.split(/\s+/).filter((word) => word !== '')
  const folded = words.map((word) => word.toLowerCase().replace(/[^\p{L}\p{N}']/gu, ''))
  for (let start = 0; start < words.length; start += 1) {
    for (let size = 1; size <= phraseWordsMax; size += 1) {
      if (countRepeats(folded, start, size) < findRepeatsMin(size)) continue
      return { text: words.slice(0, start + size).join(' '), isLoop: true }
    }
  }
  return { text: words.join(' '), isLoop: false }
}

/** How often the phrase at `start` stands there, one right after the other. */
function countRepeats(words: readonly string[], start: number, size: number): number {
  let next = start + size
  while (next < words.length && words[next] === words[next - size]) next += 1
  return next - start < size ? 0 : Math.floor((next - start) / size)
}
