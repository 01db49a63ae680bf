import { tmpdir } from 'node:os'
import { describe, expect, it } from 'vitest'
import { cutClip } from '../../src/engines/speech/audio/cut-clip.js'
import { joinRecordings } from '../../src/engines/speech/audio/join-recordings.js'
import { ffmpegPath, makeAudio, opens } from '../engines/speech/speech-fixture.js'

const signal = new AbortController().signal
const tools = { ffmpegPath, scratchFolder: tmpdir(), signal }

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
      const openAudio = opens(tones([300, 600, 900], ...form))
      const heard = []
      for (const fromSeconds of [1, 4, 7]) {
        const clip = await cutClip({ ...tools, openAudio, fromSeconds, seconds: 1 })
        expect(Math.abs((clip?.length ?? 0) - 44 - 32_000)).toBeLessThan(2_000)
        heard.push(pitchOf(clip as Buffer))
      }
      expect(heard).toEqual([300, 600, 900])
      expect(await cutClip({ ...tools, openAudio, fromSeconds: 60, seconds: 1 })).toBeNull()
    })
  }
})

describe('segments joined as sound', () => {
  const segment = (bytes: Buffer) => ({ openAudio: opens(bytes), sizeBytes: bytes.length })
  const join = async (segments: readonly Buffer[]): Promise<Buffer> => {
    const pieces: Buffer[] = []
    for await (const piece of joinRecordings(segments.map(segment), tools)) pieces.push(piece)
    return Buffer.concat(pieces)
  }
  const clipAt = async (wav: Buffer, fromSeconds: number): Promise<number> =>
    pitchOf((await cutClip({ ...tools, openAudio: opens(wav), fromSeconds, seconds: 1 })) as Buffer)

  it('follow each other, though their containers differ and one holds nothing', async () => {
    const first = tones([300], ...webm)
    const second = tones([600], '-c:a', 'aac', '-movflags', 'frag_keyframe+empty_moov', '-f', 'mp4')
    const wav = await join([first, first.subarray(0, 150), second])
    expect([await clipAt(wav, 1), await clipAt(wav, 4)]).toEqual([300, 600])
    expect((wav.length - 44) / 32_000).toBeCloseTo(6, 0)
  })

  it('keep what a crash left of one', async () => {
    const whole = tones([300, 300, 300, 300], ...webm)
    const wav = await join([whole.subarray(0, Math.floor(whole.length / 2)), tones([600], ...webm)])
    const seconds = (wav.length - 44) / 32_000
    expect(seconds).toBeGreaterThan(7)
    expect(await clipAt(wav, seconds - 2)).toBe(600)
  })

  it('are refused when one of some length cannot be read', async () => {
    await expect(join([tones([300], ...webm), Buffer.alloc(50_000, 'x')])).rejects.toMatchObject({
      code: 'unreadable',
    })
  })
})
