import { expect, it } from 'vitest'
import { makeKeeper } from '../../../../src/frame/ui/live/struck-lines.js'

const lines = [0, 10, 20, 30, 40].map((startTime) => ({ startTime }))
const leftOf = (...struck: { start: number; end: number }[]): number[] =>
  lines.filter(makeKeeper(lines, struck)).map(({ startTime }) => startTime)

it('hides what begins in a struck stretch, and the line that may go on into it', () => {
  expect(leftOf()).toEqual([0, 10, 20, 30, 40])
  expect(leftOf({ start: 25, end: 35 })).toEqual([0, 10, 40])
  expect(leftOf({ start: 20, end: 30 })).toEqual([0, 30, 40])
  expect(leftOf({ start: 0, end: 5 })).toEqual([10, 20, 30, 40])
  // Where nothing was recorded.
  expect(leftOf({ start: 25, end: 25 })).toEqual([0, 10, 20, 30, 40])
  expect(leftOf({ start: 12, end: 15 }, { start: 45, end: 50 })).toEqual([0, 20, 30])
})
