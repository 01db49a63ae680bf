import { findAllMedications } from '../../lexicon/medications.js'
import { sortItems } from '../finding-id.js'
import type { ScoreFinding, TopicScores } from '../reading.js'
import type { Sentence, Turn } from '../talk/read-talk.js'
import { measures, type Measure } from './measures.js'
import { readAnswered, readRatings } from './read-ratings.js'
import { countsOther, listValues, toFinding, withUnit, type Value } from './said-values.js'

/** Between a measure and its value; further away it is another's. */
const betweenWordsMax = 9
/** From here the encoder takes an item to hold measures. */
const foundAt = 0.25

export const findScores = (
  turns: readonly Turn[],
  topics: readonly TopicScores[],
  questionOf: Readonly<Record<number, number>>,
): ScoreFinding[] => {
  const found: ScoreFinding[] = []
  let spoken: Spoken | null = null
  let isRating = false
  for (const turn of turns) {
    const score = topics[turn.item]?.scores ?? 0
    const asked = questionOf[turn.item]
    for (const sentence of turn.sentences) {
      const measured = [...readPressure(sentence, score, asked), ...readMeasures(sentence)]
      const rated = readRatings(sentence, turns[asked ?? -1])
      const own = measures.find(({ pattern }) => pattern.test(sentence.plain))
      if (own !== undefined) spoken = { measure: own, item: turn.item }
      // A number behind the name of a medicine is its dose.
      else if (spoken !== null && findAllMedications(sentence.text).length > 0) spoken = null
      else if (spoken !== null && measured.length + rated.length === 0)
        measured.push(...readFollowing(sentence, turn, spoken))
      found.push(...measured, ...rated)
    }
    isRating ||= namesScale.test(turn.plain)
    const question = turns[asked ?? -1]
    if (question !== undefined && turn.role !== 'clinician')
      found.push(...readAnswered(turn, question, { isRating, hasOwn: (one) => readMeasures(one).length > 0 }))
  }
  return withoutRepeats(found)
}

/** "one thirty over eighty-five", "130/85". A beer over dinner has no such numbers. */
const readPressure = (sentence: Sentence, score: number, asked: number | undefined): ScoreFinding[] => {
  const { text } = sentence
  const values = listValues(text)
  const found: ScoreFinding[] = []
  const add = (value: string) => {
    const [high = 0, low = 0] = value.split('/').map(Number)
    if (high >= 70 && high <= 260 && low >= 35 && low <= 160 && high > low)
      found.push(
        toFinding('blood pressure', value, [sentence.item, ...(asked === undefined ? [] : [asked])], text),
      )
  }
  for (const [at, { value, end }] of values.entries()) {
    const next = values[at + 1]
    if (/^\d{2,3}\/\d{2,3}$/.test(value)) {
      if (score >= foundAt || /\b(?:pressure|bp|b\.p)\b/.test(sentence.plain)) add(value)
    } else if (next !== undefined && /^,? over (?:a )?$/i.test(text.slice(end, next.start)))
      add(`${value}/${next.value}`)
  }
  return found
}

/** "Fill in the Y-BOCS in the waiting room, and I've got, hang on, it's twenty-one." */
const isNear = (between: string): boolean => {
  const count = between.trim().split(/\s+/).length
  return count <= betweenWordsMax || (count <= 2 * betweenWordsMax && beforeFollowing.test(between))
}

/** "Over thirty" is a threshold. */
const isThreshold = /\b(?:over|under|above|below|(?:less|more|higher|lower) than) $/i

