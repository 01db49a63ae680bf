/** A full stop behind one of these does not end a sentence. */
const abbreviations = new Set(
  'dr mr mrs ms prof st jr sr vs e.g i.e etc approx dept appt tx rx hx dx sx fig cf al'.split(' '),
)

/** These end a sentence only if a capital follows: "at 3 p.m. I woke up" against "at 3 p.m. He came". */
const timesOfDay = new Set(['a.m', 'p.m', 'u.s'])

/** Sentences in order, trimmed. Lines end sentences too; the dash of a bullet is not part of one. */
export const splitSentences = (text: string): string[] =>
  text
    .split(/\n+/)
    .flatMap((line) => splitLine(line.replace(/^\s*[-•*]\s+/, '')))
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence))

const splitLine = (line: string): string[] => {
  const sentences: string[] = []
  let start = 0
  for (const match of line.matchAll(/[.!?…]+["”’')\]]*(?=\s|$)/gu)) {
    const end = match.index + match[0].length
    if (!endsSentence(line, start, match.index, end, match[0])) continue
    sentences.push(line.slice(start, end).trim())
    start = end
  }
  sentences.push(line.slice(start).trim())
  return sentences.filter((sentence) => sentence !== '')
}

const endsSentence = (line: string, start: number, stopAt: number, end: number, stop: string): boolean => {
  const following = line.slice(end).trimStart()
  const startsAnew = following === '' || /^["“‘'([]?[\p{Lu}\p{N}]/u.test(following)
  // "Wait... what" trails off and goes on.
  if (/^(\.{2,}|…)/.test(stop)) return startsAnew
  if (isInsideQuote(line, start, end)) return false
  if (!stop.startsWith('.')) return startsAnew || /["”]/.test(stop) || following !== ''
  const word = /[\p{L}.'’]*$/u.exec(line.slice(start, stopAt))?.[0].toLowerCase() ?? ''
  if (timesOfDay.has(word)) return startsAnew && !/^(?:on|in|and|or)\b/i.test(following)
  // "No. 5" counts, "No. I don't" answers.
  if (word === 'no') return !/^\d/.test(following)
  if (abbreviations.has(word)) return following === ''
  // An initial: "J. Smith", but not the pronoun "I."
  if (/^[a-hj-z]$/.test(word) && following !== '') return false
  return true
}

const isInsideQuote = (line: string, start: number, end: number): boolean => {
  const before = line.slice(start, end)
  const opened = (before.match(/["“”]/g) ?? []).length
  return opened % 2 === 1 && /["”]/.test(line.slice(end, end + quoteLengthMax))
}

/** Beyond this an opening mark is taken as a slip, so that one of them cannot swallow a whole turn. */
const quoteLengthMax = 200
