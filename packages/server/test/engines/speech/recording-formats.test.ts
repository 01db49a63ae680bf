import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { joinRecordings, SoundMissing } from '../../../src/engines/speech/audio/join-recordings.js'
import { measureRecording } from '../../../src/engines/speech/audio/measure-recording.js'
import { openInput } from '../../../src/engines/speech/audio/open-input.js'
import { probeAndTime } from '../../../src/engines/speech/audio/probe-and-time.js'
import { decoder, makeAudio, opens, samplePath } from './speech-fixture.js'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'casenote-formats-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const signal = new AbortController().signal
const one = ['-i', samplePath('reader-0870.ogg')]
const two = [...one, '-i', samplePath('reader-0920.ogg')]
const picture = ['-f', 'lavfi', '-i', 'testsrc=d=7:s=64x48:r=5']

function makeFile(name: string, args: readonly string[]): Buffer {
  const path = join(folder, name)
  makeAudio(...args, path, '-f', 'null')
  return readFileSync(path)
}

async function measure(bytes: Buffer, scratchFolder: string = tmpdir()) {
  const audio = await openInput(opens(bytes), scratchFolder, signal)
  try {
    const timed = await probeAndTime(decoder, audio.input, signal)
    const declaredSeconds = timed.declaredSeconds ?? audio.declaredSeconds
    const measured = await measureRecording({
      ...timed,
      declaredSeconds,
      decoder,
      input: audio.input,
      signal,
    })
    return { ...measured, kind: audio.input.kind }
  } finally {
    await audio.close()
  }
}

describe('a recording is read whatever its container, codec and channels', () => {
  it.each([
    ['opus.webm', [...one, '-c:a', 'libopus'], [0]],
    ['opus.ogg', [...one, '-c:a', 'libopus'], [0]],
    ['vorbis.ogg', [...one, '-c:a', 'libvorbis'], [0]],
    ['sound.mp3', [...one], [0]],
    ['stereo.mp3', [...one, '-ac', '2', '-b:a', '48k'], [0]],
    ['index-last.m4a', [...one], [0]],
    ['index-first.m4a', [...one, '-movflags', '+faststart'], [0]],
    ['fragments.mp4', [...one, '-movflags', 'frag_keyframe+empty_moov'], [0]],
    ['sound.aac', [...one], [0]],
    ['sound.wav', [...one], [0]],
    ['float.wav', [...one, '-c:a', 'pcm_f32le'], [0]],
    ['telephone.wav', [...one, '-ar', '8000', '-c:a', 'pcm_mulaw'], [0]],
    ['sound.flac', [...one], [0]],
    ['one-microphone-twice.wav', [...one, '-ac', '2'], [0]],
    ['surround.wav', [...one, '-ac', '6'], [0]],
    ['video.mp4', [...one, ...picture, '-c:v', 'mpeg4', '-c:a', 'aac'], [0]],
    ['video.webm', [...one, ...picture, '-c:v', 'libvpx', '-c:a', 'libopus'], [0]],
    ['two-channels.wav', [...two, '-filter_complex', '[0:a][1:a]join=inputs=2'], [0, 1]],
    ['two-tracks.webm', [...two, '-map', '0:a', '-map', '1:a', '-c:a', 'libopus'], [0, 1]],
    ['two-tracks.mp4', [...two, '-map', '0:a', '-map', '1:a'], [0, 1]],
  ])('%s', async (name, args, channels) => {
    const measured = await measure(makeFile(name, args))
    expect(measured.channels).toEqual(channels)
    expect(measured.durationSeconds).toBeGreaterThan(5.9)
    expect(measured.durationSeconds).toBeLessThan(7.4)
  })
})

it.each([
  ['cut.mp3', [...one]],
  ['cut-44100.mp3', [...one, '-ar', '44100', '-ac', '2']],
  ['cut-8000.mp3', [...one, '-ar', '8000', '-b:a', '8k']],
  ['cut-without-tag.mp3', [...one, '-id3v2_version', '0']],
])('half of an MP3 file is told from a whole one: %s', async (name, args) => {
  const bytes = makeFile(name, args)
  await expect(measure(bytes.subarray(0, bytes.length / 2))).rejects.toMatchObject({ code: 'truncated' })
  expect((await measure(bytes)).durationSeconds).toBeGreaterThan(5.9)
})

it('an MP3 file whose encoder could not return to its first frame is as long as it is', async () => {
  const bytes = makeAudio(...one, '-f', 'mp3')
  expect((await measure(bytes)).durationSeconds).toBeGreaterThan(5.9)
})

