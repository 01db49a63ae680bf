import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { cutClip } from '../../src/engines/speech/audio/cut-clip.js'
import { joinRecordings } from '../../src/engines/speech/audio/join-recordings.js'
import { seekAudio } from '../../src/engines/speech/audio/seek/seek-audio.js'
import { decoder, makeAudio, opens } from '../engines/speech/speech-fixture.js'
import { makeAudio as makeSameAudio } from '../support/make-audio.mjs'

const signal = new AbortController().signal
const tools = { decoder, scratchFolder: tmpdir(), signal }

const seeks = (bytes: Buffer) => ({
  sizeBytes: bytes.length,
  openAt: (fromByte: number) => opens(bytes.subarray(fromByte))(),
})

/** Counts what is read of it. */
function watch(audio: ReturnType<typeof seeks>) {
  const seen = { readBytes: 0 }
  const count = async function* (pieces: AsyncIterable<Buffer>) {
    for await (const piece of pieces) {
      seen.readBytes += piece.length
      yield piece
    }
  }
  const openAt = (fromByte: number) => Readable.from(count(audio.openAt(fromByte)), { objectMode: false })
  return { seen, audio: { ...audio, openAt } }
}

/** A tone of each of these pitches, three seconds long, one after the other. */
const tones = (pitches: readonly number[], ...form: string[]): Buffer =>
  makeAudio(
    ...pitches.flatMap((pitch) => [
      '-f',
      'lavfi',
      '-i',
      `sine=frequency=${pitch}:sample_rate=48000:duration=3`,
    ]),
    '-filter_complex',
    `concat=n=${pitches.length}:v=0:a=1`,
    ...form,
  )

/** By its crossings of zero, in its middle: the first frames of an MP3 need the ones before them. */
function pitchOf(wav: Buffer): number {
  const all = new Int16Array(wav.buffer.slice(wav.byteOffset + 44, wav.byteOffset + wav.length))
  const samples = all.subarray(all.length / 4, (all.length * 3) / 4)
  let crossings = 0
  for (let index = 1; index < samples.length; index += 1) {
    if ((samples[index - 1] ?? 0) < 0 !== (samples[index] ?? 0) < 0) crossings += 1
  }
  return Math.round(crossings / 2 / (samples.length / 16_000) / 20) * 20
}

const webm = ['-c:a', 'libopus', '-f', 'webm']

describe('a clip is what is heard at that time, whatever the container', () => {
  for (const [name, form] of [
    ['webm', webm],
    ['ogg', ['-c:a', 'libopus', '-f', 'ogg']],
    ['mp3', ['-c:a', 'libmp3lame', '-f', 'mp3']],
    ['flac', ['-c:a', 'flac', '-f', 'flac']],
    ['wav', ['-c:a', 'pcm_s16le', '-f', 'wav']],
    ['mp4 in fragments', ['-c:a', 'aac', '-movflags', 'frag_keyframe+empty_moov', '-f', 'mp4']],
  ] as const) {
    it(name, async () => {
      const audio = seeks(tones([300, 600, 900], ...form))
      const heard = []
      for (const fromSeconds of [1, 4, 7]) {
        const clip = await cutClip({ ...tools, audio, fromSeconds, seconds: 1 })
        expect(Math.abs((clip?.length ?? 0) - 44 - 32_000)).toBeLessThan(2_000)
        heard.push(pitchOf(clip as Buffer))
      }
      expect(heard).toEqual([300, 600, 900])
      expect(await cutClip({ ...tools, audio, fromSeconds: 60, seconds: 1 })).toBeNull()
    })
  }
})

