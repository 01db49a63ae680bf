import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  RECORDING_PROBLEMS,
  type RecordingProblemCode,
} from '../../../src/engines/speech/recording-problem.js'
import {
  makeAudio,
  openSpeechBench,
  readSample,
  samplePath,
  wavHeader,
  type SpeechBench,
} from './speech-fixture.js'

let bench: SpeechBench
beforeAll(async () => {
  bench = await openSpeechBench()
})
afterAll(() => bench.close())

const speech = ['-i', samplePath('reader-0870.ogg')]
const picture = ['-f', 'lavfi', '-i', 'testsrc=d=2:s=64x48:r=5']
const half = (bytes: Buffer): Buffer => bytes.subarray(0, bytes.length / 2)
const text = (words: string): Buffer => Buffer.from(words)
const fragments = ['-movflags', 'frag_keyframe+empty_moov']

/** Bytes that look random and are the same in every run. */
function scramble(length: number): Buffer {
  let state = 12_345
  return Buffer.from(Array.from({ length }, () => (state = (state * 48_271) % 2_147_483_647) & 0xff))
}

/** A box that says it is longer than any file. */
const hugeBox = Buffer.from('00000001' + Buffer.from('ftyp').toString('hex') + '7fffffffffffffff', 'hex')
const sound = makeAudio(...speech, '-f', 'wav')

const cases: [string, RecordingProblemCode, () => Buffer][] = [
  ['nothing', 'empty', () => Buffer.alloc(0)],
  ['a web page', 'unreadable', () => text('<!doctype html><html><body>Access denied</body></html>')],
  [
    'an error as XML',
    'unreadable',
    () => text('<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>'),
  ],
  ['an error as JSON', 'unreadable', () => text('{"error":{"statusCode":404}}')],
  ['plain text', 'unreadable', () => text('Client reports feeling better.\n'.repeat(5000))],
  ['one byte', 'unreadable', () => text('x')],
  ['a megabyte of zeros', 'unreadable', () => Buffer.alloc(1_000_000)],
  ['a megabyte of noise bytes', 'unreadable', () => scramble(1_000_000)],
  [
    'a PNG picture',
    'unreadable',
    () => makeAudio(...picture, '-frames:v', '1', '-f', 'image2pipe', '-c:v', 'png'),
  ],
  ['a PDF', 'unreadable', () => text('%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\n')],
  ['a zip archive', 'unreadable', () => Buffer.concat([text('PK\u0003\u0004'), scramble(5000)])],
  [
    'a playlist of local files',
    'unreadable',
    () => text('#EXTM3U\n#EXTINF:10,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n'),
  ],
  ['a playlist of addresses', 'unreadable', () => text('#EXTM3U\n#EXTINF:10,\nhttp://127.0.0.1:8080/x.ts\n')],
  [
    'a list of files to join',
    'unreadable',
    () => text(`ffconcat version 1.0\nfile '${samplePath('go-forward.ogg')}'\n`),
  ],
  [
    'a session description',
    'unreadable',
    () => text('v=0\no=- 0 0 IN IP4 127.0.0.1\nm=audio 5004 RTP/AVP 0\n'),
  ],
  ['subtitles', 'unreadable', () => text('WEBVTT\n\n00:00.000 --> 00:01.000\nHello\n')],
  ['a sound format that is not on the list', 'unreadable', () => makeAudio(...speech, '-f', 'ac3')],
  [
    'a film without sound',
    'no_audio',
    () => makeAudio(...picture, '-c:v', 'mpeg4', ...fragments, '-f', 'mp4'),
  ],
  ['a webm film without sound', 'no_audio', () => makeAudio(...picture, '-c:v', 'libvpx', '-f', 'webm')],
  ['a WAV header and no sample', 'no_audio', () => wavHeader(0)],
  [
    'a codec that is not on the list',
    'unsupported',
    () => makeAudio(...speech, '-c:a', 'ac3', '-f', 'matroska'),
  ],
  ['half a WAV file', 'truncated', () => half(Buffer.concat([wavHeader(sound.length), sound]))],
  [
    'half a FLAC file with its length',
    'truncated',
    () => half(makeAudio(...speech, '-c:a', 'flac', '-f', 'matroska', '-t', '7')),
  ],
  [
    'an MP4 file without its index',
    'truncated',
    () => Buffer.concat([boxOf('ftyp', text('isom\0\0\0\0isom')), boxOf('mdat', scramble(50_000))]),
  ],
  ['a box longer than any file', 'unreadable', () => hugeBox],
  [
    'a webm header and noise',
    'unreadable',
    () => Buffer.concat([Buffer.from('1a45dfa3', 'hex'), scramble(50_000)]),
  ],
  [
    'a webm file whose header is cut off',
    'unreadable',
    () => makeAudio(...speech, '-c:a', 'libopus', '-f', 'webm').subarray(0, 60),
  ],
  ['an Ogg file with its header alone', 'unreadable', () => readSample('go-forward.ogg').subarray(0, 120)],
  [
    'silence',
    'no_speech',
    () => makeAudio('-f', 'lavfi', '-i', 'anullsrc=cl=mono:r=16000', '-t', '5', '-f', 'wav'),
  ],
  [
    'pink noise',
    'no_speech',
    () => makeAudio('-f', 'lavfi', '-i', 'anoisesrc=c=pink:d=10:a=0.5:seed=1', '-f', 'wav'),
  ],
  [
    'white noise',
    'no_speech',
    () => makeAudio('-f', 'lavfi', '-i', 'anoisesrc=c=white:d=10:a=0.5:seed=1', '-f', 'ogg'),
  ],
  ['chords', 'no_speech', () => makeAudio('-f', 'lavfi', '-i', `aevalsrc=${chords}:d=10`, '-f', 'wav')],
  [
    'a wavering tone that passes for a voice',
    'no_speech',
    () => makeAudio('-f', 'lavfi', '-i', `aevalsrc=${wavering}:d=10`, '-f', 'wav'),
  ],
]

