// The whole way from sounds to a transcript, as the service goes it.
import { tmpdir } from 'node:os'
import { Readable } from 'node:stream'
import { openDecoder } from '../../packages/server/dist/engines/speech/audio/decoder/open-decoder.js'
import { makeEmbeddedEngine } from '../../packages/server/dist/engines/speech/embedded-engine.js'
import { openSpeechPool } from '../../packages/server/dist/engines/speech/speech-pool.js'
import { transcribeRecording } from '../../packages/server/dist/engines/speech/transcribe-recording.js'
import { openVoiceModel } from '../../packages/server/dist/engines/speech/voices/index.js'
import { makeAudio } from '../../packages/server/test/support/make-audio.mjs'
import { makeRandom, rate } from './conditions.js'

export async function openTools() {
  const decoder = await openDecoder({
    configuredPath: process.env.CASENOTE_FFMPEG ?? null,
    searchPath: process.env.PATH ?? '',
    scratchFolder: tmpdir(),
  })
  const pool = openSpeechPool()
  const voices = await openVoiceModel()
  return {
    tools: { decoder, pool, engine: makeEmbeddedEngine(pool), voices },
    close: async () => {
      await voices.close()
      decoder.close()
      await pool.close()
    },
  }
}

/** One recording, with the pauses of somebody who reads a list. */
export function join(sounds) {
  const random = makeRandom(5)
  const pieces = sounds.flatMap((samples) => [samples, new Float32Array(Math.round((0.4 + random()) * rate))])
  const joined = new Float32Array(pieces.reduce((sum, piece) => sum + piece.length, 0))
  pieces.reduce((offset, piece) => {
    joined.set(piece, offset)
    return offset + piece.length
  }, 0)
  return joined
}

/** `onChunk` is told of each part as it was heard. */
export async function transcribe(bytes, tools, { isKnownLanguage = true, onChunk = (_chunk) => {} } = {}) {
  return transcribeRecording({
    ...tools,
    openAudio: () => Readable.from([bytes], { objectMode: false }),
    scratchFolder: tmpdir(),
    checkpoints: { load: async () => [], save: async (chunk) => onChunk(chunk) },
    onProgress: () => {},
    isKnownLanguage,
    signal: new AbortController().signal,
  })
}

export function decode(input, bytes) {
  const decoded = makeAudio([...input, '-ac', '1', '-ar', String(rate), '-f', 'f32le', 'pipe:1'], bytes)
  return new Float32Array(decoded.buffer.slice(decoded.byteOffset, decoded.byteOffset + decoded.length))
}

export function code(samples, coding) {
  const input = ['-f', 'f32le', '-ar', String(rate), '-ac', '1', '-i', 'pipe:0']
  const bytes = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength)
  return makeAudio([...input, ...coding, 'pipe:1'], bytes)
}
