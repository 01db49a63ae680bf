// A process of its own, so that the encoder never delays the API, runs with a low priority, and can be killed.
import { setPriority } from 'node:os'
import { EngineFault } from '../engine-fault.js'
import { loadWeights } from './encoder/load-weights.js'
import { openSentenceModel, type SentenceModel } from './encoder/sentence-model.js'
import { readFindings } from './read-findings.js'
import type { ReadReply, ReadRequest } from './reader-messages.js'
import { packFigures } from './reading.js'
import { readTalk } from './talk/read-talk.js'

const [folder = '', threads = '1'] = process.argv.slice(2)
let model: Promise<SentenceModel> | null = null

async function answer({ items }: ReadRequest): Promise<ReadReply> {
  model ??= loadWeights(folder).then((weights) => openSentenceModel(weights, Number(threads)))
  const turns = readTalk(items)
  const figures = await (await model).judge(turns)
  const topics = figures.map((one) => one.topics)
  const reading = {
    figures: packFigures({ topics, sentences: figures.map((one) => one.sentences) }),
    ...readFindings(
      turns,
      topics,
      figures.map((one) => one.danger),
    ),
  }
  globalThis.gc?.()
  return { reading }
}

/** It is logged. Other messages than ours stay here: one of a model or a parser may quote what was said. */
function nameFault(error: unknown): ReadReply {
  if (error instanceof EngineFault) return { fault: { kind: error.kind, message: error.message } }
  const name = error instanceof Error ? error.name : typeof error
  return { fault: { kind: 'unavailable', message: `The reader failed: ${name}` } }
}

function lowerPriority(): void {
  try {
    setPriority(10)
  } catch {
    // A container may forbid it; then the API shares the cores evenly.
  }
}

lowerPriority()
// Nobody is left to answer to.
process.on('disconnect', () => process.exit(0))
process.on('message', (request: ReadRequest) => {
  void answer(request)
    .catch(nameFault)
    .then((reply) => process.send?.(reply))
})
