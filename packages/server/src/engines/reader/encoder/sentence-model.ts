import { InferenceSession, Tensor } from 'onnxruntime-node'
import { openOnnxSession } from '../../onnx-session.js'
import type { Turn } from '../talk/read-talk.js'
import { buildWindows, type Span, type Window } from './build-windows.js'
import { FIGURES_COUNT, readFigures, type ItemFigures } from './figures.js'
import { makeWordPieces, PAD, type WordPieces } from './word-pieces.js'
import type { ReaderWeights } from './load-weights.js'

export interface SentenceModel {
  /** One for each turn. */
  judge(turns: readonly Turn[]): Promise<ItemFigures[]>
}

/** The encoder's 8-bit arithmetic takes its scales from the whole batch, so a batch of another size gives slightly different figures. */
const batchSize = 4

export async function openSentenceModel(weights: ReaderWeights, threads: number): Promise<SentenceModel> {
  const session = await openOnnxSession(weights.model, { threads, isArena: true })
  const pieces = makeWordPieces(weights.vocabulary)
  return { judge: (turns) => judgeTurns(session, pieces, turns) }
}

async function judgeTurns(
  session: InferenceSession,
  pieces: WordPieces,
  turns: readonly Turn[],
): Promise<ItemFigures[]> {
  const rows = turns.map(({ sentences }) => sentences.map(() => new Float32Array(FIGURES_COUNT)))
  const windows = [...buildWindows(turns, pieces)].toSorted((a, b) => a.ids.length - b.ids.length)
  for (let start = 0; start < windows.length; start += batchSize) {
    const batch = windows.slice(start, start + batchSize)
    const { figures, count } = await runBatch(session, batch)
    for (const [row, { judged }] of batch.entries())
      for (const [place, { item, at }] of judged.entries()) {
        const from = (row * count + place) * FIGURES_COUNT
        rows[item]?.[at]?.set(figures.subarray(from, from + FIGURES_COUNT))
      }
    if (start % (batchSize * gcEveryRuns) === 0) globalThis.gc?.()
  }
  return rows.map(readFigures)
}

/** The tensors lie outside of the heap, where the collector does not see them pile up. */
const gcEveryRuns = 4

async function runBatch(
  session: InferenceSession,
  batch: readonly Window[],
): Promise<{ figures: Float32Array; count: number }> {
  const length = Math.max(...batch.map(({ ids }) => ids.length))
  const count = Math.max(...batch.map(({ judged }) => judged.length))
  const shape = [batch.length, length]
  const spanShape = [batch.length, count, length]
  const size = batch.length * length
  const [ids, mask] = [new BigInt64Array(size).fill(BigInt(PAD)), new BigInt64Array(size)]
  const [sentences, turns] = [new Float32Array(size * count), new Float32Array(size * count)]
  for (const [row, window] of batch.entries()) {
    const start = row * length
    for (const [at, id] of window.ids.entries()) ids[start + at] = BigInt(id)
    mask.fill(1n, start, start + window.ids.length)
    for (const [place, { sentence, turn }] of window.judged.entries()) {
      const from = (row * count + place) * length
      fillMean(sentences, from, sentence)
      fillMean(turns, from, turn)
    }
  }
  const { z } = await session.run({
    input_ids: new Tensor('int64', ids, shape),
    attention_mask: new Tensor('int64', mask, shape),
    token_type_ids: new Tensor('int64', new BigInt64Array(size), shape),
    sentences: new Tensor('float32', sentences, spanShape),
    turns: new Tensor('float32', turns, spanShape),
  })
  return { figures: z?.data as Float32Array, count }
}

const fillMean = (weights: Float32Array, from: number, [start, end]: Span): void => {
  weights.fill(1 / (end - start), from + start, from + end)
}
