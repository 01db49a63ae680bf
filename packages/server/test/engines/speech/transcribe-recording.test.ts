import { createHash } from 'node:crypto'
import { getEventListeners } from 'node:events'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { AudioClip, RecognizedClip, SpeechEngine } from '../../../src/engines/speech/speech-engine.js'
import { makeEmbeddedEngine } from '../../../src/engines/speech/embedded-engine.js'
import type { VoiceModel } from '../../../src/engines/speech/voices/index.js'
import { openSpeechPool, type SpeechPool } from '../../../src/engines/speech/speech-pool.js'
import {
  keepInMemory,
  makeAudio,
  openSpeechBench,
  samplePath,
  wordsOf,
  type SpeechBench,
} from './speech-fixture.js'

// The processes have a low priority: on a busy machine a second of speech can take several.
vi.setConfig({ testTimeout: 240_000 })

let bench: SpeechBench
let pool: SpeechPool
let engine: SpeechEngine
let recording: Buffer
beforeAll(async () => {
  bench = await openSpeechBench()
  ;({ pool } = bench)
  engine = hearOnce(makeEmbeddedEngine(pool))
  recording = makeRecording()
})
afterAll(() => bench.close())

const transcribe: SpeechBench['transcribe'] = (bytes, changes) =>
  bench.transcribe(bytes, { engine, ...changes })

/** What it has heard it knows, as the model would say the same again: several tests are about the same sound. */
function hearOnce(heard: SpeechEngine): SpeechEngine {
  const known = new Map<string, RecognizedClip>()
  const keyOf = ({ samples }: AudioClip): string =>
    createHash('sha256')
      .update(new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength))
      .digest('hex')
  return {
    ...heard,
    recognize: async (clips, ...rest) => {
      const unknown = clips.filter((clip) => !known.has(keyOf(clip)))
      for (const [at, found] of (await heard.recognize(unknown, ...rest)).entries())
        known.set(keyOf(unknown[at]!), found)
      return clips.map((clip) => known.get(keyOf(clip))!)
    },
  }
}

const inputs = ['reader-0870.ogg', 'go-forward.ogg', 'reader-0920.ogg'].flatMap((name) => [
  '-i',
  samplePath(name),
])
const dashwood =
  'and mr john dashwood had then leisure to consider how much there might be prudently in his power to do for them'
const forward = 'go forward ten meters'
const woman = 'had he married a more amiable woman he might have been made still more respectable than he was'

const rate = 48_000

/** Counted in samples: the decoder that comes with the packages on x64 knows no padding in seconds. */
const pad = (seconds: number): string => `aresample=${rate},apad=pad_len=${Math.round(seconds * rate)}`
const padTo = (seconds: number): string => `apad=whole_len=${seconds * rate}`

/** The three samples one after the other, with pauses between them. */
const makeRecording = (): Buffer =>
  makeAudio(
    ...inputs,
    '-filter_complex',
    `[0:a]${pad(0.6)}[a];[1:a]${pad(0.6)}[b];[2:a]aresample=${rate}[c];[a][b][c]concat=n=3:v=0:a=1`,
    '-c:a',
    'libopus',
    '-f',
    'webm',
  )

/** Hears no change of voice, so that only the chunks cut. */
const oneVoice: VoiceModel = {
  track: async () => [],
  cut: async (speech) => [...speech],
  close: async () => undefined,
}

/** An engine that counts what it is given. */
function countClips(own: SpeechEngine) {
  const counted = {
    clipCount: 0,
    engine: {
      ...own,
      recognize: (...args: Parameters<SpeechEngine['recognize']>) => {
        counted.clipCount += args[0].length
        return own.recognize(...args)
      },
    },
  }
  return counted
}

describe('a recording of people who speak', () => {
  it('becomes punctuated text with its times, in order', async () => {
    const transcription = await transcribe(recording)
    expect(wordsOf(transcription)).toBe(`${dashwood} ${forward} ${woman}`)
    expect(transcription.items.map((item) => item.transcript).join(' ')).toMatch(
      /^And Mr\. John Dashwood.*\.$/,
    )
    for (const item of transcription.items) expect(item.endTime).toBeGreaterThan(item.startTime)
    expect(transcription.items.at(-1)?.endTime).toBeLessThanOrEqual(transcription.durationSeconds)
    expect(transcription.confidence).toBeGreaterThan(0.8)
  })

  it('is heard the same however it is cut into chunks: no word is cut at a border', async () => {
    const inOne = wordsOf(await transcribe(recording, { voices: oneVoice }))
    expect(wordsOf(await transcribe(recording, { voices: oneVoice, chunkSeconds: [3.1] }))).toBe(inOne)
  })

  it('tells the speakers by their channels, and has nothing twice that came through from the other side', async () => {
    // Each side hears the other 20 dB lower and 12 ms later.
    const mix =
      `[0:a]aresample=${rate},asplit[l][lb];[2:a]adelay=8000|8000,${pad(1)},asplit[r][rb];` +
      '[lb]adelay=12,volume=-20dB[lx];' +
      `[rb]adelay=12,volume=-20dB[rx];[l]${padTo(15)}[l1];[r]${padTo(15)}[r1];` +
      '[l1][rx]amix=inputs=2:duration=longest[L];[r1][lx]amix=inputs=2:duration=longest[R];[L][R]join=inputs=2'
    const bytes = makeAudio(...inputs, '-filter_complex', mix, '-t', '15', '-f', 'wav')
    const transcription = await bench.transcribe(bytes)
    expect(wordsOf(transcription)).toBe(`${dashwood} ${woman}`)
    expect(new Set(transcription.items.map((item) => item.speaker)).size).toBe(2)
  })

  it('in two channels of one microphone is heard once', async () => {
    const bytes = makeAudio('-i', samplePath('go-forward.ogg'), '-ac', '2', '-f', 'mp3')
    expect(wordsOf(await bench.transcribe(bytes))).toBe(forward)
  })
})

