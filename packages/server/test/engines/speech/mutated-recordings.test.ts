import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { decodeRecording } from '../../../src/engines/speech/audio/decode-recording.js'
import type { Decoder } from '../../../src/engines/speech/audio/decoder/decoder.js'
import { openDecoder, type OpenedDecoder } from '../../../src/engines/speech/audio/decoder/open-decoder.js'
import { measureRecording } from '../../../src/engines/speech/audio/measure-recording.js'
import { openInput } from '../../../src/engines/speech/audio/open-input.js'
import { probeAndTime } from '../../../src/engines/speech/audio/probe-and-time.js'
import { RecordingProblem } from '../../../src/engines/speech/recording-problem.js'
import { waitUntil } from '../../support/casenote-process.js'
import { makeAudio, opens, samplePath } from './speech-fixture.js'

/** So many in every run of the tests; `DECODER_MUTATIONS=5000` takes an hour of one core with the decoder that ships. */
const fileCount = Number(process.env['DECODER_MUTATIONS'] ?? 24)
const sideBySide = 2
/** A whole file takes a second; a probe may take a minute, and nothing is waited for longer. */
const fileMsMax = 150_000

const speech = ['-i', samplePath('go-forward.ogg')]
const fragments = ['-movflags', 'frag_keyframe+empty_moov']
const formats: readonly (readonly [string, () => Buffer])[] = [
  ['WebM', () => makeAudio(...speech, '-c:a', 'libopus', '-f', 'webm')],
  ['Ogg Opus', () => makeAudio(...speech, '-c:a', 'libopus', '-f', 'ogg')],
  ['Ogg Vorbis', () => makeAudio(...speech, '-c:a', 'libvorbis', '-f', 'ogg')],
  ['MP4 in fragments', () => makeAudio(...speech, '-c:a', 'aac', ...fragments, '-f', 'mp4')],
  ['MP4, its index last', () => putIndexLast(makeAudio(...speech, '-c:a', 'aac', ...fragments, '-f', 'mp4'))],
  ['MP3', () => makeAudio(...speech, '-f', 'mp3')],
  ['WAV', () => makeAudio(...speech, '-f', 'wav')],
  ['FLAC', () => makeAudio(...speech, '-f', 'flac')],
]

/** A box of sound before the rest, so that the file must be read out of order. */
const putIndexLast = (bytes: Buffer): Buffer => {
  const typeBytes = bytes.readUInt32BE(0)
  const sound = Buffer.alloc(1_008)
  sound.writeUInt32BE(sound.length)
  sound.write('mdat', 4, 'latin1')
  return Buffer.concat([bytes.subarray(0, typeBytes), sound, bytes.subarray(typeBytes)])
}

/** Numbers from 0 to 1 that are the same in every run. */
function makeRandom(seed: number): () => number {
  let state = (seed * 48_271 + 12_345) % 2_147_483_647
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647
}

/** Most changes are made in the head, where everything is decided. */
function mutate(original: Buffer, seed: number): Buffer {
  const random = makeRandom(seed)
  let bytes = Buffer.from(original)
  const place = (): number => Math.floor(random() ** 3 * bytes.length)
  const changes = 1 + Math.floor(random() ** 3 * 60)
  for (let change = 0; change < changes; change += 1) {
    const kind = Math.floor(random() * 8)
    if (kind < 3) bytes[place()] = Math.floor(random() * 256)
    else if (kind === 3) bytes[place()] = random() < 0.5 ? 0xff : 0
    else if (kind === 4)
      bytes
        .subarray(place())
        .subarray(0, 4)
        .fill(random() < 0.5 ? 0xff : 0x7f)
    else if (kind === 5) bytes.copyWithin(place(), place(), place() + 64)
    else if (kind === 6)
      bytes = bytes.subarray(0, Math.max(16, Math.floor(bytes.length * (1 - random() ** 4))))
    else bytes = Buffer.concat([bytes.subarray(0, place()), bytes.subarray(place())])
    if (bytes.length < 16) bytes = Buffer.from(original.subarray(0, 16))
  }
  return bytes
}

let scratchFolder = ''
let decoder: OpenedDecoder
/** By their objects: thousands of processes take the numbers of those before them. */
const alive = new Set<ChildProcess>()
beforeAll(async () => {
  scratchFolder = mkdtempSync(join(tmpdir(), 'casenote-mutated-'))
  const configuredPath = process.env['CASENOTE_TEST_FFMPEG'] ?? null
  decoder = await openDecoder({ configuredPath, searchPath: '', scratchFolder })
})
afterAll(() => {
  decoder.close()
  rmSync(scratchFolder, { recursive: true })
})

/** As the pipeline reads it; the code of the problem that it ends in. */
async function readAll(bytes: Buffer, watched: Decoder): Promise<string> {
  const { signal } = new AbortController()
  const audio = await openInput(opens(bytes), scratchFolder, signal)
  try {
    const timed = await probeAndTime(watched, audio.input, signal)
    const reading = { decoder: watched, input: audio.input, tracks: timed.tracks, signal }
    const declaredSeconds = timed.declaredSeconds ?? audio.declaredSeconds
    await measureRecording({ ...reading, declaredSeconds, packetSeconds: timed.packetSeconds })
    for await (const { channels } of decodeRecording({ ...reading, chunkSeconds: [10] }))
      expect(channels.length).toBeGreaterThan(0)
    return 'none'
  } catch (error) {
    if (error instanceof RecordingProblem) return error.code
    throw error
  } finally {
    await audio.close()
  }
}

it(
  `${fileCount} mutated recordings are read or refused, and no process outlives its limits`,
  { timeout: fileCount * 20_000 },
  async () => {
    const originals = formats.map(([name, make]) => ({ name, bytes: make() }))
    const watched: Decoder = {
      ...decoder,
      start(...given) {
        const child = decoder.start(...given)
        alive.add(child)
        child.once('exit', () => alive.delete(child))
        return child
      },
    }
    const outcomes: Record<string, number> = {}
    let next = 0
    const work = async (): Promise<void> => {
      for (let seed = next++; seed < fileCount; seed = next++) {
        const { name, bytes } = originals[seed % originals.length] ?? { name: '', bytes: Buffer.alloc(0) }
        const startedAt = performance.now()
        const outcome = await readAll(mutate(bytes, seed), watched).catch((error: unknown) => {
          throw new Error(`mutation ${seed} of ${name} was a fault`, { cause: error })
        })
        expect(performance.now() - startedAt, `mutation ${seed} of ${name}`).toBeLessThan(fileMsMax)
        outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
        if (seed % 250 === 249) process.stdout.write(`${seed + 1} files: ${JSON.stringify(outcomes)}\n`)
      }
    }
    await Promise.all(Array.from({ length: sideBySide }, work))
    // A mutation that breaks nothing, or everything, tests nothing.
    expect(Object.keys(outcomes).length).toBeGreaterThan(2)
    expect(outcomes['none']).toBeGreaterThan(0)
    await waitUntil(async () => alive.size === 0, 'every decoder has ended')
    await waitUntil(async () => readdirSync(scratchFolder).length === 0, 'every folder is removed')
  },
)
