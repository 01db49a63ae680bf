import {
  PLACES,
  STANDS,
  TOPICS,
  type Place,
  type SentenceFigures,
  type Stands,
  type TopicScores,
} from '../reading.js'

/** What an item says of danger, if it speaks of any: shares of one each. */
export interface DangerFigures {
  /** For each sentence, how likely it is the one. */
  sentences: readonly number[]
  standing: Readonly<Record<'affirmed' | 'denied' | 'unclear', number>>
  time: Readonly<Record<'present' | 'past', number>>
  whose: Readonly<Record<'client' | 'other', number>>
}

/** What the encoder says of one item. */
export interface ItemFigures {
  topics: TopicScores
  sentences: readonly SentenceFigures[]
  danger: DangerFigures
}

/* The encoder's figures for one sentence, in the order in which it was trained to give them. */
const placesFrom = TOPICS.length
const worthFrom = placesFrom + PLACES.length
const standsFrom = worthFrom + 3
const dangerFrom = standsFrom + STANDS.length
export const FIGURES_COUNT = dangerFrom + 3 + 2 + 2

/** What is below is noise, and would be most of what is sent and kept. */
const figureMin = 0.02

/** The figures of one item, by those of all its sentences; an item without words has none. */
export function readFigures(rows: readonly Float32Array[]): ItemFigures {
  const mean = Float32Array.from({ length: FIGURES_COUNT }, (_, at) =>
    rows.reduce((sum, row) => sum + (row[at] ?? 0) / rows.length, 0),
  )
  const [affirmed = 0, denied = 0, unclear = 0] = share(mean, dangerFrom, 3)
  const [present = 0, past = 0] = share(mean, dangerFrom + 3, 2)
  const [client = 0, other = 0] = share(mean, dangerFrom + 5, 2)
  const sentences = rows.map(readSentence)
  return {
    topics: readTopics(rows),
    sentences,
    danger: {
      sentences: sentences.map(({ places }) => places.danger ?? 0),
      standing: { affirmed, denied, unclear },
      time: { present, past },
      whose: { client, other },
    },
  }
}

/** A topic of one sentence is one of its turn: nearly the highest figure counts, as in training. */
function readTopics(rows: readonly Float32Array[]): TopicScores {
  const scores: TopicScores = {}
  if (rows.length === 0) return scores
  for (const [at, topic] of TOPICS.entries()) {
    const highest = Math.max(...rows.map((row) => row[at] ?? 0))
    const sum = rows.reduce((all, row) => all + Math.exp(2 * ((row[at] ?? 0) - highest)), 0)
    const score = round(1 / (1 + Math.exp(-(highest + Math.log(sum) / 2 - 0.15 * Math.log(rows.length)))))
    if (score >= figureMin) scores[topic] = score
  }
  return scores
}

function readSentence(row: Float32Array): SentenceFigures {
  const places: Partial<Record<Place, number>> = {}
  for (const [at, figure] of share(row, placesFrom, PLACES.length, placesHeat).entries())
    if (figure >= figureMin) places[PLACES[at]!] = round(figure)
  const stands: Partial<Record<Stands, number>> = {}
  for (const [at, figure] of share(row, standsFrom, STANDS.length).entries())
    if (figure >= figureMin) stands[STANDS[at]!] = round(figure)
  const [, useful = 0, key = 0] = share(row, worthFrom, 3)
  return { places, stands, worth: round(useful / 2 + key) }
}

const round = (figure: number): number => Math.round(figure * 100) / 100

/** The encoder is surer of a sentence's place than it may be: chosen on 32 consultations that it was not trained on. */
const placesHeat = 1.4

/** Figures that exclude each other, as shares of one. */
function share(row: Float32Array, from: number, count: number, heat = 1): number[] {
  const own = Array.from(row.subarray(from, from + count), (figure) => figure / heat)
  const highest = Math.max(...own)
  const powers = own.map((figure) => Math.exp(figure - highest))
  const sum = powers.reduce((all, power) => all + power, 0)
  return powers.map((power) => power / sum)
}