describe('a run that is stopped', () => {
  it('goes on after the chunks that were kept, and ends in the same transcript', async () => {
    const kept: string[] = []
    const first = countClips(engine)
    const whole = await transcribe(recording, {
      chunkSeconds: [4],
      checkpoints: keepInMemory(kept),
      engine: first.engine,
    })
    expect(kept.length).toBeGreaterThanOrEqual(4)
    const left = countClips(engine)
    const checkpoints = keepInMemory(kept.slice(0, 2))
    const resumed = await transcribe(recording, { chunkSeconds: [4], checkpoints, engine: left.engine })
    expect(resumed).toEqual(whole)
    expect(left.clipCount).toBeGreaterThan(0)
    expect(left.clipCount).toBeLessThan(first.clipCount)
  })

  it('ends with the reason of the signal, and what it kept is good', async () => {
    const controller = new AbortController()
    const kept: string[] = []
    const checkpoints = keepInMemory(kept)
    // By an engine that has heard nothing yet, and is at work when it is stopped.
    const stopped = bench.transcribe(recording, {
      chunkSeconds: [4],
      voices: oneVoice,
      signal: controller.signal,
      checkpoints: {
        ...checkpoints,
        save: async (chunk) => {
          await checkpoints.save(chunk)
          controller.abort(new Error('stopped by the operator'))
        },
      },
    })
    await expect(stopped).rejects.toThrow('stopped by the operator')
    expect(kept).toHaveLength(1)
    const resumed = await transcribe(recording, {
      chunkSeconds: [4],
      voices: oneVoice,
      checkpoints: keepInMemory(kept),
    })
    expect(wordsOf(resumed)).toBe(`${dashwood} ${forward} ${woman}`)
  })

  it('does not build on what another engine heard', async () => {
    const bytes = makeAudio('-i', samplePath('go-forward.ogg'), '-f', 'wav')
    const stranger = { index: 0, plannedSeconds: 10, model: 'another', nextStartSeconds: [2.5], clips: [] }
    const transcription = await bench.transcribe(bytes, {
      checkpoints: keepInMemory([JSON.stringify(stranger)]),
    })
    expect(wordsOf(transcription)).toBe(forward)
  })

  it('does not build on what was cut into other chunks, as before an upgrade', async () => {
    const kept: string[] = []
    const whole = await transcribe(recording, { chunkSeconds: [9], checkpoints: keepInMemory(kept) })
    const resumed = await transcribe(recording, {
      chunkSeconds: [3, 9],
      checkpoints: keepInMemory(kept.slice(0, 1)),
    })
    expect(wordsOf(resumed)).toBe(wordsOf(whole))
  })
})

describe('the speech processes', () => {
  it('that are killed at work end the job with a fault that may be tried again', async () => {
    const own = openSpeechPool()
    const asked = own.ask(
      { kind: 'hear', samples: new Float32Array(16_000 * 12) },
      new AbortController().signal,
    )
    const [outcome] = await Promise.allSettled([asked, own.close()])
    expect(outcome).toMatchObject({ status: 'rejected', reason: { name: 'EngineFault', isTransient: true } })
  })

  it('tell of a failure its class alone: messages may quote what was said', async () => {
    const channels = [{ said: 'I slept four hours' }] as unknown as Float32Array[]
    const asked = pool.ask({ kind: 'detect', channels, isLast: true }, new AbortController().signal)
    await expect(asked).rejects.toMatchObject({
      told: expect.stringMatching(/^unavailable: The speech engine failed: \w+$/),
    })
  })

  it('leave nothing on the signal once they have answered: it would hold the samples to the end', async () => {
    const { signal } = new AbortController()
    const channels = [new Float32Array(16_000)]
    expect(await pool.ask({ kind: 'detect', channels, isLast: true }, signal)).toHaveLength(1)
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  it('are refused to a pool that is closed', async () => {
    const own = openSpeechPool()
    await own.close()
    const asked = own.ask({ kind: 'detect', channels: [], isLast: true }, new AbortController().signal)
    await expect(asked).rejects.toMatchObject({ kind: 'unavailable' })
  })
})
