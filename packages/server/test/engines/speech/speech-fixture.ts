import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { openDecoder } from '../../../src/engines/speech/audio/decoder/open-decoder.js'
import type { ChunkResult } from '../../../src/engines/speech/chunk-result.js'
import { makeEmbeddedEngine } from '../../../src/engines/speech/embedded-engine.js'
import { RecordingProblem } from '../../../src/engines/speech/recording-problem.js'
import { openSpeechPool, type SpeechPool } from '../../../src/engines/speech/speech-pool.js'
import {
  transcribeRecording,
  type Transcription,
  type TranscriptionRequest,
} from '../../../src/engines/speech/transcribe-recording.js'
import { openVoiceModel } from '../../../src/engines/speech/voices/index.js'
import { makeAudio as makeSameAudio } from '../../support/make-audio.mjs'

/** The one that ships, unless CASENOTE_TEST_FFMPEG names a native one: everything must hold with both. */
export const decoder = await openDecoder({
  configuredPath: process.env['CASENOTE_TEST_FFMPEG'] ?? null,
  searchPath: '',
  scratchFolder: tmpdir(),
})

export const samplePath = (name: string): string => fileURLToPath(new URL(`samples/${name}`, import.meta.url))
export const readSample = (name: string): Buffer => readFileSync(samplePath(name))

/** What ffmpeg makes of these arguments, in a container that can be written to a pipe. */
export const makeAudio = (...args: string[]): Buffer => makeSameAudio([...args, 'pipe:1'])

export const opens = (bytes: Buffer) => () => Readable.from(cut(bytes), { objectMode: false })

function* cut(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += 65_536) yield bytes.subarray(start, start + 65_536)
}

/** A WAV header for 16 kHz mono, before any number of bytes. */
export function wavHeader(dataLength: number): Buffer {
  const header = Buffer.alloc(44)
  header.write('RIFF', 0, 'latin1')
  header.writeUInt32LE(Math.min(0xffff_ffff, dataLength + 36), 4)
  header.write('WAVEfmt ', 8, 'latin1')
  for (const [offset, value] of [
    [16, 16],
    [24, 16_000],
    [28, 32_000],
  ] as const)
    header.writeUInt32LE(value, offset)
  for (const [offset, value] of [
    [20, 1],
    [22, 1],
    [32, 2],
    [34, 16],
  ] as const)
    header.writeUInt16LE(value, offset)
  header.write('data', 36, 'latin1')
  header.writeUInt32LE(dataLength, 40)
  return header
}

export interface SpeechBench {
  pool: SpeechPool
  transcribe(bytes: Buffer, changes?: Partial<TranscriptionRequest>): Promise<Transcription>
  /** The code of the problem that it ends in. */
  problemOf(bytes: Buffer, changes?: Partial<TranscriptionRequest>): Promise<string>
  close(): Promise<void>
}

export async function openSpeechBench(): Promise<SpeechBench> {
  // One process: each takes seconds to load its models.
  const pool = openSpeechPool({ coreCount: 1 })
  const voices = await openVoiceModel()
  const transcribe: SpeechBench['transcribe'] = (bytes, changes = {}) =>
    transcribeRecording({
      openAudio: opens(bytes),
      engine: makeEmbeddedEngine(pool),
      pool,
      voices,
      decoder,
      scratchFolder: tmpdir(),
      checkpoints: keepInMemory([]),
      onProgress: () => undefined,
      signal: new AbortController().signal,
      ...changes,
    })
  return {
    pool,
    transcribe,
    async problemOf(bytes, changes) {
      try {
        await transcribe(bytes, changes)
      } catch (error) {
        if (error instanceof RecordingProblem) return error.code
        throw error
      }
      return 'none'
    },
    async close() {
      await pool.close()
      await voices.close()
    },
  }
}

/** Through JSON, as a database would keep them. */
export function keepInMemory(kept: string[]) {
  return {
    load: async () => kept.map((json) => JSON.parse(json) as ChunkResult),
    save: async (chunk: ChunkResult) => void kept.push(JSON.stringify(chunk)),
  }
}

export const wordsOf = (transcription: Transcription): string =>
  transcription.items
    .map((item) => item.transcript)
    .join(' ')
    .toLowerCase()
    .replace('10 ', 'ten ')
    .replace('metres', 'meters')
    .replaceAll(/[^a-z' ]/g, ' ')
    .replaceAll(/ +/g, ' ')
    .trim()
