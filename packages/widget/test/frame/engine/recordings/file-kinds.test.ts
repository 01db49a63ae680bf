import { describe, expect, it } from 'vitest'
import { findKind, tellKind } from '../../../../src/frame/engine/recordings/file-kinds.js'
import { makeAudio } from '../../../../../server/test/support/make-audio.mjs'

const tone = ['-f', 'lavfi', '-i', 'sine=frequency=220:duration=1']
const make = (...output: string[]): Uint8Array => new Uint8Array(makeAudio([...tone, ...output]))
/** As the frame reads it: 64 KiB at a time. */
const find = (bytes: Uint8Array) => findKind(async (from) => bytes.subarray(from, from + 65_536))
/** An ID3 tag, whose length is written with seven bits a byte. */
const tag = (length: number): number[] => {
  const digits = [21, 14, 7, 0].map((bits) => (length >> bits) & 127)
  return [...toBytes('ID3'), 4, 0, 0, ...digits, ...Array<number>(length).fill(0)]
}
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

  it('is an MP3 with a tag, without one, and when it was cut out of the middle of a longer one', async () => {
    const tagged = make('-f', 'mp3', '-metadata', 'title=Session', 'pipe:1')
    expect(await find(tagged)).toEqual({ kind: 'mp3', isTagged: true })
    const bare = make('-f', 'mp3', '-id3v2_version', '0', '-write_xing', '0', 'pipe:1')
    expect(await find(bare)).toEqual({ kind: 'mp3', isTagged: false })
    expect(tellKind(bare.subarray(100))).toBe('mp3')
  })

  it.each([
    ['aac', ['-f', 'adts', 'pipe:1']],
    ['flac', ['-f', 'flac', 'pipe:1']],
    ['mp3', ['-f', 'mp3', 'pipe:1']],
  ])('is told to be %s behind the tags of an MP3, however large their pictures are', async (kind, output) => {
    const bytes = [...tag(300), ...tag(200_000), ...make(...output)]
    expect(await find(Uint8Array.from(bytes))).toEqual({ kind, isTagged: true })
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

  it('has no sound at its beginning when only the tag of an MP3 is left, or tags without end', async () => {
    const garbage = new Uint8Array(8_000).map((_, index) => (index * 31 + (index >> 8)) % 251)
    const broken = Uint8Array.from([...tag(300), ...garbage])
    expect(await find(broken)).toEqual({ kind: null, isTagged: true })
    const tags = Uint8Array.from(Array.from({ length: 50 }, () => tag(10)).flat())
    expect(await find(tags)).toEqual({ kind: null, isTagged: true })
  })
})
