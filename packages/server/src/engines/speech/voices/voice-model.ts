import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { startingModule } from '../../../kernel/own-files.js'
import { forbidTelemetry } from '../../onnx-telemetry.js'
import { sampleRate, type Span } from '../speech-engine.js'
import { layWindows, type VoiceWindow } from './voice-windows.js'

export interface VoiceModel {
  /** Windows over the stretches of speech. Samples begin `offsetSeconds` into the recording; spans count from its start. */
  track(samples: Float32Array, offsetSeconds: number, speech: readonly Span[]): Promise<VoiceWindow[]>
  /** See cutAtVoiceChanges, which takes 50 ms for a minute: the thread does that, too. */
  cut(speech: readonly Span[], windows: readonly VoiceWindow[]): Promise<Span[]>
  close(): Promise<void>
}

/** Where nobody's voice is to be told apart, none is looked at. */
export const unheardVoices: VoiceModel = {
  track: async () => [],
  cut: async (speech) => [...speech],
  close: async () => {},
}

export type VoiceQuestion =
  | { kind: 'embed'; samples: Float32Array; windows: readonly Span[] }
  | { kind: 'cut'; speech: readonly Span[]; windows: readonly VoiceWindow[] }

export interface VoiceAnswers {
  embed: Float32Array[]
  cut: Span[]
}

export interface VoiceRequest {
  id: number
  question: VoiceQuestion
}

export interface VoiceReply {
  id: number
  found?: VoiceAnswers[VoiceQuestion['kind']]
  fault?: string
  /** The memory of the question's samples, given back. */
  spare?: ArrayBuffer
}

/** A minute of samples in one message: 4 MB copied, whatever the length of the recording. */
const messageSecondsMax = 60

/** The features of a frame look 1.5 s to each side. */
const marginSeconds = 1.6

/** With a second for rounding and for a window that is longer than it should be. */
const messageBytesMax = Math.ceil((messageSecondsMax + 2 * marginSeconds + 1) * sampleRate) * 4

/** As many recordings at a time as are usually transcribed. */
const sparesMax = 2

interface Waiting {
  resolve: (found: VoiceAnswers[VoiceQuestion['kind']]) => void
  reject: (error: Error) => void
}

const workerFile = startingModule('engines/speech/voices/voice-worker.js')

/** Opens the network on a thread of its own; resolves when it can be asked. */
export async function openVoiceModel(): Promise<VoiceModel> {
  forbidTelemetry()
  const worker = new Worker(workerFile)
  const waiting = new Map<number, Waiting>()
  const spares = makeSpares()
  let lastId = 0
  let fault: Error | null = null

  const endWith = (error: Error): void => {
    fault ??= error
    for (const { reject } of waiting.values()) reject(fault)
    waiting.clear()
  }
  worker.on('message', ({ id, found, fault: text, spare }: VoiceReply) => {
    if (spare) spares.give(spare)
    const asked = waiting.get(id)
    waiting.delete(id)
    // An idle model must not keep the process alive; one that is asked must.
    if (waiting.size === 0) worker.unref()
    if (found === undefined) asked?.reject(new Error(`The voice model failed: ${text}`))
    else asked?.resolve(found)
  })
  worker.on('error', (error) => endWith(new Error('The voice model has stopped', { cause: error })))
  worker.on('exit', () => endWith(new Error('The voice model is closed')))

  const wait = <T>(id: number): Promise<T> => {
    worker.ref()
    return new Promise((resolve, reject) =>
      waiting.set(id, { resolve: resolve as Waiting['resolve'], reject }),
    )
  }
  const ask: Ask = (question) => {
    if (fault !== null) return Promise.reject(fault)
    const id = ++lastId
    const answer = wait<VoiceAnswers[(typeof question)['kind']]>(id)
    const given = question.kind === 'embed' ? [question.samples.buffer as ArrayBuffer] : []
    worker.postMessage({ id, question } satisfies VoiceRequest, given)
    return answer
  }
  await wait(0)

  return {
    track: (samples, offsetSeconds, speech) => trackVoices(ask, spares, samples, offsetSeconds, speech),
    cut: (speech, windows) => ask({ kind: 'cut', speech, windows }),
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

interface Spares {
  copy(samples: Float32Array): Float32Array
  give(memory: ArrayBuffer): void
}

/**
 * The memory of questions goes to the thread and back. Fresh memory for each would stay with the thread until its collector
 * runs, which sees only its own heap and is late: 60 MB.
 */
function makeSpares(): Spares {
  const spares: ArrayBuffer[] = []
  return {
    copy(samples) {
      const memory = spares.pop() ?? new ArrayBuffer(messageBytesMax)
      const copy = new Float32Array(memory, 0, samples.length)
      copy.set(samples)
      return copy
    },
    give(memory) {
      if (spares.length < sparesMax) spares.push(memory)
    },
  }
}

type Ask = <Q extends VoiceQuestion>(question: Q) => Promise<VoiceAnswers[Q['kind']]>

async function trackVoices(
  ask: Ask,
  spares: Spares,
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
    const vectors = await ask({
      kind: 'embed',
      samples: spares.copy(samples.subarray(firstSample, Math.ceil(to * sampleRate))),
      windows: windows.map(({ startSeconds, endSeconds }) => ({
        startSeconds: startSeconds - shift,
        endSeconds: endSeconds - shift,
      })),
    })
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
