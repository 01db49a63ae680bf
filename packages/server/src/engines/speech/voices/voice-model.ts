import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { sampleRate, type Span } from '../speech-engine.js'
import { layWindows, type VoiceWindow } from './voice-windows.js'

export interface VoiceModel {
  /** Windows over the stretches of speech. Samples begin `offsetSeconds` into the recording; spans count from its start. */
  track(samples: Float32Array, offsetSeconds: number, speech: readonly Span[]): Promise<VoiceWindow[]>
  close(): Promise<void>
}

export interface VoiceRequest {
  id: number
  samples: Float32Array
  windows: readonly Span[]
}

export interface VoiceAnswer {
  id: number
  vectors?: Float32Array[]
  fault?: string
}

/** A minute of samples in one message: 4 MB copied, whatever the length of the recording. */
const messageSecondsMax = 60

/** The features of a frame look 1.5 s to each side. */
const marginSeconds = 1.6

interface Waiting {
  resolve: (vectors: Float32Array[]) => void
  reject: (error: Error) => void
}

/** Only the compiler's output is JavaScript: tests, which run the sources, start the thread from it as well. */
const workerFile = new URL(
  import.meta.url.endsWith('.ts')
    ? '../../../../dist/engines/speech/voices/voice-worker.js'
    : './voice-worker.js',
  import.meta.url,
)

/** Opens the network on a thread of its own; resolves when it can be asked. */
export async function openVoiceModel(): Promise<VoiceModel> {
  const worker = new Worker(workerFile)
  const waiting = new Map<number, Waiting>()
  let lastId = 0
  let fault: Error | null = null

  const endWith = (error: Error): void => {
    fault ??= error
    for (const { reject } of waiting.values()) reject(fault)
    waiting.clear()
  }
  worker.on('message', ({ id, vectors, fault: text }: VoiceAnswer) => {
    const asked = waiting.get(id)
    waiting.delete(id)
    // An idle model must not keep the process alive; one that is asked must.
    if (waiting.size === 0) worker.unref()
    if (vectors === undefined) asked?.reject(new Error(`The voice model failed: ${text}`))
    else asked?.resolve(vectors)
  })
  worker.on('error', (error) => endWith(new Error('The voice model has stopped', { cause: error })))
  worker.on('exit', () => endWith(new Error('The voice model is closed')))

  const wait = (id: number): Promise<Float32Array[]> => {
    worker.ref()
    return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }))
  }
  const ask = (samples: Float32Array, windows: readonly Span[]): Promise<Float32Array[]> => {
    if (fault !== null) return Promise.reject(fault)
    const id = ++lastId
    const answer = wait(id)
    worker.postMessage({ id, samples, windows } satisfies VoiceRequest, [samples.buffer as ArrayBuffer])
    return answer
  }
  await wait(0)

  return {
    track: (samples, offsetSeconds, speech) => trackVoices(ask, samples, offsetSeconds, speech),
    close: () => closeWorker(worker),
  }
}

/** The thread releases the network and ends by itself: stopping it in the middle of a run is not safe for the runtime. */
async function closeWorker(worker: Worker): Promise<void> {
  if (worker.threadId < 0) return
  const ended = once(worker, 'exit')
  worker.ref()
  worker.postMessage('close', [])
  await ended
}

type Ask = (samples: Float32Array, windows: readonly Span[]) => Promise<Float32Array[]>

async function trackVoices(
  ask: Ask,
  samples: Float32Array,
  offsetSeconds: number,
  speech: readonly Span[],
): Promise<VoiceWindow[]> {
  const tracked: VoiceWindow[] = []
  for (const windows of groupWindows(layWindows(speech))) {
    const from = Math.max(0, windows[0]!.startSeconds - marginSeconds - offsetSeconds)
    const to = Math.max(...windows.map(({ endSeconds }) => endSeconds)) + marginSeconds - offsetSeconds
    const firstSample = Math.floor(from * sampleRate)
    const shift = offsetSeconds + firstSample / sampleRate
    const vectors = await ask(
      samples.slice(firstSample, Math.ceil(to * sampleRate)),
      windows.map(({ startSeconds, endSeconds }) => ({
        startSeconds: startSeconds - shift,
        endSeconds: endSeconds - shift,
      })),
    )
    for (const [i, window] of windows.entries()) tracked.push({ ...window, vector: vectors[i]! })
  }
  return tracked
}

function groupWindows(windows: readonly Span[]): Span[][] {
  const groups: Span[][] = []
  for (const window of windows) {
    const group = groups.at(-1)
    const isNear = group !== undefined && window.endSeconds - group[0]!.startSeconds <= messageSecondsMax
    if (isNear) group.push(window)
    else groups.push([window])
  }
  return groups
}
