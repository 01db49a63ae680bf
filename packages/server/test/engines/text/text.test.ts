import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isQuestion } from '../../../src/engines/text/detect-question.js'
import { countNegations } from '../../../src/engines/text/find-negation.js'
import { findNumbers } from '../../../src/engines/text/find-numbers.js'
import { readAnswer } from '../../../src/engines/text/read-answer.js'
import { restoreApostrophes } from '../../../src/engines/text/restore-apostrophes.js'
import { splitSentences } from '../../../src/engines/text/split-sentences.js'
import { stemWord, tokenizeWords } from '../../../src/engines/text/tokenize-words.js'

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

describe('words', () => {
  it('gives inflections of a word one stem', () => {
    const stems = (words: string): number => new Set(words.split(' ').map(stemWord)).size
    expect(
      ['sleep sleeps slept sleeping', 'worry worries worried worrying', 'improve improved improving'].map(
        stems,
      ),
    ).toEqual([1, 1, 1])
  })
})

describe('a quote with its speaker', () => {
  it.each([
    'Client (12:40): "I slept. Not well."',
    'Client: “I slept. Not well.”',
    'Clinician (1:02:30): "Any thoughts of suicide? Any at all?" Client (1:02:40): "No. Never."',
  ])('%s is one unit', (line) => {
    expect(splitSentences(`- ${line}\nClient ate. Client left.`)).toEqual([
      line,
      'Client ate.',
      'Client left.',
    ])
  })
})

describe('answers', () => {
  it.each([
    ['I did not.', 'no'],
    ['Oh, I have not, no.', 'no'],
    ['I have never done that.', 'no'],
    ['I have no thoughts like that.', 'no'],
    ['I am neither.', 'no'],
    ['I was not.', 'no'],
    ['I have no idea.', 'open'],
    ['I do not mind.', 'open'],
    ['I have not decided.', 'open'],
    ['I have.', 'yes'],
    ['I did, twice.', 'yes'],
    ['Never.', 'no'],
    ['Nevertheless.', 'open'],
  ])('%j is read as %s', (text, answer) => {
    expect(readAnswer(text)).toBe(answer)
  })
})

describe('apostrophes that were not heard', () => {
  it.each([
    ['Ill go. Id like that.', "I'll go. I'd like that."],
    ['Its fine. its fine', "It's fine. it's fine"],
    ['lets see what my mom lets me do', "let's see what my mom lets me do"],
    ['i dont, and i’m ill', "I don't, and I’m ill"],
  ])('%j', (heard, spelled) => {
    expect(restoreApostrophes(heard)).toBe(spelled)
  })
})
