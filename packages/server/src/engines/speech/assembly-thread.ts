import { parentPort, workerData } from 'node:worker_threads'
import { assembleTranscript } from './assemble-transcript.js'
import type { ChunkResult } from './chunk-result.js'

const transcript = assembleTranscript(workerData as readonly ChunkResult[])
parentPort?.postMessage(transcript, [])
