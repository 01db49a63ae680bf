import { findNumbers } from '../../text/find-numbers.js'
import { tokenizeWords, type WordToken } from '../../text/tokenize-words.js'
import { makeFindingId, sortItems } from '../finding-id.js'
import type { ScoreFinding } from '../reading.js'

const units = /^ ?(?:percent\b|%|pounds\b|lbs?\b|kilos?\b|kilograms?\b|kgs?\b|degrees\b|bpm\b|beats\b)/i
/** "It was", "last time you were an", "that comes to", "today's". */
export const beforeFollowing =
  /\b(?:(?:it|that|this|which|one|today|now|before|mine|yours|hers|his)(?:'s| is| was| came (?:to|out|in|back)| comes to| says)|(?:you|she|he|i) (?:were|was|got|had|scored|are)|(?:you're|i'm|she's|he's))(?:,? (?:a|an|at|about|now|like|to|uh|um|just|only|(?:down|up|back) (?:to|at|from)))*,? $/i
/** Behind a number: it counts something else. */
export const countsOther =
  /^[ -]*(?:weeks?|days?|months?|years?|hours?|times|milligrams?|mg|mcg|minutes?|o'clock|questions?|items?|points?|dollars?|bucks|people|kids|miles|drinks?|beers?|a\.?m|p\.?m|visits?|sessions?|nights?|tablets?|pounds? (?:since|down|up|less|more|from|in)|(?:pounds|kilos|lbs) (?:lost|gained))\b/i
export const toFinding = (
  name: string,
  value: string,
  items: readonly number[],
  words: string,
): ScoreFinding => ({
  kind: 'score',
  id: makeFindingId('score', name, value, items[0] ?? 0),
  items: sortItems(items),
  words,
  name,
  value,
})

/** "one oh eight" is 108. */
const readOh = (tokens: readonly WordToken[]): WordToken[] =>
  tokens.map((token, at) =>
    /^o(?:h)?$/.test(token.lower) &&
    /^(?:one|two|three|four|five|six|seven|eight|nine)$/.test(tokens[at - 1]?.lower ?? '') &&
    /^(?:one|two|three|four|five|six|seven|eight|nine)$/.test(tokens[at + 1]?.lower ?? '')
      ? { ...token, lower: 'zero' }
      : token,
  )

export interface Value {
  value: string
  /** As it was said, so that "eight six" is told from "eighty-six". */
  said: string
  start: number
  end: number
}

/** "Thirty-six eight", "fifteen two": no whole number is said so, and of measures the last figure is a tenth. */
const saysTenth =
  /^(?:(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)[ -](?:one|two|three|four|five|six|seven|eight|nine)|ten|eleven|twelve|\w+teen) (?:one|two|three|four|five|six|seven|eight|nine)$/i

/** Numbers as they are said of measures, with their places. */
export const listValues = (text: string): Value[] => {
  const tokens = readOh(tokenizeWords(text))
  return findNumbers(tokens).flatMap((number) => {
    const [first, last] = [tokens[number.firstToken], tokens[number.lastToken]]
    const [value = ''] = number.readings
    if (first === undefined || last === undefined || /^(?:half|once|twice|dozen)$/i.test(number.text))
      return []
    const half = /^ and a half\b/i.exec(text.slice(last.end))
    if (half !== null && /^\d+$/.test(value))
      return [{ value: `${value}.5`, said: number.text, start: first.start, end: last.end + half[0].length }]
    if (saysTenth.test(text.slice(first.start, last.end)))
      return [
        {
          value: `${value.slice(0, -1)}.${value.slice(-1)}`,
          said: number.text,
          start: first.start,
          end: last.end,
        },
      ]
    const point = /\bpoint $/i.exec(text.slice(0, first.start))
    return [
      {
        value: point !== null && !value.includes('.') ? `0.${value}` : value,
        said: number.text,
        start: first.start - (point?.[0].length ?? 0),
        end: last.end,
      },
    ]
  })
}

export const withUnit = (text: string, { value, end }: Value): string => {
  const unit = units.exec(text.slice(end))?.[0].trim().toLowerCase()
  const short: Readonly<Record<string, string>> = {
    percent: '%',
    '%': '%',
    pounds: ' lb',
    lb: ' lb',
    lbs: ' lb',
    kilos: ' kg',
    kilo: ' kg',
    kg: ' kg',
    kgs: ' kg',
    kilogram: ' kg',
    kilograms: ' kg',
  }
  return unit === undefined ? value : `${value}${short[unit] ?? ''}`
}
