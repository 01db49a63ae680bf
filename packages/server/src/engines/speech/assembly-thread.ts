import { parentPort, workerData } from 'node:worker_threads'
import { assembleTranscript } from './assemble-transcript.js'
import type { ChunkResult } from './chunk-result.js'

parentPort?.postMessage(assembleTranscript(workerData as readonly ChunkResult[]))