describe('a WAV file', () => {
  const seconds = 6.5
  /** Sound of `seconds`, whose header tells of this share of it. */
  const makeWav = (share: number, args: readonly string[] = []): Buffer => {
    const bytes = makeFile('whole.wav', [...one, '-t', String(seconds), ...args])
    const lengthByte = bytes.indexOf('data') + 4
    const dataBytes = Math.floor((bytes.readUInt32LE(lengthByte) * share) / 2) * 2
    bytes.writeUInt32LE(dataBytes, lengthByte)
    bytes.writeUInt32LE(lengthByte - 4 + dataBytes, 4)
    return bytes
  }
  const trailer = (id: string): Buffer => {
    const chunk = Buffer.alloc(8 + 64_000, 'title')
    chunk.write(id, 0, 'latin1')
    chunk.writeUInt32LE(64_000, 4)
    return chunk
  }

  it.each([
    ['one channel', []],
    ['two channels', ['-ac', '2']],
    ['24 bits', ['-c:a', 'pcm_s24le']],
  ])('of a recorder that was killed is read to its end, past what its header says: %s', async (_of, args) => {
    expect((await measure(makeWav(0.3, args))).durationSeconds).toBeCloseTo(seconds, 1)
  })

  it.each(['LIST', 'id3 ', 'bext'])('ends before what follows its sound: %s', async (id) => {
    const bytes = Buffer.concat([makeWav(1), trailer(id)])
    expect((await measure(bytes)).durationSeconds).toBeCloseTo(seconds, 1)
  })

  it('of which the half is missing is told from a whole one', async () => {
    const bytes = makeWav(1)
    await expect(measure(bytes.subarray(0, bytes.length / 2))).rejects.toMatchObject({ code: 'truncated' })
  })
})

/** Of this process, within the folder, with or without a name. Where the system does not tell: none. */
function countOpenFiles(within: string): number {
  if (process.platform !== 'linux') return 0
  return readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).startsWith(within)
    } catch {
      // Closed since it was listed.
      return false
    }
  }).length
}

describe('a recording that must be read out of order', () => {
  it('is spilled into a file without a name, and leaves nothing behind', async () => {
    const scratch = mkdtempSync(join(folder, 'scratch-'))
    const bytes = makeFile('spilled.m4a', one)
    expect((await measure(bytes, scratch)).kind).toBe('file')
    expect(readdirSync(scratch)).toEqual([])
  })

  it('is spilled at its turn when it is one segment of many, and not beside all the others', async () => {
    const scratch = mkdtempSync(join(folder, 'scratch-'))
    const bytes = makeFile('segment.m4a', one)
    const segments = Array.from({ length: 3 }, () => ({ openAudio: opens(bytes), sizeBytes: bytes.length }))
    const spilled: number[] = []
    for await (const piece of joinRecordings(segments, { decoder, scratchFolder: scratch, signal })) {
      expect(piece.length).toBeGreaterThan(0)
      spilled.push(countOpenFiles(scratch))
    }
    const audio = await openInput(opens(bytes), scratch, signal)
    expect(audio.input.kind).toBe('file')
    const ofOne = countOpenFiles(scratch)
    await audio.close()
    expect(Math.max(...spilled)).toBe(ofOne)
    expect(countOpenFiles(scratch)).toBe(0)
  })

  it('goes through a pipe when its index comes first', async () => {
    expect((await measure(makeFile('piped.m4a', [...one, '-movflags', '+faststart']))).kind).toBe('stream')
  })
})

it('what ends before it should is refused where its original will be deleted', async () => {
  const bytes = makeFile('short.ogg', one)
  const joinAll = async (secondsLeast: number): Promise<number> => {
    let length = 0
    const segments = [{ openAudio: opens(bytes), sizeBytes: bytes.length }]
    const options = { decoder, scratchFolder: folder, secondsLeast, signal }
    for await (const piece of joinRecordings(segments, options)) length += piece.length
    return (length - 44) / 32_000
  }
  const seconds = await joinAll(0)
  expect(await joinAll(seconds + 1)).toBe(seconds)
  await expect(joinAll(seconds + 3)).rejects.toThrow(SoundMissing)
})

it('a track that begins later keeps its place in time', async () => {
  const bytes = makeFile('later.mkv', [
    ...one,
    '-itsoffset',
    '3',
    '-i',
    samplePath('go-forward.ogg'),
    '-map',
    '0:a',
    '-map',
    '1:a',
    '-c:a',
    'libopus',
  ])
  const measured = await measure(bytes)
  expect(measured.channels).toEqual([0, 1])
  expect(measured.durationSeconds).toBeGreaterThan(6.9)
})
