/** How often a phrase of so many words may come in a row: "no, no, no" and "I don't know, I don't know" are speech. */
const wordRepeatsMax = 5
const phraseRepeatsMax = 3
const phraseWordsMax = 10
/** Within one word, as in "100,000,000,000,000". */
const pieceRepeats = /(.{1,8}?)\1{7,}/u

/** Whether a text goes round in circles, as the decoder does on noise. */
export function isLoop(text: string): boolean {
  if (pieceRepeats.test(text)) return true
  const words = text.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? []
  for (let length = 1; length <= phraseWordsMax; length += 1) {
    const allowed = length === 1 ? wordRepeatsMax : phraseRepeatsMax
    if (countRepeats(words, length) > allowed) return true
  }
  return false
}

/** The longest row of one phrase of `length` words. */
function countRepeats(words: readonly string[], length: number): number {
  let longest = 0
  let same = 0
  for (let index = length; index < words.length; index += 1) {
    same = words[index] === words[index - length] ? same + 1 : 0
    longest = Math.max(longest, Math.floor(same / length) + 1)
  }
  return longest
}
