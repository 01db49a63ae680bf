import { basename } from 'node:path'
import { InferenceSession } from 'onnxruntime-node'
import { errnoOf } from '../kernel/errno.js'
import { EngineFault } from './engine-fault.js'
import { hashFile } from './models/local/hash-file.js'
import { forbidTelemetry } from './onnx-telemetry.js'
import { requireReleasedLibraries } from './released-libraries.js'

/** A file, and what it must be. */
export interface Weights {
  file: string
  sha256: string
}

export interface SessionOptions {
  threads: number
  /** Whether the runtime keeps the memory of a run for the next one. */
  isArena: boolean
}

/**
 * Spinning threads of two sessions fight for the cores. The arena pays where runs are many and small: without it every step
 * of the decoder maps and clears fresh memory (0.24 instead of 0.14 s for a second of sound). Where a run is long it only
 * keeps memory: without it the encoder takes 0.5 % longer and its process 40 MB less. Bytes were checked by who read them; a file
 * is checked here.
 */
export async function openOnnxSession(
  model: Weights | Uint8Array,
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
  forbidTelemetry()
  await requireReleasedLibraries()
  if (model instanceof Uint8Array) return InferenceSession.create(model, options)
  await requireRecorded(model)
  return InferenceSession.create(model.file, options)
}

/** Read twice instead of kept: the weights of the speech model would be 60 MB more at the peak of two processes. */
async function requireRecorded({ file, sha256 }: Weights): Promise<void> {
  const found = await hashFile(file).catch((error: unknown) => {
    const code = errnoOf(error)
    throw new EngineFault('unavailable', `The weights ${basename(file)} cannot be read: ${code ?? 'unknown'}`)
  })
  if (found !== sha256)
    throw new EngineFault(
      'refused',
      `The weights ${basename(file)} are not the file whose hash was recorded: sha256 ${found.slice(0, 12)}…, not ${sha256.slice(0, 12)}…`,
    )
}
