import { PLACES, type Place, type Topic } from '../../reader/reading.js'
import { heatOfSaid, type Said, type Talk } from './read-turns.js'
import { hiddenWeights, outputWeights } from './surroundings-weights.js'

/*
 * How likely each sentence belongs to talk about danger, by its own figures and those of what is said around it: "I will. I'm going up there now." is of a safety plan because of
 * what stands before it. A small network, trained by `eval/train-surroundings.js` on 232 sessions in which people marked every such sentence.
 */

/** How much a sentence, or its item, is taken for talk about danger. */
export const heatOf = (said: Said): number => Math.max(said.figures.places.danger ?? 0, heatOfSaid(said))

const reach = { heats: 8, sentences: 2, steps: 2 }
const farthest = [4, 8, 16, 30]
const windows = [6, 15]
/** The heat that so many sentences of a session reach says how much danger there is in it. */
const hotSentences = 10

const topics: readonly Topic[] = [
  'protective',
  'safety_plan',
  'plan',
  'medication',
  'symptoms',
  'social_history',
  'intervention',
  'trauma_history',
  'psych_history',
]
const places: readonly Place[] = PLACES.filter((place) => place !== 'danger' && place !== 'allergies')

/** What the network is shown of each sentence. */
export function describeSurroundings({ sentences }: Pick<Talk, 'sentences'>): number[][] {
  const heats = sentences.map(heatOf)
  const own = sentences.map(({ figures }) => figures.places.danger ?? 0)
  const steps = sentences.map((said) => topicOf(said, 'safety_plan'))
  const sorted = heats.toSorted((a, b) => b - a)
  const overall = [sorted[Math.min(sorted.length - 1, hotSentences)] ?? 0, 3 * mean(heats)]
  return sentences.map((said, at) => [
    ...around(heats, at, reach.heats).map(toLogit),
    ...around(own, at, reach.sentences).map(toLogit),
    ...farthest.flatMap((far) => [
      Math.max(0, ...heats.slice(Math.max(0, at - far), at)),
      Math.max(0, ...heats.slice(at + 1, at + 1 + far)),
    ]),
    ...windows.map((far) => 2 * mean(heats.slice(Math.max(0, at - far), at + far + 1))),
    ...topics.map((topic) => topicOf(said, topic)),
    ...places.map((place) => said.figures.places[place] ?? 0),
    Math.max(...around(steps, at, reach.steps)),
    said.speaker === 'clinician' ? 1 : 0,
    said.asks ? 1 : 0,
    Math.log(1 + said.words) / 4,
    ...overall,
    said.figures.worth,
    said.turn === sentences[at - 1]?.turn ? 1 : 0,
    at / sentences.length,
  ])
}

/** For each sentence of a talk: 0 to 1. */
export const weighSurroundings = (talk: Pick<Talk, 'sentences'>): number[] =>
  describeSurroundings(talk).map(weigh)

function weigh(features: readonly number[]): number {
  const hidden = hiddenWeights.map((weights) => Math.tanh(dot(weights, features)))
  return 1 / (1 + Math.exp(-dot(outputWeights, [...hidden, ...features])))
}

/** The last weight is what is added. */
const dot = (weights: readonly number[], values: readonly number[]): number =>
  values.reduce((sum, value, at) => sum + value * (weights[at] ?? 0), weights[values.length] ?? 0)

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / (values.length || 1)

/** With nothing where the talk begins or ends. */
const around = (values: readonly number[], at: number, far: number): number[] =>
  Array.from({ length: 2 * far + 1 }, (_, offset) => values[at - far + offset] ?? 0)

const toLogit = (share: number): number => Math.log((share + 0.01) / (1.01 - share)) / 5

const topicOf = (said: Said, topic: Topic): number =>
  Math.max(0, ...said.topics.map((own) => own[topic] ?? 0))
