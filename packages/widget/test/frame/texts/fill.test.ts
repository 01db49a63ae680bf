import { describe, expect, it } from 'vitest'
import { fill, fillCount } from '../../../src/frame/texts/fill.js'

describe("the widget's texts", () => {
  it('take values into their places, whatever a value looks like', () => {
    expect(fill('{name}: {score} of {scoreMax}', { name: '$& {score}', score: 0, scoreMax: 27 })).toBe(
      '$& {score}: 0 of 27',
    )
  })

  it('keep the places that have no value yet', () => {
    expect(fill('Find another {reference} by {date}', { reference: 'patient' })).toBe(
      'Find another patient by {date}',
    )
  })

  it('choose the form that the language has for a number, else the one that every language has', () => {
    const english = { one: '{count} score', other: '{count} scores' }
    const counted = [0, 1, 2].map((count) => fillCount({ locale: 'en' }, english, count))
    expect(counted).toEqual(['0 scores', '1 score', '2 scores'])
    const polish = { one: '{count} wynik', few: '{count} wyniki', other: '{count} wyników' }
    const inPolish = [1, 3, 5].map((count) => fillCount({ locale: 'pl' }, polish, count))
    expect(inPolish).toEqual(['1 wynik', '3 wyniki', '5 wyników'])
  })

  it('take other values beside the number', () => {
    const plural = { one: '{name}: {count} score', other: '{name}: {count} scores' }
    expect(fillCount({ locale: 'en' }, plural, 2, { name: 'PHQ-9' })).toBe('PHQ-9: 2 scores')
  })
})
