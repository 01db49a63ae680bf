import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { correctTerms } from '../../../src/engines/lexicon/correct-terms.js'
import { MEDICATIONS } from '../../../src/engines/lexicon/medications.js'

const commonWords = readFileSync(new URL('../../../models/common-words.txt', import.meta.url), 'utf8')
  .trim()
  .split(/\s+/)

const names = MEDICATIONS.flatMap(({ generic, brands }) => [generic, ...brands])

describe('correctTerms', () => {
  it.each([
    ['Are you still taking the search for line 50 milligrams every morning?', 'sertraline'],
    ['I would like to increase the search-a-line to 100 milligrams.', 'sertraline'],
    ['My doctor put me on citrulline for my anxiety.', 'sertraline'],
    ['Are you still taking the North Reptiline 10 mg every morning?', 'nortriptyline'],
    ['So how is the mill in a sipron working for you?', 'milnacipran'],
    ['Are you still taking the sea to La Prem, 10 mg every morning?', 'citalopram'],
  ])('%s → %s', (heard, name) => {
    const { text, corrections } = correctTerms(heard, [])
    expect(corrections.map(({ corrected }) => corrected)).toEqual([name])
    expect(text).toContain(name)
  })

  it.each([
    [
      'You could try three milligrams, to hours before bed.',
      'You could try three milligrams, two hours before bed.',
    ],
    ['I take too tablets at night.', 'I take two tablets at night.'],
    [
      'To weeks ago it was worse, in the last to days it was fine.',
      'Two weeks ago it was worse, in the last two days it was fine.',
    ],
  ])('counts what is counted: %s', (heard, meant) => {
    const { text, corrections } = correctTerms(heard, [])
    expect(text).toBe(meant)
    expect(corrections.length).toBeGreaterThan(0)
  })

  it.each([
    'It comes down to hours of work.',
    'She is used to nights like that.',
    'It went from days to weeks.',
    'There are too many hours in it.',
    'That is due to times like these.',
    'I waited for hours.',
  ])('leaves a "to" that was meant: %s', (said) => {
    expect(correctTerms(said, [])).toEqual({ text: said, corrections: [] })
  })

  it('writes what was heard and what it became', () => {
    expect(correctTerms('Keep the search for line 50 milligrams, please.', [])).toEqual({
      text: 'Keep the sertraline 50 milligrams, please.',
      corrections: [{ heard: 'search for line', corrected: 'sertraline' }],
    })
  })

  it('needs medication talk nearby where no dose is said', () => {
    const heard = 'I started Savoxone last month.'
    expect(correctTerms(heard, []).text).toBe(heard)
    expect(correctTerms(heard, ['How is the new medication?']).text).toBe('I started Suboxone last month.')
  })

  it('writes instruments the usual way and keeps their numbers', () => {
    expect(correctTerms('On the Ph.Q. 9 your score was 11, on the G.A.D. seven it was 8.', []).text).toBe(
      'On the PHQ-9 your score was 11, on the GAD-7 it was 8.',
    )
    expect(correctTerms('Who five of you are here? I had 4 and a gad 6.', []).corrections).toEqual([])
  })

  it.each([
    'Let us search for line five in the form.',
    'I take the bus every morning, about fifty minutes.',
    'I started running last month and I feel better.',
    'We could increase the volume to fifty percent.',
    'My doctor put me on a diet and told me to sleep more.',
    'He was put on parole after the trial, and the medication was stopped.',
    'I took anything I could, 50 milligrams, 100 milligrams.',
    'Initially 50 milligrams, and several 25 milligram steps after that.',
    'I had two drinks, 50 milligrams of caffeine and a concert to go to.',
  ])('leaves plain English alone: %s', (text) => {
    expect(correctTerms(text, ['Any side effects from the medication?'])).toEqual({ text, corrections: [] })
  })

  it('leaves any single common word alone where a medication could be named', () => {
    const changed = commonWords.filter((word, i) => {
      if (i % 10 !== 0) return false
      const text = `My doctor put me on ${word} last month.`
      return correctTerms(text, ['Any side effects from the medication?']).corrections.length > 0
    })
    expect(changed).toEqual([])
  })

  it('leaves sentences of common words alone', () => {
    const sentence = fc.array(fc.constantFrom(...commonWords), { minLength: 3, maxLength: 14 })
    fc.assert(
      fc.property(sentence, (words) => {
        const text = `${words.join(' ')}.`
        expect(correctTerms(text, []).corrections).toEqual([])
      }),
      { numRuns: 3000 },
    )
  })

  it('never changes a name that is in the lexicon, so look-alikes are never swapped', () => {
    const carriers = [
      (name: string) => `I take ${name} 50 milligrams every morning.`,
      (name: string) => `My doctor put me on ${name} for my anxiety.`,
    ]
    for (const name of names)
      for (const carrier of carriers) {
        const text = carrier(name)
        expect(correctTerms(text, []).text).toBe(text)
      }
  })

  it('never changes a number', () => {
    const pieces =
      'search for line/citrulline/50 mg/fifty milligrams/0.5 mg/to 100 milligrams/taking the/two/15/North Reptiline/put me on/twenty-five/every morning/new ronton'.split(
        '/',
      )
    const piece = fc.constantFrom(...pieces)
    const numbersOf = (text: string) => text.match(/\b(?:[\d.]+|two|fifty|twenty-five)\b/g) ?? []
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 8 }), (chosen) => {
        const text = chosen.join(' ')
        expect(numbersOf(correctTerms(text, []).text)).toEqual(numbersOf(text))
      }),
      { numRuns: 500 },
    )
  })
})
