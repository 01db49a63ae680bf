import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isQuestion } from '../../../src/engines/writer/text/detect-question.js'
import { expandContractions } from '../../../src/engines/writer/text/expand-contractions.js'
import { countNegations } from '../../../src/engines/writer/text/find-negation.js'
import { findNumbers } from '../../../src/engines/writer/text/find-numbers.js'
import { dropRestarts } from '../../../src/engines/writer/text/drop-restarts.js'
import { removeDisfluencies } from '../../../src/engines/writer/text/remove-disfluencies.js'
import { reportSpeech } from '../../../src/engines/writer/text/report-speech.js'
import { shiftSecondPerson } from '../../../src/engines/writer/text/shift-person.js'
import { splitSentences } from '../../../src/engines/writer/text/split-sentences.js'
import { stemWord, tokenizeWords } from '../../../src/engines/writer/text/tokenize-words.js'

const negatedWords = (text: string): string[] => {
  const tokens = tokenizeWords(text)
  const counts = countNegations(text, tokens)
  return tokens.filter((_token, index) => (counts[index] ?? 0) > 0).map((token) => token.lower)
}

describe('sentences', () => {
  it.each([
    [
      'I took 37.5 mg at 3 p.m. on Tuesday. It helped.',
      ['I took 37.5 mg at 3 p.m. on Tuesday.', 'It helped.'],
    ],
    ['Dr. Lee said "stop. now" and I left.', ['Dr. Lee said "stop. now" and I left.']],
    ['Wait... what? Fine!', ['Wait... what?', 'Fine!']],
    ['- One thing.\n- Another', ['One thing.', 'Another']],
  ])('splits %j', (text, sentences) => {
    expect(splitSentences(text)).toEqual(sentences)
  })

  it('loses no word of any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const letters = (value: string): string => value.replace(/[^\p{L}\p{N}]/gu, '')
        expect(letters(splitSentences(text).join(''))).toBe(letters(text))
      }),
    )
  })

  it.each([
    ['How are you sleeping', true],
    ['Any thoughts of hurting yourself', true],
    ['You slept well, right', true],
    ['I know what you are doing.', false],
    ['What I noticed is the anger.', false],
  ])('%j asks: %s', (text, asks) => {
    expect(isQuestion(text)).toBe(asks)
  })
})

describe('numbers', () => {
  it.each([
    ['one fifty', ['150']],
    ['ten eleven', ['10', '11']],
    ['thirty seven point five', ['37.5']],
    ['one hundred and fifty', ['150']],
    ['twenty-five', ['25']],
    ['120/80', ['120/80', '120', '80']],
    ['5.0', ['5']],
  ])('%j may mean %j', (text, readings) => {
    expect(findNumbers(tokenizeWords(text)).map((mention) => mention.readings)).toEqual([readings])
  })

  it('does not count the pronoun', () => {
    expect(findNumbers(tokenizeWords('no one, the one who left'))).toEqual([])
  })
})

describe('negation', () => {
  it.each([
    ['No nausea, headaches, or dizziness, but tired', ['nausea', 'headaches', 'or', 'dizziness']],
    ["I don't sleep and I worry", ['sleep']],
    ['not only tired', []],
    ['Client denied cravings.', ['cravings']],
  ])('in %j reaches %j', (text, words) => {
    expect(negatedWords(text)).toEqual(words)
  })
})

describe('speech turned into writing', () => {
  it.each([
    ["I've been sleeping like four hours a night, you know.", 'sleeping four hours a night'],
    ["Um, I didn't take it on Sunday.", 'not taking it on Sunday'],
    ['I skipped work and stayed in bed.', 'they skipped work and stayed in bed'],
    ["My mind, my mind won't stop.", 'their mind will not stop'],
    ['I argued with my mom.', 'arguing with their mom'],
    ["I'm anxious all the time.", 'they are anxious all the time'],
  ])('%j is reported as %j', (said, reported) => {
    expect(reportSpeech(removeDisfluencies(said))?.text).toBe(reported)
  })

  it('is refused where "they" would be read as somebody else', () => {
    expect(reportSpeech('I told them they were wrong about me.')).toBeNull()
  })

  it('names the client once', () => {
    expect(shiftSecondPerson('it sounds like you are hard on yourself and you feel alone')).toBe(
      'it sounds like client is hard on themselves and they feel alone',
    )
  })

  it('keeps numbers and negations when filler goes', () => {
    expect(removeDisfluencies('Um, no, I, uh, took two, two in the morning, you know.')).toBe(
      'No, I took two, two in the morning.',
    )
  })

  it.each([
    ['My heart was, it was going like crazy.', 'My heart was going like crazy.'],
    ["He's back at work, he's a, he drives a truck.", "He's back at work, he drives a truck."],
    ["I just don't feel, I don't feel anything.", "I don't feel anything."],
    ["I don't, I wouldn't do anything.", "I wouldn't do anything."],
    ['Last month it was every day so.', 'Last month it was every day.'],
    [
      'I went to bed at ten, I woke at three, I lay there.',
      'I went to bed at ten, I woke at three, I lay there.',
    ],
  ])('of %j only what was meant is left', (text, left) => {
    expect(removeDisfluencies(text)).toBe(left)
  })

  it('no number is lost with a false start', () => {
    const words = fc.constantFrom(
      'I',
      'was',
      'the',
      'it',
      'my',
      'two',
      'fifty',
      'slept',
      'hours',
      'and',
      'three',
      'is',
    )
    const segment = fc.array(words, { minLength: 1, maxLength: 5 }).map((list) => list.join(' '))
    fc.assert(
      fc.property(fc.array(segment, { minLength: 1, maxLength: 5 }), (segments) => {
        const numbersOf = (text: string): Set<string> =>
          new Set(text.toLowerCase().match(/\b(?:two|fifty|three)\b/g))
        const text = segments.join(', ')
        expect(numbersOf(dropRestarts(text))).toEqual(numbersOf(text))
      }),
    )
  })

  it.each([
    ["I'd been off it", 'I had been off it'],
    ["I'd stop", 'I would stop'],
    ["It's been bad and it's worse", 'It has been bad and it is worse'],
  ])('%j is written %j', (text, written) => {
    expect(expandContractions(text)).toBe(written)
  })

  it('gives inflections of a word one stem', () => {
    const stems = (words: string): number => new Set(words.split(' ').map(stemWord)).size
    expect(
      ['sleep sleeps slept sleeping', 'worry worries worried worrying', 'improve improved improving'].map(
        stems,
      ),
    ).toEqual([1, 1, 1])
  })
})
