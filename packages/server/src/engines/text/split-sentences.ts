/** A full stop behind one of these does not end a sentence. */
const abbreviations = new Set(
  'dr mr mrs ms prof st jr sr vs e.g i.e etc approx dept appt tx rx hx dx sx fig cf al'.split(' '),
)

/** These end a sentence only if a capital follows: "at 3 p.m. I woke up" against "at 3 p.m. He came". */
const timesOfDay = new Set(['a.m', 'p.m', 'u.s'])

const stopMarks = new Set('.!?…')
const closingMarks = new Set('"”’\')]')
const quoteMarks = new Set('"“”')

/** Sentences in order, trimmed. Lines end sentences too; the dash of a bullet is not part of one. */
export const splitSentences = (text: string): string[] =>
  text
    .split(/\n+/)
    .flatMap((line) => splitLine(withoutDash(line)))
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence))

const withoutDash = (line: string): string => line.trim().replace(/^[-•*]\s+/, '')

/** A label is short: "Suicidal thoughts, asked (12:40)" is one of the longest. */
const labelLengthMax = 120
const openingOfQuote = /^[^"“”.!?]{1,120}: ["“]/

/** 'Client (12:40): "I slept. Not well."' is one unit, however many sentences were said. */
const isQuoteOfSpeaker = (line: string): boolean =>
  openingOfQuote.test(line.slice(0, labelLengthMax + 4)) && /["”][.,;)]?$/.test(line)

/**
 * Sentences of one line, and every other mark on it. One walk over the line: every look back or ahead is bounded, so a line of
 * any length takes its length.
 */
export const splitLine = (line: string): string[] => {
  if (isQuoteOfSpeaker(line)) return [line]
  const sentences: string[] = []
  let start = 0
  let marksSinceStart = 0
  let nextMark = -1
  for (let at = 0; at < line.length; at++) {
    if (quoteMarks.has(line[at] ?? '')) marksSinceStart++
    if (!stopMarks.has(line[at] ?? '')) continue
    const stopAt = at
    while (at + 1 < line.length && stopMarks.has(line[at + 1] ?? '')) at++
    while (at + 1 < line.length && closingMarks.has(line[at + 1] ?? '')) {
      at++
      if (quoteMarks.has(line[at] ?? '')) marksSinceStart++
    }
    const end = at + 1
    if (end < line.length && !/\s/.test(line[end] ?? '')) continue
    if (nextMark < end) nextMark = findMark(line, end)
    const isInQuote = marksSinceStart % 2 === 1 && nextMark < Math.min(end + quoteLengthMax, line.length)
    if (!endsSentence(line, start, stopAt, end, isInQuote)) continue
    sentences.push(line.slice(start, end).trim())
    start = end
    marksSinceStart = 0
  }
  sentences.push(line.slice(start).trim())
  return sentences.filter((sentence) => sentence !== '')
}

/** Where the next mark stands that may close a quote; the line's length if there is none. */
const findMark = (line: string, from: number): number => {
  let at = from
  while (at < line.length && line[at] !== '"' && line[at] !== '”') at++
  return at
}

/** What comes behind a stop is judged by its first characters; no known word before it is longer than this. */
const lookAheadMax = 24
const lookBackMax = 24

const endsSentence = (
  line: string,
  start: number,
  stopAt: number,
  end: number,
  isInQuote: boolean,
): boolean => {
  const following = line.slice(end, end + lookAheadMax).trimStart()
  const isLast = following === ''
  const startsAnew = isLast || /^["“‘'([]?[\p{Lu}\p{N}]/u.test(following)
  // "Wait... what" trails off and goes on.
  if (line[stopAt] === '…' || line.startsWith('..', stopAt)) return startsAnew
  if (isInQuote) return false
  if (line[stopAt] !== '.') return true
  const word = wordBefore(line, start, stopAt)
  if (timesOfDay.has(word)) return startsAnew && !/^(?:on|in|and|or)\b/i.test(following)
  // "No. 5" counts, "No. I don't" answers.
  if (word === 'no') return !/^\d/.test(following)
  if (abbreviations.has(word)) return isLast
  // An initial: "J. Smith", but not the pronoun "I."
  return !/^[a-hj-z]$/.test(word) || isLast
}

const wordBefore = (line: string, start: number, stopAt: number): string => {
  let from = stopAt
  while (from > start && stopAt - from < lookBackMax && /[\p{L}.'’]/u.test(line[from - 1] ?? '')) from--
  return line.slice(from, stopAt).toLowerCase()
}

/** Beyond this an opening mark is taken as a slip, so that one of them cannot swallow a whole turn. */
const quoteLengthMax = 200
