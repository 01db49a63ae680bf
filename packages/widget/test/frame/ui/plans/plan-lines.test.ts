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
})
