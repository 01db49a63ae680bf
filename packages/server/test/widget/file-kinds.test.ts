import { describe, expect, it } from 'vitest'
import { hasMp3Frames, skipTag, tellKind } from '../../../widget/src/frame/engine/recordings/file-kinds.js'
import { makeAudio } from '../support/make-audio.mjs'

const tone = ['-f', 'lavfi', '-i', 'sine=frequency=220:duration=1']
const make = (...output: string[]): Uint8Array => new Uint8Array(makeAudio([...tone, ...output]))
const toBytes = (text: string): Uint8Array => new TextEncoder().encode(text)

describe('a file that is chosen for upload', () => {
  it.each([
    ['mp3', ['-f', 'mp3', 'pipe:1']],
    ['wav', ['-f', 'wav', 'pipe:1']],
    ['flac', ['-f', 'flac', 'pipe:1']],
    ['ogg', ['-c:a', 'libopus', '-f', 'ogg', 'pipe:1']],
    ['mp4', ['-movflags', 'empty_moov', '-f', 'mp4', 'pipe:1']],
    ['aac', ['-f', 'adts', 'pipe:1']],
    ['webm', ['-c:a', 'libopus', '-f', 'webm', 'pipe:1']],
  ])('is told to be %s by its first bytes', (kind, output) => {
    expect(tellKind(make(...output))).toBe(kind)
  })

  it('is an MP3 with a tag, without one, and when it was cut out of the middle of a longer one', () => {
    const tagged = make('-f', 'mp3', '-metadata', 'title=Session', 'pipe:1')
    expect(skipTag(tagged)).toBeGreaterThan(0)
    expect(hasMp3Frames(tagged.subarray(skipTag(tagged)))).toBe(true)
    const bare = make('-f', 'mp3', '-id3v2_version', '0', '-write_xing', '0', 'pipe:1')
    expect(skipTag(bare)).toBe(0)
    expect(tellKind(bare)).toBe('mp3')
    expect(tellKind(bare.subarray(100))).toBe('mp3')
  })

  it.each([
    ['a text', toBytes('Session notes\n'.repeat(500))],
    ['a text that begins like a sentence of bytes', toBytes('RIFF is a word. '.repeat(90))],
    ['a PDF', toBytes('%PDF-1.7 '.repeat(900))],
    ['an archive or a Word document', Uint8Array.from([0x50, 0x4b, 3, 4, ...Array(4_000).fill(7)])],
    ['a photo', Uint8Array.from([0xff, 0xd8, 0xff, 0xe0, ...Array(4_000).fill(0xff)])],
    ['nothing but zeros', new Uint8Array(4_000)],
  ])('is no recording when it is %s', (_, bytes) => {
    expect(tellKind(bytes)).toBeNull()
  })

  it('has no sound when only the tag of an MP3 is left', () => {
    const tagged = make('-f', 'mp3', '-metadata', 'title=Session', 'pipe:1')
    const garbage = new Uint8Array(8_000).map((_, index) => (index * 31 + (index >> 8)) % 251)
    const broken = Uint8Array.from([...tagged.subarray(0, skipTag(tagged)), ...garbage])
    expect(tellKind(broken)).toBe('mp3')
    expect(hasMp3Frames(broken.subarray(skipTag(broken)))).toBe(false)
  })
})
