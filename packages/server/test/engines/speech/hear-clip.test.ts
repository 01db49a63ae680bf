import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isLoop } from '../../../src/engines/speech/moonshine/find-loop.js'
import { hearClip } from '../../../src/engines/speech/moonshine/hear-clip.js'
import type { Hearing } from '../../../src/engines/speech/moonshine/moonshine-model.js'

const heard = (text: string, changes: Partial<Hearing> = {}): Hearing => ({
  text,
  tokenCount: 10,
  meanLogProbability: -0.1,
  isEnded: true,
  ...changes,
})

/** A model that answers in turn, and remembers how much it was given. */
function makeModel(...answers: Hearing[]) {
  const lengths: number[] = []
  return {
    lengths,
    hear: async (samples: Float32Array) => {
      lengths.push(samples.length)
      return answers[lengths.length - 1] ?? heard('')
    },
  }
}

const fourSeconds = new Float32Array(64_000)

describe('a text that goes round in circles', () => {
  it.each([
    '100, 100, 100, 100, 100, 100, 100',
    'you know what I mean, you know what I mean, you know what I mean, you know what I mean',
    'Ahhhhhhhhhhhhhhhh',
    '1,000,000,000,000,000,000,000,000,000,000',
  ])('%s', (text) => expect(isLoop(text)).toBe(true))

  it('is found whatever the phrase', () => {
    const word = fc.stringMatching(/^[a-z]{2,8}$/)
    fc.assert(
      fc.property(
        fc.array(word, { minLength: 1, maxLength: 6 }),
        fc.integer({ min: 6, max: 30 }),
        (phrase, times) => isLoop(Array.from({ length: times }, () => phrase.join(' ')).join(', ')),
      ),
    )
  })
})

describe('a text that repeats itself as people do', () => {
  it.each([
    'No, no, no, no.',
    "I don't know, I don't know, I don't know.",
    'It was very, very, very hard.',
    'Thank you. Thank you so much.',
    'One hundred milligrams once a day in the morning.',
    '',
  ])('%s', (text) => expect(isLoop(text)).toBe(false))
})

describe('a clip', () => {
  it('is heard once when it is understood', async () => {
    const model = makeModel(heard('I slept better.'))
    expect(await hearClip(model, fourSeconds)).toMatchObject({ text: 'I slept better.' })
    expect(model.lengths).toEqual([64_000])
  })

  it('that loops is cut in two, and what is understood then is kept', async () => {
    const model = makeModel(heard('no '.repeat(20), { isEnded: false }), heard('I slept'), heard('better.'))
    expect((await hearClip(model, fourSeconds)).text).toBe('I slept better.')
    expect(model.lengths.slice(1).reduce((sum, length) => sum + length)).toBe(64_000)
  })

  it('whose half still loops loses that half', async () => {
    const loop = heard('100, 100, 100, 100, 100, 100, 100,')
    const model = makeModel(loop, heard('I slept better.'), heard('100, 100', { isEnded: false }))
    expect((await hearClip(model, fourSeconds)).text).toBe('I slept better.')
  })

  it('that loops in both halves is given up', async () => {
    const loop = heard('la '.repeat(30), { isEnded: false })
    const model = makeModel(loop, loop, loop)
    expect(await hearClip(model, fourSeconds)).toEqual({ text: '', confidence: 0 })
    expect(model.lengths).toHaveLength(3)
  })

  it('too short to be cut is given up at once', async () => {
    const model = makeModel(heard('la', { isEnded: false }))
    expect((await hearClip(model, new Float32Array(8000))).text).toBe('')
    expect(model.lengths).toHaveLength(1)
  })

  it('that the model does not trust has no words', async () => {
    expect(
      (await hearClip(makeModel(heard('Thank you.', { meanLogProbability: -1.5 })), fourSeconds)).text,
    ).toBe('')
  })
})
