import { parentPort } from 'node:worker_threads'
import { assembleTranscript } from './assemble-transcript.js'
import type { ChunkResult } from './chunk-result.js'

parentPort?.once('message', (chunks: readonly ChunkResult[]) => {
  parentPort?.postMessage(assembleTranscript(chunks), [])
})
