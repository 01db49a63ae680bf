const words = new Set(
  `yeah yes yep yup ya mm mmm mhm hmm hm huh uh um oh ah okay ok right sure alright all great good fine exactly wow
  really gotcha thanks thank you absolutely totally definitely cool perfect nice interesting true wonderful excellent
  lovely brilliant correct i see know got it of course that's that makes sense for sure fair enough very well no problem
  worries understood lovely aha`.split(/\s+/),
)

const wordsMax = 5

/** "Mm-hmm.", "Okay, right.": somebody listens, and says nothing. A "no" says something, but of a clinician who repeats it. */
export function isBackchannel(text: string, speaker: string): boolean {
  if (text.includes('?')) return false
  const said =
    text
      .toLowerCase()
      .replaceAll('’', "'")
      .match(/[\p{L}']+|\p{N}+/gu) ?? []
  if (said.length > wordsMax || !said.every((word) => words.has(word))) return false
  return speaker === 'clinician' || !/\bno\b(?! (?:problem|worries))/.test(said.join(' '))
}
