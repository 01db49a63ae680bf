import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { decodeRecording, type DecodedChunk } from '../../../src/engines/speech/audio/decode-recording.js'
import type { ChunkResult } from '../../../src/engines/speech/chunk-result.js'
import { followSound } from '../../../src/engines/speech/live/follow-sound.js'
import {
  makeLiveHearing,
  type DraftLine,
  type LiveHearing,
} from '../../../src/engines/speech/live/live-hearing.js'
import { recognizeChunks } from '../../../src/engines/speech/recognize-chunks.js'
import { findSpeech, measureLevels } from '../../../src/engines/speech/silero/find-speech.js'
import { frameLength } from '../../../src/engines/speech/silero/silero-model.js'
import { sampleRate, type AudioClip, type SpeechEngine } from '../../../src/engines/speech/speech-engine.js'
import type { DetectedSpeech, SpeechRequest } from '../../../src/engines/speech/speech-messages.js'
import type { SpeechPool } from '../../../src/engines/speech/speech-pool.js'
import { decoder, keepInMemory, makeAudio } from './speech-fixture.js'

const sample = fileURLToPath(new URL('../../../samples/medication-management.ogg', import.meta.url))
const signal = new AbortController().signal
const tracks = [{ stream: 0, channelCount: 1 }]

/** Speech is what is loud: the models cost a minute here, and what is tested is how they are asked. */
const detect = ({ channels, isLast }: Extract<SpeechRequest, { kind: 'detect' }>): DetectedSpeech[] =>
  channels.map((samples) => {
    const levels = measureLevels(samples)
    const scores = levels.map((level) => (level > 1e-4 ? 1 : 0))
    const { spans, openFrom } = findSpeech(scores, levels, isLast)
    const seconds = (frame: number): number => Math.min(frame * frameLength, samples.length) / sampleRate
    return {
      spans: spans.map(({ start, end }) => ({ startSeconds: seconds(start), endSeconds: seconds(end) })),
      openFromSeconds: openFrom === null ? null : seconds(openFrom),
    }
  })
const pool = {
  ask: async (request: Extract<SpeechRequest, { kind: 'detect' }>) => detect(request),
  close: async () => undefined,
} as unknown as SpeechPool

const oneVoice = {
  track: async () => [],
  cut: async (speech: readonly { startSeconds: number; endSeconds: number }[]) => [...speech],
  close: async () => undefined,
}

/** Each clip is told by its sound: other samples are other words. */
function makeEngine() {
  const heard: AudioClip[] = []
  const engine: SpeechEngine = {
    name: 'embedded',
    model: 'stand-in',
    recognize: async (clips) => {
      heard.push(...clips)
      return clips.map(({ samples }) => {
        const bytes = new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength)
        return { text: createHash('sha256').update(bytes).digest('hex').slice(0, 8), confidence: 1 }
      })
    },
    close: async () => undefined,
  }
  return { engine, heard }
}

const recording = (seconds: number, ...more: string[]): Buffer =>
  makeAudio('-t', String(seconds), '-i', sample, '-ac', '1', ...more, '-c:a', 'libopus', '-f', 'webm')

const decode = (open: () => Readable, chunkSeconds: readonly [number]) =>
  decodeRecording({ decoder, input: { kind: 'stream', open }, tracks, chunkSeconds, signal })

/** In pieces of a size that fits no frame; in the middle nothing comes until what came was heard. */
async function* inBursts(
  bytes: Buffer,
  pieceBytes: number,
  untilHeard: Promise<void>,
): AsyncGenerator<Buffer> {
  for (let from = 0; from < bytes.length; from += pieceBytes) {
    yield bytes.subarray(from, from + pieceBytes)
    if (from < bytes.length / 2 && from + pieceBytes >= bytes.length / 2) await untilHeard
  }
}

async function hearLive(bytes: Buffer, kept: string[], engine: SpeechEngine): Promise<readonly DraftLine[]> {
  const checkpoints = keepInMemory(kept)
  const tools = { engine, pool, voices: oneVoice, checkpoints, owner: 'live', signal }
  const hearing = makeLiveHearing(1, await checkpoints.load(), tools)
  let heard: (draft: readonly DraftLine[]) => void = () => {}
  const drafted = new Promise<readonly DraftLine[]>((resolve) => (heard = resolve))
  const bursts = inBursts(
    bytes,
    40_001,
    drafted.then(() => undefined),
  )
  const sound = decode(() => Readable.from(bursts, { objectMode: false }), [1])
  const onTaken = async (): Promise<void> => heard(await hearing.hearDraft())
  await followSound(sound, hearing, { onTaken, onLate: async () => {} })
  return drafted
}

