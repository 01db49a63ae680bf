import { describe, expect, it } from 'vitest'
import { readLines, toLines } from '../../../../src/frame/ui/plans/plan-lines.js'

describe('the entries of a plan, a line each', () => {
  const known = [
    { id: 'a', text: 'Sleep\n  through' },
    { id: 'b', text: 'Walk' },
    { id: 'c', text: 'Walk' },
  ]

  it('keep their ids and words, also with a break within, and each once', () => {
    expect(toLines(known.map(({ text }) => text))).toBe('Sleep through\nWalk\nWalk')
    expect(readLines('Walk\n Sleep through\n\nWalk\nWalk\nRead', known)).toEqual([
      known[1],
      known[0],
      known[2],
      { text: 'Walk' },
      { text: 'Read' },
    ])
  })

  it('are the same where one was worded anew: with its id', () => {
    expect(readLines('Sleep through\nWalk daily\nWalk', known)).toEqual([
      known[0],
      { id: 'b', text: 'Walk daily' },
      known[2],
    ])
    expect(readLines('Sleep all night\nWalk\nWalk', known)).toEqual([
      { id: 'a', text: 'Sleep all night' },
      known[1],
      known[2],
    ])
    // Nobody knows which of them it is.
    expect(readLines('Sleep all night\nWalk', known)).toEqual([{ text: 'Sleep all night' }, known[1]])
  })
})
