import { once } from 'node:events'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { startingModule } from '../../kernel/own-files.js'
import { EngineFault } from '../engine-fault.js'
import type { SpokenTerm } from '../lexicon/correct-vocabulary.js'
import type { AssembledTranscript } from './assemble-transcript.js'
import type { ChunkResult } from './chunk-result.js'

const threadFile = startingModule('engines/speech/assembly-thread.js')

/** After the last chunk. */
export interface AssemblyEnd {
  vocabulary: readonly SpokenTerm[] | null
  isDictated: boolean
}

/**
 * Comparing the voices and words of three hours takes seconds, for which nothing else on the thread would be answered. The
 * thread lives for one recording: nobody needs its memory afterwards.
 */
export interface Assembly {
  /** Takes 0.3 s: best done while the last words are being heard. */
  start: () => void
  assemble(chunks: readonly ChunkResult[], end: AssemblyEnd): Promise<AssembledTranscript>
  close(): Promise<void>
}

/** The densest three hours take seconds; who has the one place for transcribing holds it no longer than this for nothing. */
const usualTimeoutMs = 300_000

/** Three hours of words and voices are some hundred megabytes. */
const memoryMostMb = 2_048

export function makeAssembly(signal: AbortSignal, timeoutMs = usualTimeoutMs): Assembly {
  let thread: { worker: Worker; answer: Promise<unknown[]> } | null = null
  const startOnce = () => (thread ??= startThread(signal))
  return {
    start: () => void startOnce(),
    async assemble(chunks, end) {
      signal.throwIfAborted()
      const { worker, answer } = startOnce()
      for (const chunk of chunks) {
        worker.postMessage(chunk, [])
        // Copying three hours at once would take longer than a turn may.
        await nextTurn()
      }
      worker.postMessage(end, [])
      try {
        const [assembled] = (await withinMs(answer, timeoutMs)) as [AssembledTranscript]
        return assembled
      } catch (error) {
        signal.throwIfAborted()
        throw error
      }
    },
    close: async () => void (await thread?.worker.terminate()),
  }
}

function startThread(signal: AbortSignal) {
  const worker = new Worker(threadFile, { resourceLimits: { maxOldGenerationSizeMb: memoryMostMb } })
  const answer = once(worker, 'message', { signal })
  // It is awaited later; until then its failure must not pass for one that nobody handles.
  answer.catch(() => undefined)
  return { worker, answer }
}

async function withinMs<Answer>(answer: Promise<Answer>, timeoutMs: number): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined
  const overdue = new Promise<never>((_resolve, reject) => {
    const fault = new EngineFault('timeout', `a transcript was not put together within ${timeoutMs} ms`)
    timer = setTimeout(() => reject(fault), timeoutMs)
  })
  try {
    return await Promise.race([answer, overdue])
  } finally {
    clearTimeout(timer)
  }
}
