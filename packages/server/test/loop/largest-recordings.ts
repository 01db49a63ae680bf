import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { openProcessPool } from '../../src/engines/process-pool.js'
import { makeWavHeader } from '../../src/engines/speech/audio/wav-header.js'
import type { SpeechEngine } from '../../src/engines/speech/speech-engine.js'
import {
  toSpeechMessages,
  type SpeechAnswers,
  type SpeechRequest,
} from '../../src/engines/speech/speech-messages.js'
import type { SpeechPool } from '../../src/engines/speech/speech-pool.js'
import type { VoiceModel } from '../../src/engines/speech/voices/index.js'
import { partPlace, type BlobStore } from '../../src/kernel/blobs/index.js'
import type { TenantKeyRing } from '../../src/kernel/secrets/tenant-keys.js'
import { makeAudio } from '../engines/speech/speech-fixture.js'
import type { TestService } from '../support/test-service.js'

/** As low as a file may say: what is decoded is as much as of any other. */
const rateHz = 1_000

/** Eight bits, one channel. */
export function makeWav(seconds: number): Buffer {
  const sound = Buffer.from(
    Uint8Array.from({ length: seconds * rateHz }, (_, at) => (at % 2 === 0 ? 218 : 38)),
  )
  const header = makeWavHeader({ rateHz, channelCount: 1, dataBytes: sound.length })
  header.writeUInt32LE(rateHz, 28)
  header.writeUInt16LE(1, 32)
  header.writeUInt16LE(8, 34)
  return Buffer.concat([header, sound])
}

/** As many tracks as are kept, one after the other of which sounds for a second. */
export function makeTracks(seconds: number, count = 8): Buffer {
  const tracks = Array.from({ length: count }, (_, at) => at)
  const inputs = tracks.flatMap((at) => {
    const sound = `if(eq(mod(floor(t)\\,${count})\\,${at})\\,0.5*sin(900*t)\\,0)`
    return ['-f', 'lavfi', '-i', `aevalsrc=${sound}:s=2000:d=${seconds}`]
  })
  const maps = tracks.flatMap((at) => ['-map', String(at)])
  return makeAudio(...inputs, ...maps, '-c:a', 'pcm_s16le', '-f', 'matroska')
}

/** Takes what is written and forgets it; what was kept with `keepParts` it has. */
export interface RecordingStore extends BlobStore {
  has: Map<string, () => Buffer>
}

export function makeRecordingStore(): RecordingStore {
  const has: RecordingStore['has'] = new Map()
  const never = async (): Promise<never> => Promise.reject(new Error('nobody asks for this'))
  return {
    has,
    put: async () => {},
    get: async (name) => {
      // As whatever is read from a disk or a server.
      await nextTurn()
      return has.get(name)?.() ?? never()
    },
    delete: async () => {},
    list: () => [] as unknown as AsyncIterable<never>,
    check: async () => {},
    probe: async () => {},
    readClockMs: never,
    abandon: () => {},
    close: async () => {},
  }
}

/** Makes these bytes those of an open blob that has none, in parts of this length. */
export async function keepParts(
  { owner }: TestService,
  tenantId: string,
  { store, ring }: { store: RecordingStore; ring: TenantKeyRing },
  { blobId, bytes, partBytes }: { blobId: string; bytes: Buffer; partBytes: number },
): Promise<number> {
  const count = Math.ceil(bytes.length / partBytes)
  for (let part = 1; part <= count; part += 1) {
    const piece = bytes.subarray((part - 1) * partBytes, part * partBytes)
    // Once: a store has what was sealed before.
    let sealed: Buffer | null = null
    store.has.set(`${blobId}/${part}`, () => (sealed ??= ring.seal(partPlace(blobId, part), piece)))
  }
  await owner.write({ tenantId }, (tx) =>
    tx.run({
      text: `insert into casenote.blob_parts (tenant_id, blob_id, part_number, size_bytes, key_version, stored_name)
        select $1::uuid, $2::uuid, n, least($4::int, $5::int - (n - 1) * $4::int), $6::int, $2::uuid || '/' || n
          from generate_series(1, $3::int) n`,
      values: [tenantId, blobId, count, partBytes, bytes.length, ring.newest('data').version],
    }),
  )
  return count
}

