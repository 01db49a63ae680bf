import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { buildWindows } from '../../../src/engines/reader/encoder/build-windows.js'
import { cutItem } from '../../../src/engines/reader/encoder/cut-item.js'
import { ownWeightsFolder } from '../../../src/engines/reader/encoder/load-weights.js'
import { CLS, makeWordPieces, SEP } from '../../../src/engines/reader/encoder/word-pieces.js'
import { makeTalk } from './talk.js'

const pieces = makeWordPieces(readFileSync(join(ownWeightsFolder(), 'vocab.txt'), 'utf8'))

describe('pieces of words', () => {
  // As the tokenizers library cuts them with the vocabulary of the weights.
  it.each([
    [
      'client: I don’t sleep, maybe 3 hours…',
      [7396, 1024, 1045, 2123, 1521, 1056, 3637, 1010, 2672, 1017, 2847, 1529],
    ],
    ['Café naïve ÉCOLE', [7668, 15743, 12431]],
    [
      'clinician: sertraline 50mg; lamotrigine?',
      [9349, 2937, 1024, 14262, 21493, 3170, 2753, 24798, 1025, 16983, 4140, 3089, 11528, 2063, 1029],
    ],
    ['日本 token', [1864, 1876, 19204]],
    [`${'a'.repeat(101)} b`, [100, 1038]],
    ['\t tab\u200bzero ', [21628, 6290, 2080]],
    ['“quoted” — dash/slash $5', [1523, 9339, 1524, 1517, 11454, 1013, 18296, 1002, 1019]],
    ['', []],
  ])('cuts %j', (text, ids) => {
    expect(pieces.encode(text)).toEqual(ids)
  })

  it('takes any text and gives the same numbers each time, all of the vocabulary', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        const ids = pieces.encode(text)
        expect(
          makeWordPieces('')
            .encode(text)
            .every((id) => id === 100),
        ).toBe(true)
        expect(pieces.encode(text)).toEqual(ids)
        expect(ids.every((id) => Number.isInteger(id) && id >= 0 && id < 30_522)).toBe(true)
      }),
      { numRuns: 200 },
    )
  })
})

describe('windows', () => {
  it('hold three items before and one after, and mark the one that is judged', () => {
    const talk = makeTalk('C: one', 'T: two', 'C: three', 'T: four', 'C: five', 'T: six')
    const window = [...buildWindows(talk, pieces)][4]
    const say = (text: string) => pieces.encode(text)
    const before = [
      say('clinician: two'),
      [SEP],
      say('client: three'),
      [SEP],
      say('clinician: four'),
      [SEP],
    ].flat()
    const now = say('client: five')
    expect(window).toEqual({
      item: 4,
      ids: [CLS, ...before, SEP, ...now, SEP, SEP, ...say('clinician: six'), SEP],
      nowStart: before.length + 2,
      nowLength: now.length,
    })
  })

  it('call everybody but clinician and client other', () => {
    const [window] = [...buildWindows([{ speaker: 'speaker_3', transcript: 'hi' }], pieces)]
    expect(window?.ids).toEqual([CLS, SEP, ...pieces.encode('other: hi'), SEP, SEP])
  })

  it('stay within what the encoder can hold, whatever was written', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 400 }),
      fc.constant('ﷺ㍿ '.repeat(400)),
      fc.constant('#!?%& '.repeat(300)),
    )
    const item = fc.record({ speaker: fc.constantFrom('client', 'clinician', 'x'), transcript: text })
    fc.assert(
      fc.property(fc.array(item, { maxLength: 6 }), (items) => {
        const windows = [...buildWindows(items, pieces)]
        expect(new Set(windows.map(({ item: at }) => at)).size).toBe(items.length)
        for (const { ids, nowStart, nowLength } of windows) {
          expect(ids.length).toBeLessThanOrEqual(512)
          expect(nowStart + nowLength).toBeLessThan(ids.length)
        }
      }),
      { numRuns: 60 },
    )
  })

  it('cut an item of 50,000 words into pieces that are all read', () => {
    const sentence = 'So I went there and it was closed. '
    const windows = [...buildWindows([{ speaker: 'client', transcript: sentence.repeat(6250) }], pieces)]
    expect(windows.length).toBeGreaterThan(400)
    expect(windows.length).toBeLessThan(700)
  })
})

describe('pieces of an item', () => {
  it('are one up to 130 words', () => {
    expect(cutItem('word '.repeat(130))).toHaveLength(1)
  })
  it('are whole sentences, and lose no word', () => {
    const text = 'This one has five words. '.repeat(60)
    const cut = cutItem(text)
    expect(cut.flat().join(' ')).toBe(text.trim())
    expect(cut.every((words) => words.length <= 110 && words.at(-1) === 'words.')).toBe(true)
  })
  it('are cut at a comma, or anywhere, where there are no sentences', () => {
    expect(cutItem('one two three, four five '.repeat(40))[0]?.at(-1)).toBe('three,')
    expect(cutItem('word '.repeat(300)).map((words) => words.length)).toEqual([110, 110, 80])
  })
})
