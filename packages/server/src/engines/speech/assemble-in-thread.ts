import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { AssembledTranscript } from './assemble-transcript.js'
import type { ChunkResult } from './chunk-result.js'

/** Only the compiler's output is JavaScript: tests, which run the sources, start the thread from it as well. */
const threadFile = new URL(
  import.meta.url.endsWith('.ts')
    ? '../../../dist/engines/speech/assembly-thread.js'
    : './assembly-thread.js',
  import.meta.url,
)

/**
 * Comparing the voices and words of three hours takes seconds, for which nothing else on the thread would be answered. The
 * thread lives for one recording: starting it takes 0.1 s, and nobody needs its memory afterwards.
 */
export async function assembleInThread(
  chunks: readonly ChunkResult[],
  signal: AbortSignal,
): Promise<AssembledTranscript> {
  signal.throwIfAborted()
  const worker = new Worker(threadFile, { workerData: chunks })
  try {
    const [assembled] = (await once(worker, 'message', { signal })) as [AssembledTranscript]
    return assembled
  } catch (error) {
    signal.throwIfAborted()
    throw error
  } finally {
    await worker.terminate()
  }
}
