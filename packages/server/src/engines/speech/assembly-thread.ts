import { parentPort } from 'node:worker_threads'
import { assembleTranscript } from './assemble-transcript.js'
import type { ChunkResult } from './chunk-result.js'
import type { AssemblyEnd } from './make-assembly.js'

const chunks: ChunkResult[] = []

/** Chunk by chunk. */
parentPort?.on('message', (message: ChunkResult | AssemblyEnd) => {
  if ('vocabulary' in message)
    parentPort?.postMessage(assembleTranscript(chunks, message.vocabulary, message.isDictated), [])
  else chunks.push(message)
})