const chords = '0.2*(sin(2*PI*220*t)+sin(2*PI*277*t)+sin(2*PI*330*t))*exp(-3*mod(t\\,0.5))'
const wavering = '0.3*sin(2*PI*300*t+6*sin(2*PI*5*t))*(0.5+0.5*sin(2*PI*3*t))'

function boxOf(kind: string, content: Buffer): Buffer {
  const header = Buffer.alloc(8)
  header.writeUInt32BE(content.length + 8)
  header.write(kind, 4, 'latin1')
  return Buffer.concat([header, content])
}

/** The wavering tone opens the models and is heard three times, to the limit of tokens: 26 s on a busy machine, 90 s beside five other tests. */
const caseTimeoutMs = 240_000

describe('what is no recording of speech ends in a problem that a partner can act on', () => {
  it.each(cases)(
    '%s: %s',
    async (_name, code, make) => {
      expect(await bench.problemOf(make())).toBe(code)
    },
    caseTimeoutMs,
  )

  it('every problem has a sentence without a technical word', () => {
    for (const sentence of Object.values(RECORDING_PROBLEMS)) {
      expect(sentence).toMatch(/^(The|No) [^.]+$/)
      expect(sentence).not.toMatch(/ffmpeg|stream|codec|decode|invalid data/i)
    }
  })
})

describe('bytes turned around in a good file', () => {
  it.each([1, 2, 3, 4, 5, 6])('are a shorter transcript or a problem, never a fault (%i)', async (seed) => {
    const bytes = Buffer.from(readSample('go-forward.ogg'))
    for (let index = seed; index < bytes.length; index += 97 * seed) bytes[index] = (bytes[index] ?? 0) ^ 0xff
    expect(['none', ...Object.keys(RECORDING_PROBLEMS)]).toContain(await bench.problemOf(bytes))
  })
})

it('a recording of more than three hours is refused, and read within bounded memory', async () => {
  const minute = Buffer.alloc(60 * 32_000)
  const minutes = Array.from({ length: 182 }, () => minute)
  const openAudio = () => Readable.from([wavHeader(0), ...minutes], { objectMode: false })
  const before = process.memoryUsage.rss()
  expect(await bench.problemOf(minute, { openAudio })).toBe('too_long')
  // The recording itself is 350 MB.
  expect(process.memoryUsage.rss() - before).toBeLessThan(150_000_000)
})

it('a source that fails is no problem of the recording', async () => {
  const openAudio = () =>
    Readable.from(
      (function* () {
        yield wavHeader(10_000_000)
        yield Buffer.alloc(1_000_000)
        throw new Error('the store is gone')
      })(),
      { objectMode: false },
    )
  await expect(bench.transcribe(Buffer.alloc(0), { openAudio })).rejects.toThrow('the store is gone')
})
