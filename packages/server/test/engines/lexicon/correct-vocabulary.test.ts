import { describe, expect, it } from 'vitest'
import {
  isEverydayPhrase,
  makeVocabularyCorrection,
} from '../../../src/engines/lexicon/correct-vocabulary.js'
import { assembleTranscript } from '../../../src/engines/speech/assemble-transcript.js'
import type { TermCorrection } from '../../../src/engines/lexicon/correct-instruments.js'

const correct = makeVocabularyCorrection([
  { term: 'Naoise', heard: ['knee sha'] },
  { term: 'Przybylski', heard: [] },
  { term: 'Zurzuvae', heard: [] },
  { term: 'Danielle', heard: [] },
  { term: 'Christina', heard: [] },
])
const write = (text: string): [string, TermCorrection[]] => {
  const corrections: TermCorrection[] = []
  return [correct(text, corrections), corrections]
}

describe('a vocabulary', () => {
  it('puts right what was taught, wherever it stands, and says what was heard', () => {
    expect(write('Knee sha came, and knee sha left.')).toEqual([
      'Naoise came, and Naoise left.',
      [
        { heard: 'Knee sha', corrected: 'Naoise' },
        { heard: 'knee sha', corrected: 'Naoise' },
      ],
    ])
  })

  it('puts right an odd word that sounds like one of it', () => {
    expect(write('I started zurzuvay in May.')[0]).toBe('I started Zurzuvae in May.')
  })

  it.each([
    'My knee hurts and she shares the car.',
    'I take sertraline, fifty milligrams.',
    'We went to the shop to buy bread for the neighbors.',
    'Zurzuvae helps.',
    'Daniel hit me, and Christine saw it.',
    'Christina Ahn came with the sertraline.',
    '',
  ])('leaves “%s” alone', (text) => {
    expect(write(text)).toEqual([text, []])
  })

  it('does not join words over a stop', () => {
    expect(write('It is my knee. Sha came.')[1]).toEqual([])
  })

  it('knows what is too common to be taught', () => {
    const phrases = ['two', 'water', 'was not', 'sertraline', 'my sertraline', 'knee sha', 'Zurzuvay']
    expect(phrases.filter(isEverydayPhrase)).toEqual(phrases.slice(0, 5))
  })

  it('has the last word in a transcript', () => {
    const clip = { startSeconds: 0, endSeconds: 2, text: 'Knee sha called.', confidence: 1, voices: [] }
    const chunks = [{ clips: [clip] }] as unknown as Parameters<typeof assembleTranscript>[0]
    const { items } = assembleTranscript(chunks, [{ term: 'Naoise', heard: ['knee sha'] }])
    expect(items).toMatchObject([
      { transcript: 'Naoise called.', corrections: [{ heard: 'Knee sha', corrected: 'Naoise' }] },
    ])
  })
})