/** Clips of one second of sound: so that half an hour has as many as three hours of the densest talk. */
export const clipsPerSecond = 6

/** Hears what it is told to, in no time; samples go to a process, as they do. */
export async function openQuickSpeech(folder: string, textOf: (clip: number) => string) {
  const file = join(folder, 'quick-speech.mjs')
  await writeFile(
    file,
    `process.send('ready')
     const channels = []
     process.on('message', ({ kind, samples }) => {
       if (kind === 'channel') return channels.push(samples)
       const found = channels.splice(0).map((samples) => {
         const count = Math.floor((samples.length / 16000) * ${clipsPerSecond})
         const at = (clip) => clip / ${clipsPerSecond}
         const spans = Array.from({ length: count }, (_, clip) => ({ startSeconds: at(clip), endSeconds: at(clip + 0.9) }))
         return { spans, openFromSeconds: null }
       })
       process.send({ found })
     })`,
  )
  const processes = openProcessPool<SpeechRequest, SpeechAnswers['detect']>({
    name: 'The quick engine',
    file: pathToFileURL(file),
    args: [],
    processCount: 1,
    jobTimeoutMs: 60_000,
    idleMs: 60_000,
    toMessages: toSpeechMessages,
    readReply: (message) =>
      message === 'ready' ? null : (message as { found: SpeechAnswers['detect'] }).found,
  })
  const pool = {
    ask: (request: SpeechRequest, signal: AbortSignal) => processes.ask(request, signal),
    close: () => processes.close(),
  } as SpeechPool
  const engine: SpeechEngine = {
    name: 'embedded',
    model: 'quick',
    recognize: async (clips, _signal, onHeard) =>
      clips.map((clip) => {
        onHeard?.(clip)
        return { text: textOf(Math.round(clip.startSeconds * clipsPerSecond)), confidence: 0.9 }
      }),
    close: async () => {},
  }
  // Made beforehand, as in a thread: what it costs is not the service's.
  const vectors = [1, 2].map((voice) => Float32Array.from({ length: 192 }, (_one, n) => Math.sin(n * voice)))
  const voices: VoiceModel = {
    track: async (_samples, _offset, speech) => {
      // As whatever a thread answers.
      await nextTurn()
      return speech.map((span) => ({
        ...span,
        vector: vectors[Math.round(span.startSeconds * clipsPerSecond) % 2] ?? new Float32Array(192),
      }))
    },
    cut: async (speech) => {
      await nextTurn()
      return [...speech]
    },
    close: async () => {},
  }
  return { engine, pool, voices }
}

const serverScript = `
  const { parentPort } = require('node:worker_threads')
  const server = require('node:http').createServer((request, response) => {
    const [, count, size] = request.url.split('/').map(Number)
    // A page that is text would be refused.
    const piece = Buffer.alloc(size)
    const many = Math.max(1, Math.floor(65536 / size))
    let left = count
    const send = () => {
      while (left > 0) {
        response.cork()
        for (let at = 0; at < many && left > 0; at++, left--) response.write(piece)
        response.uncork()
        if (response.writableNeedDrain) return void response.once('drain', send)
      }
      response.end()
    }
    send()
  })
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port))
`

/** A file server in a thread of its own: so many chunks of so many bytes, as its path says. */
export async function openChunkServer() {
  const worker = new Worker(serverScript, { eval: true })
  const [port] = (await once(worker, 'message')) as [number]
  return {
    urlOf: (count: number, size: number) => `http://127.0.0.1:${port}/${count}/${size}/${randomUUID()}`,
    close: () => worker.terminate(),
  }
}
