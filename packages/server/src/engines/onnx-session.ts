import { InferenceSession } from 'onnxruntime-node'

export interface SessionOptions {
  threads: number
  /** Whether the runtime keeps the memory of a run for the next one. */
  isArena: boolean
}

/**
 * Spinning threads of two sessions fight for the cores. The arena pays where runs are many and small: without it every step
 * of the decoder maps and clears fresh memory (0.24 instead of 0.14 s for a second of sound). Where a run is long it only
 * keeps memory: without it the encoder takes 0.5 % longer and its process 40 MB less.
 */
export function openOnnxSession(
  model: string | Uint8Array,
  { threads, isArena }: SessionOptions,
): Promise<InferenceSession> {
  const options: InferenceSession.SessionOptions = {
    executionProviders: ['cpu'],
    graphOptimizationLevel: 'all',
    executionMode: 'sequential',
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    enableCpuMemArena: isArena,
    enableMemPattern: isArena,
    // Errors only: its warnings go straight to the terminal.
    logSeverityLevel: 3,
    extra: { session: { intra_op: { allow_spinning: '0' } } },
  }
  return typeof model === 'string'
    ? InferenceSession.create(model, options)
    : InferenceSession.create(model, options)
}
