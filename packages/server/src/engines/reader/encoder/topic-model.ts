import { InferenceSession, Tensor } from 'onnxruntime-node'
import { openOnnxSession } from '../../onnx-session.js'
import { TOPICS, type TopicScores } from '../reading.js'
import { buildWindows, type SpokenItem, type Window } from './build-windows.js'
import { makeWordPieces, PAD, type WordPieces } from './word-pieces.js'
import type { ReaderWeights } from './load-weights.js'

export interface TopicModel {
  /** How likely each topic is, for each item. */
  judge(items: readonly SpokenItem[]): Promise<TopicScores[]>
}

/** The same as in the reference: the eight-bit scales of a run depend on all that is in it. */
const batchSize = 16
/** What is below is noise, and would be most of what is sent and kept. */
const scoreMin = 0.02

export async function openTopicModel(weights: ReaderWeights, threads: number): Promise<TopicModel> {
  // With the arena an hour of short turns peaks at 220 MB, without it at 535 MB and in the same time. Of long turns: 334 MB.
  const session = await openOnnxSession(weights.model, { threads, isArena: true })
  const pieces = makeWordPieces(weights.vocabulary)
  return { judge: (items) => judgeItems(session, pieces, items) }
}

async function judgeItems(
  session: InferenceSession,
  pieces: WordPieces,
  items: readonly SpokenItem[],
): Promise<TopicScores[]> {
  const best = items.map(() => new Float32Array(TOPICS.length))
  const windows = [...buildWindows(items, pieces)].toSorted((a, b) => a.ids.length - b.ids.length)
  for (let at = 0; at < windows.length; at += batchSize) {
    const batch = windows.slice(at, at + batchSize)
    const figures = await runBatch(session, batch)
    for (const [row, { item }] of batch.entries())
      for (let topic = 0; topic < TOPICS.length; topic++)
        best[item]![topic] = Math.max(best[item]![topic] ?? 0, figures[row * TOPICS.length + topic] ?? 0)
    if (at % (batchSize * gcEveryRuns) === 0) globalThis.gc?.()
  }
  return best.map(toScores)
}

/** The tensors lie outside of the heap, where the collector does not see them pile up. */
const gcEveryRuns = 4

async function runBatch(session: InferenceSession, batch: readonly Window[]): Promise<Float32Array> {
  const length = Math.max(...batch.map(({ ids }) => ids.length))
  const shape = [batch.length, length]
  const size = batch.length * length
  const [ids, mask] = [new BigInt64Array(size).fill(BigInt(PAD)), new BigInt64Array(size)]
  const now = new Float32Array(size)
  for (const [row, window] of batch.entries()) {
    const start = row * length
    for (const [at, id] of window.ids.entries()) ids[start + at] = BigInt(id)
    mask.fill(1n, start, start + window.ids.length)
    now.fill(1, start + window.nowStart, start + window.nowStart + window.nowLength)
  }
  const { p } = await session.run({
    input_ids: new Tensor('int64', ids, shape),
    attention_mask: new Tensor('int64', mask, shape),
    token_type_ids: new Tensor('int64', new BigInt64Array(size), shape),
    now_mask: new Tensor('float32', now, shape),
  })
  return p?.data as Float32Array
}

const toScores = (figures: Float32Array): TopicScores => {
  const scores: TopicScores = {}
  for (const [index, topic] of TOPICS.entries()) {
    const score = Math.round((figures[index] ?? 0) * 100) / 100
    if (score >= scoreMin) scores[topic] = score
  }
  return scores
}
