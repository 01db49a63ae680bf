import { parentPort } from 'node:worker_threads'
import { assembleTranscript } from './assemble-transcript.js'
import type { ChunkResult } from './chunk-result.js'

const chunks: ChunkResult[] = []

/** Chunk by chunk; null after the last. */
parentPort?.on('message', (chunk: ChunkResult | null) => {
  if (chunk !== null) chunks.push(chunk)
  else parentPort?.postMessage(assembleTranscript(chunks), [])
})