describe('a clip of a long recording', () => {
  const toneSeconds = 30
  const minutes = 6
  const pitchAt = (tone: number): number => 300 + 40 * (tone % 3)
  const folder = mkdtempSync(join(tmpdir(), 'casenote-clips-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  /** Another pitch every half minute, three of them again and again: encoded once, and copied behind itself. */
  const makeLong = (codec: readonly string[], ...container: string[]): Buffer => {
    const sound = `sin(2*PI*(300+40*floor(t/${toneSeconds}))*t)`
    const once = join(folder, 'once.mka')
    makeSameAudio(['-f', 'lavfi', '-i', `aevalsrc=${sound}:s=16000:d=${toneSeconds * 3}`, ...codec, once])
    const times = (minutes * 60) / (toneSeconds * 3)
    return makeAudio('-stream_loop', String(times - 1), '-i', once, '-c', 'copy', ...container)
  }
  // As Safari records.
  const fragments = '-movflags empty_moov+default_base_moof -frag_duration 1000000 -f mp4'.split(' ')
  const aac = '-ar 48000 -c:a aac -aac_coder fast -b:a 256k'.split(' ')
  const opus = '-c:a libopus -b:a 256k -application lowdelay -compression_level 0'.split(' ')

  // As a browser records: no index, and no length anywhere.
  const live = makeLong(opus, '-f', 'webm', '-live', '1')

  for (const [name, bytes] of [
    ['webm that was written live', live],
    ['ogg', makeLong(opus, '-f', 'ogg')],
    ['wav', makeLong(['-c:a', 'pcm_s16le'], '-f', 'wav')],
    ['mp4 in fragments', makeLong(aac, ...fragments)],
  ] as const) {
    it(`${name}: is right to a fifth of a second, and little else is read`, async () => {
      for (const tone of [1, 9]) {
        const watched = watch(seeks(bytes))
        const hear = async (fromSeconds: number): Promise<number> =>
          pitchOf((await cutClip({ ...tools, audio: watched.audio, fromSeconds, seconds: 1 })) as Buffer)
        expect(await hear(tone * toneSeconds - 1.2)).toBe(pitchAt(tone - 1))
        expect(await hear(tone * toneSeconds + 0.2)).toBe(pitchAt(tone))
        // Of each clip, what ffmpeg reads ahead through three pipes, and the looks that found the place.
        expect(watched.seen.readBytes / 2).toBeLessThan(5_000_000)
      }
      const sought = await seekAudio(seeks(bytes), 290)
      expect(sought?.fromSeconds).toBeLessThan(100)
      const beyond = { audio: seeks(bytes), fromSeconds: minutes * 60 + 60, seconds: 1 }
      expect(await cutClip({ ...tools, ...beyond })).toBeNull()
    })
  }

  it('whose bytes lie about their places is read from its start', async () => {
    const bytes = Buffer.from(live)
    // Every cluster but the first claims the time 0.
    const mark = Buffer.from('1f43b675', 'hex')
    const first = bytes.indexOf(mark)
    for (let at = bytes.indexOf(mark, first + 4); at >= 0; at = bytes.indexOf(mark, at + 4)) {
      const time = bytes.indexOf(0xe7, at)
      bytes.fill(0, time + 2, time + 2 + ((bytes[time + 1] ?? 0) & 0x7f))
    }
    const sought = await seekAudio(seeks(bytes), 300)
    expect(sought?.fromSeconds).toBe(300)
  })

  it('is looked for in any bytes without a fault', async () => {
    const forms = [
      [...opus, '-f', 'webm'],
      [...opus, '-f', 'ogg'],
      ['-f', 'wav'],
      [...aac, ...fragments],
    ]
    const whole = forms.map((form) => tones([300, 600], ...form))
    const byte = fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.integer({ min: 0, max: 255 }))
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...whole),
        fc.array(byte, { maxLength: 40 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        async (original, changes, kept) => {
          const bytes = Buffer.from(original.subarray(0, Math.ceil(original.length * kept)))
          // Most of them in the head, where everything is decided.
          for (const [place, value] of changes) bytes[Math.floor(place ** 4 * bytes.length)] = value
          const sought = await seekAudio(seeks(bytes), 4)
          expect(sought === null || sought.fromSeconds <= 4).toBe(true)
        },
      ),
      { numRuns: 300 },
    )
  })
})

describe('segments joined as sound', () => {
  const segment = (bytes: Buffer) => ({ openAudio: opens(bytes), sizeBytes: bytes.length })
  const joinAll = async (segments: readonly Buffer[]): Promise<Buffer> => {
    const pieces: Buffer[] = []
    for await (const piece of joinRecordings(segments.map(segment), tools)) pieces.push(piece)
    return Buffer.concat(pieces)
  }
  const clipAt = async (wav: Buffer, fromSeconds: number): Promise<number> =>
    pitchOf((await cutClip({ ...tools, audio: seeks(wav), fromSeconds, seconds: 1 })) as Buffer)

  it('follow each other, though their containers differ and one holds nothing', async () => {
    const first = tones([300], ...webm)
    const second = tones([600], '-c:a', 'aac', '-movflags', 'frag_keyframe+empty_moov', '-f', 'mp4')
    const wav = await joinAll([first, first.subarray(0, 150), second])
    expect([await clipAt(wav, 1), await clipAt(wav, 4)]).toEqual([300, 600])
    expect((wav.length - 44) / 32_000).toBeCloseTo(6, 0)
  })

  it('keep what a crash left of one', async () => {
    const whole = tones([300, 300, 300, 300], ...webm)
    const wav = await joinAll([whole.subarray(0, Math.floor(whole.length / 2)), tones([600], ...webm)])
    const seconds = (wav.length - 44) / 32_000
    expect(seconds).toBeGreaterThan(7)
    expect(await clipAt(wav, seconds - 2)).toBe(600)
  })

  it('are refused when one of some length cannot be read', async () => {
    await expect(joinAll([tones([300], ...webm), Buffer.alloc(50_000, 'x')])).rejects.toMatchObject({
      code: 'unreadable',
    })
  })
})
