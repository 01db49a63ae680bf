import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { diffWords } from '../../../../src/frame/ui/note/diff-words.js'
import { someText } from './some-text.js'

describe('the diff of two versions', () => {
  const textOf = (before: string, after: string, dropped: string): string =>
    diffWords(before, after)
      .filter(({ kind }) => kind !== dropped)
      .map(({ text }) => text)
      .join('')

  const toWords = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '')

  it('holds every word of the one and all of the other', () => {
    fc.assert(
      fc.property(someText, someText, (before, after) => {
        expect(toWords(textOf(before, after, 'added'))).toEqual(toWords(before))
        expect(textOf(before, after, 'removed')).toBe(after)
      }),
    )
  })

  it('calls nothing changed that did not change', () => {
    fc.assert(
      fc.property(someText, (text) => {
        expect(diffWords(text, text).every(({ kind }) => kind === 'same')).toBe(true)
      }),
    )
  })

  it('finds one changed word between many', () => {
    expect(diffWords('Client slept well this week.', 'Client slept badly this week.')).toEqual([
      { kind: 'same', text: 'Client slept ' },
      { kind: 'removed', text: 'well ' },
      { kind: 'added', text: 'badly ' },
      { kind: 'same', text: 'this week.' },
    ])
  })

  it('keeps a word that was removed from the end apart from the word before it', () => {
    expect(diffWords('Slept well. Ate well.', 'Slept well.')).toEqual([
      { kind: 'same', text: 'Slept well.' },
      { kind: 'removed', text: ' Ate well.' },
    ])
  })

  it('is silent about line breaks', () => {
    expect(diffWords('Slept well. Ate well.', 'Slept well.\nAte well.')).toEqual([
      { kind: 'same', text: 'Slept well.\nAte well.' },
    ])
  })

  it('stays whole, and quick, where texts are too long to be compared', () => {
    const long = (word: string): string => `${word} `.repeat(3_000)
    expect(textOf(long('before'), long('after'), 'added')).toBe(long('before'))
  })
})
