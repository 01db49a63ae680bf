import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { buildWindows } from '../../../src/engines/reader/encoder/build-windows.js'
import { FIGURES_COUNT, readFigures } from '../../../src/engines/reader/encoder/figures.js'
import { ownWeightsFolder } from '../../../src/engines/reader/encoder/load-weights.js'
import { CLS, makeWordPieces, SEP } from '../../../src/engines/reader/encoder/word-pieces.js'
import { PLACES, TOPICS } from '../../../src/engines/reader/reading.js'
import { readTalk } from '../../../src/engines/reader/talk/read-talk.js'
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

const windowsOf = (items: Parameters<typeof readTalk>[0]) => [...buildWindows(readTalk(items), pieces)]

describe('windows', () => {
  it('hold the talk in order, who speaks before each turn, and where each sentence and its turn stand', () => {
    const talk = makeTalk('T: How are you?', 'C: Fine. I sleep.')
    const say = (text: string) => pieces.encode(text)
    const [asked, fine, sleep] = [say('How are you?'), say('Fine.'), say('I sleep.')]
    const [clinician, client] = [say('clinician:'), say('client:')]
    const first = 2 + clinician.length
    const second = first + asked.length + 1 + client.length
    const end = second + fine.length + sleep.length
    expect(windowsOf(talk)).toEqual([
      {
        ids: [CLS, SEP, ...clinician, ...asked, SEP, ...client, ...fine, ...sleep, SEP],
        judged: [
          { item: 0, at: 0, sentence: [first, first + asked.length], turn: [first, first + asked.length] },
          { item: 1, at: 0, sentence: [second, second + fine.length], turn: [second, end] },
          { item: 1, at: 1, sentence: [second + fine.length, end], turn: [second, end] },
        ],
      },
    ])
  })

  it('call everybody but clinician and client other', () => {
    const [window] = windowsOf([{ speaker: 'speaker_3', transcript: 'hi' }])
    expect(window?.ids).toEqual([CLS, SEP, ...pieces.encode('other: hi'), SEP])
  })

  it('give a sentence in the middle of a talk what was said before and after it', () => {
    const lines = Array.from(
      { length: 240 },
      (_, index) => `${index % 2 === 0 ? 'T' : 'C'}: number ${index}.`,
    )
    const windows = windowsOf(makeTalk(...lines))
    expect(windows.length).toBeGreaterThan(3)
    for (const { ids, judged } of windows.slice(1, -1)) {
      expect(judged[0]?.sentence[0]).toBeGreaterThan(50)
      expect(ids.length - (judged.at(-1)?.sentence[1] ?? 0)).toBeGreaterThan(15)
    }
  })

  it('judge every sentence once, and stay within what the encoder can hold, whatever was written', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 400 }),
      fc.constant('ﷺ㍿ '.repeat(400)),
      fc.constant('#!?%& '.repeat(300)),
    )
    const item = fc.record({ speaker: fc.constantFrom('client', 'clinician', 'x'), transcript: text })
    fc.assert(
      fc.property(fc.array(item, { maxLength: 6 }), (items) => {
        const turns = readTalk(items)
        const windows = [...buildWindows(turns, pieces)]
        expect(windows.flatMap(({ judged }) => judged.map(({ item: at, at: place }) => [at, place]))).toEqual(
          turns.flatMap(({ item: at, sentences }) => sentences.map(({ at: place }) => [at, place])),
        )
        for (const { ids, judged } of windows) {
          expect(ids.length).toBeLessThanOrEqual(512)
          for (const { sentence, turn } of judged) {
            expect(sentence[1]).toBeGreaterThan(sentence[0])
            expect(turn[0]).toBeLessThanOrEqual(sentence[0])
            expect(turn[1]).toBeGreaterThanOrEqual(sentence[1])
            expect(turn[1]).toBeLessThan(ids.length)
          }
        }
      }),
      { numRuns: 60 },
    )
  })

  it('cut an item of 50,000 words into windows that are all read', () => {
    const windows = windowsOf([
      { speaker: 'client', transcript: 'So I went there and it was closed. '.repeat(6250) },
    ])
    expect(windows.length).toBeGreaterThan(180)
    expect(windows.length).toBeLessThan(300)
  })
})

describe('figures', () => {
  const row = (figures: Readonly<Record<number, number>>) =>
    Float32Array.from({ length: FIGURES_COUNT }, (_, at) => figures[at] ?? (at < TOPICS.length ? -9 : 0))

  it('of an item have the topics of any of its sentences', () => {
    const { topics } = readFigures([row({}), row({ [TOPICS.indexOf('sleep')]: 2 }), row({})])
    expect(Object.keys(topics)).toEqual(['sleep'])
    expect(topics.sleep).toBeGreaterThan(0.8)
  })

  it('of a sentence are shares of one, without what is next to nothing', () => {
    const plan = TOPICS.length + PLACES.indexOf('plan')
    const [sentence] = readFigures([row({ [plan]: 18 })]).sentences
    expect(sentence?.places).toEqual({ plan: 1 })
    expect(sentence?.stands).toEqual({ alone: 0.2, goes_on: 0.2, answers: 0.2, points_back: 0.2, shred: 0.2 })
    expect(sentence?.worth).toBe(0.5)
  })

  it('of nothing are none', () => {
    expect(readFigures([])).toMatchObject({ topics: {}, sentences: [] })
  })
})