const readMeasures = (sentence: Sentence): ScoreFinding[] => {
  const { text, plain } = sentence
  if (
    !/\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|\w+ty|hundred|zero|point)\b/.test(
      plain,
    )
  )
    return []
  const lower = text.toLowerCase().replaceAll('’', "'")
  const named = measures.flatMap(({ name, pattern, min, max }) => {
    const match = pattern.exec(lower)
    return match === null ? [] : [{ name, min, max, start: match.index, end: match.index + match[0].length }]
  })
  const values = listValues(text).filter(
    ({ start, end }) =>
      !named.some((one) => start >= one.start && end <= one.end) && !isThreshold.test(text.slice(0, start)),
  )
  return named.flatMap(({ name, min, max, start, end }) => {
    const fits = ({ value }: Value) => Number(value) >= min && Number(value) <= max
    const nextName = Math.min(
      ...named.filter((other) => other.start > end).map((other) => other.start),
      text.length,
    )
    const behind = values.find(
      (value) =>
        value.start >= end &&
        value.start < nextName &&
        fits(value) &&
        !countsOther.test(text.slice(value.end)) &&
        isNear(text.slice(end, value.start)),
    )
    const before = values.findLast(
      (value) =>
        value.end <= start &&
        fits(value) &&
        /^ (?:on|for) (?:the|your|a|that|this) $/i.test(text.slice(value.end, start)),
    )
    // "nineteen out of thirty on the MMSE"
    const whole = values.find(
      (value) => before !== undefined && /^ out of $/i.test(text.slice(value.end, before.start)),
    )
    const first = behind ?? whole ?? before
    if (first === undefined) return []
    const further = values.filter(
      (value) =>
        value.start > first.end &&
        value.start < nextName &&
        fits(value) &&
        !countsOther.test(text.slice(value.end)) &&
        /^(?:,? (?:to|down to|up to|(?:and |but )?(?:it|he|she|you|i|that|last)?(?: (?:was|is))?(?: (?:now|down|up))?(?: from| at| to)?))\s$/i.test(
          text.slice(first.end, value.start),
        ) &&
        text.slice(first.end, value.start).trim() !== '',
    )
    return [first, ...further.slice(0, 1)].map((value) =>
      toFinding(name, withUnit(text, value), [sentence.item], text),
    )
  })
}

/** The measure that was named last. */
interface Spoken {
  measure: Measure
  item: number
}

/** So many items later "it was" is still of the measure that was named. */
const followReach = 2
const aloneWordsMax = 3
/** "It was", "last time you were an", "that comes to", "today's". */
const beforeFollowing =
  /\b(?:(?:it|that|this|which|one|today|now|before|mine|yours|hers|his)(?:'s| is| was| came (?:to|out|in|back)| comes to| says)|(?:you|she|he|i) (?:were|was|got|had|scored|are)|(?:you're|i'm|she's|he's))(?:,? (?:a|an|at|about|now|like|to|uh|um|just|only|(?:down|up|back) (?:to|at|from)))*,? $/i
/** A person "was nine" at nine years, unless a time is named at which they were measured. */
const comparesTime =
  /\b(?:last (?:time|visit|month|year|week|spring|summer|fall|winter)|today|now|when you (?:started|came)|in (?:the (?:spring|summer|fall|winter)|january|february|march|april|may|june|july|august|september|october|november|december)|before|at (?:intake|the start))\b/
const beforeLength = 60

/** "The PCL. Let me add it. Fifty-one." – "It was fifty-eight in September.": the measure was named before. */
const readFollowing = (sentence: Sentence, turn: Turn, { measure, item }: Spoken): ScoreFinding[] => {
  if (turn.item - item > followReach || sentence.asks) return []
  const { text, plain } = sentence
  const isAlone = plain.split(' ').length <= aloneWordsMax && turn.item - item <= 1
  const value = listValues(text).find(({ value: said, start, end }) => {
    if (Number(said) < measure.min || Number(said) > measure.max || countsOther.test(text.slice(end)))
      return false
    if (/^ ?(?:mgs?|mcg|milli|micro|units|over)\b/i.test(text.slice(end))) return false
    const before = text.slice(Math.max(0, start - beforeLength), start)
    return (
      isAlone || (beforeFollowing.test(before) && (turn.role === 'clinician' || comparesTime.test(plain)))
    )
  })
  return value === undefined
    ? []
    : [toFinding(measure.name, withUnit(text, value), [item, sentence.item], text)]
}

/** Once people rate things, a bare number answers "where are you now?". */
const namesScale =
  /\bsuds?\b|\bon (?:the|a|that) scale\b|\b(?:zero|0|one|1) to (?:a |one )?(?:ten|10|hundred|100)\b/

const withoutRepeats = (found: readonly ScoreFinding[]): ScoreFinding[] => {
  const seen = new Map<string, ScoreFinding>()
  for (const finding of found) {
    const key = `${finding.name} ${finding.value}`
    const before = seen.get(key)
    seen.set(
      key,
      before === undefined ? finding : { ...before, items: sortItems([...before.items, ...finding.items]) },
    )
  }
  return [...seen.values()]
}
