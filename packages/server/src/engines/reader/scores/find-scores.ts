import { findSaidMedicines } from '../../lexicon/said-medicines.js'
import { sortItems } from '../finding-id.js'
import type { ScoreFinding, TopicScores } from '../reading.js'
import type { Sentence, Turn } from '../talk/read-talk.js'
import { readFollowing, type Spoken } from './read-following.js'
import { findMeasure, readMeasures } from './read-measures.js'
import { readAnswered, readRatings } from './read-ratings.js'
import { countsOther, listValues, toFinding, withUnit } from './said-values.js'

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
      const own = findMeasure(sentence)
      if (own !== null) spoken = { measure: own, item: turn.item }
      // A number behind the name of a medicine is its dose.
      else if (spoken !== null && findSaidMedicines(sentence.text).length > 0) spoken = null
      if (own === null && measured.length + rated.length === 0) {
        if (spoken !== null) measured.push(...readFollowing(sentence, turn, spoken, score >= foundAt))
        if (measured.length === 0) measured.push(...readWeighed(sentence, turn, score))
        if (measured.length === 0) measured.push(...readSum(sentence, turn, score))
      }
      found.push(...measured, ...rated)
    }
    isRating ||= namesScale.test(turn.plain)
    const question = turns[asked ?? -1]
    if (question !== undefined && turn.role !== 'clinician')
      found.push(...readAnswered(turn, question, { isRating, hasOwn: (one) => readMeasures(one).length > 0 }))
  }
  return withoutRepeats(found)
}

/** "one thirty over eighty-five", "one fifty by ninety-four", "130/85". A beer over dinner has no such numbers. */
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
    } else if (next !== undefined && /^,? (?:over|by) (?:a )?$/i.test(text.slice(end, next.start)))
      add(`${value}/${next.value}`)
  }
  return found
}

const isWeight = /^ ?(?:kilos?|kilograms?|kgs?|pounds|lbs)\b/i
const changesWeight =
  /\b(?:lost|gained|lose|gain|put on|dropped|shed|up|down|by|another|extra|than|lift\w*|carr\w*)(?: (?:about|like|maybe|around|some|almost|nearly|me))* $/i
/** "Right, nappy off. Five point eight kilos.", "Jump on, mate. Twenty-eight kilos." */
const readWeighed = (sentence: Sentence, turn: Turn, score: number): ScoreFinding[] => {
  const { text } = sentence
  const value = listValues(text).find(
    ({ start, end }) => isWeight.test(text.slice(end)) && !changesWeight.test(text.slice(0, start)),
  )
  const isMeasured =
    value !== undefined &&
    turn.role === 'clinician' &&
    (score >= foundAt || text.slice(0, value.start).trim() === '')
  return isMeasured && !sentence.asks ? [toFinding('weight', withUnit(text, value), [turn.item], text)] : []
}

/** "So adding that up I get eleven", "I count eight on my list": of questions whose name nobody said. */
const addsUp =
  /\b(?:add(?:s|ed|ing)? (?:it|that|them|those|these)(?: all)? up|totals?|i count|you scored)(?:,? (?:i get|i make it|to|at|a|an|up|is|that's|you're|comes to))*,? $/i
const sumMax = 150

const readSum = (sentence: Sentence, turn: Turn, score: number): ScoreFinding[] => {
  const { text } = sentence
  if (score < foundAt || turn.role !== 'clinician') return []
  const value = listValues(text).find(
    ({ start, end, value: said }) =>
      addsUp.test(text.slice(0, start)) && Number(said) <= sumMax && !countsOther.test(text.slice(end)),
  )
  return value === undefined ? [] : [toFinding('score', value.value, [turn.item], text)]
}

/** Once people rate things, a bare number answers "where are you now?". */
const namesScale =
  /\bsuds?\b|\bon (?:the|a|that) scale\b|\b(?:zero|nought|0|one|1) to (?:a |one )?(?:ten|10|hundred|100)\b/

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