const hearFile = (bytes: Buffer, kept: string[], engine: SpeechEngine) =>
  recognizeChunks(
    { durationSeconds: 90, channels: [0] },
    {
      decoder,
      input: { kind: 'stream', open: () => Readable.from([bytes], { objectMode: false }) },
      tracks,
      signal,
    },
    {
      engine,
      pool,
      voices: oneVoice,
      checkpoints: keepInMemory(kept),
      onProgress: () => undefined,
      onAllPrepared: () => undefined,
      signal,
    },
  )

const chunksOf = (kept: readonly string[]): ChunkResult[] =>
  kept.map((json) => JSON.parse(json) as ChunkResult)

/** Stands for speech. Channels that are far apart in loudness are two persons. */
function makeNoise(seed: number, seconds: number, loudness: number): Float32Array {
  let state = seed
  return Float32Array.from({ length: seconds * sampleRate }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return (state / 2_147_483_648 - 0.5) * loudness
  })
}

it('tells how far it is also where sound comes faster than it is heard, and seldom where it keeps up', async () => {
  async function* sound(pieces: number, atMs: (piece: number) => number) {
    for (let piece = 0; piece < pieces; piece += 1) {
      clock.mockReturnValue(atMs(piece))
      yield { channels: [new Float32Array(sampleRate)] } as Partial<DecodedChunk> as DecodedChunk
    }
  }
  const follow = async (msForPiece: number): Promise<string[]> => {
    const told: string[] = []
    const tell = (what: string) => async (): Promise<void> => void told.push(what)
    let seconds = 0
    clock.mockReturnValue(0)
    const hearing = {
      add: () => void (seconds += 1),
      isChunkWhole: () => seconds % 50 === 0,
      settleChunk: async () => void (seconds += 1),
      get seconds() {
        return seconds
      },
    } as Partial<LiveHearing> as LiveHearing
    const pieces = sound(197, (piece) => piece * msForPiece)
    await followSound(pieces, hearing, { onTaken: tell('taken'), onLate: tell('late') })
    return told
  }
  const clock = vi.spyOn(performance, 'now')
  onTestFinished(() => clock.mockRestore())
  expect(await follow(450)).toEqual(['late', 'late', 'late', 'late'])
  expect(await follow(10)).toEqual([])
})

it('keeps apart what two say who begin at the same moment', async () => {
  const { engine, heard } = makeEngine()
  const tools = { engine, pool, voices: oneVoice, checkpoints: keepInMemory([]), owner: 'live', signal }
  const hearing = makeLiveHearing(2, [], tools)
  const hear = async (): Promise<string[]> => (await hearing.hearDraft()).map(({ text }) => text)
  hearing.add([makeNoise(1, 3, 0.8), makeNoise(2, 3, 0.2)])
  const first = await hear()
  expect(new Set(first).size).toBe(2)
  // Too little to be heard again: it is told as it was.
  hearing.add([makeNoise(3, 1, 0.8), makeNoise(4, 1, 0.2)])
  expect(await hear()).toEqual(first)
  expect(heard).toHaveLength(2)
})

describe('a recording that is heard while it is recorded', () => {
  const bytes = recording(90)

  it('is settled as its file is heard, chunk by chunk, and only the rest is left to hear', async () => {
    const kept: string[] = []
    const draft = await hearLive(bytes, kept, makeEngine().engine)
    const whole = await hearFile(bytes, [], makeEngine().engine)
    expect(chunksOf(kept)).toEqual(whole.chunks.slice(0, -1))
    expect(kept.length).toBeGreaterThanOrEqual(2)
    expect(draft.length).toBeGreaterThan(0)
    const { engine, heard } = makeEngine()
    expect(await hearFile(bytes, [...kept], engine)).toEqual(whole)
    expect(Math.min(...heard.map(({ startSeconds }) => startSeconds))).toBeGreaterThan(60)
  })

  it('goes on after a kill with what was kept, and keeps the same after it', async () => {
    const kept: string[] = []
    await hearLive(bytes, kept, makeEngine().engine)
    const left = kept.slice(0, 1)
    await hearLive(bytes, left, makeEngine().engine)
    expect(left).toEqual(kept)
  })

  it('is heard anew where the file holds other sound than was heard', async () => {
    const kept: string[] = []
    await hearLive(recording(90, '-af', 'volume=0.7'), kept, makeEngine().engine)
    const whole = await hearFile(bytes, [], makeEngine().engine)
    expect(await hearFile(bytes, kept, makeEngine().engine)).toEqual(whole)
  })
})
