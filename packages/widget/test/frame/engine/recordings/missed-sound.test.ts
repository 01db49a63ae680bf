import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { MissedSound } from '../../../../src/frame/engine/recordings/missed-sound.js'

const minute = 60_000

let missed: MissedSound

beforeEach(() => {
  vi.useFakeTimers({ now: Date.UTC(2026, 10, 15, 9) })
  missed = new MissedSound()
  missed.goOn()
})
afterEach(() => {
  vi.useRealTimers()
})

/** A second of sound, given `lateMs` after it was there. */
const hearSecond = (lateMs = 0) => {
  vi.setSystemTime(Date.now() + 1_000 + lateMs)
  return missed.hear(1_000)
}

it('what a machine slept through, from when it had sound last', () => {
  expect(hearSecond()).toBeNull()
  expect(hearSecond(30 * minute)).toEqual({ at: '2026-11-15T09:00:01.000Z', seconds: 1_800 })
  expect(hearSecond()).toBeNull()
})

it('not what a frame that was held up gives late, a clock that is set back, or what a pause leaves out', () => {
  vi.setSystemTime(Date.now() + 20_000)
  expect(missed.hear(20_000)).toBeNull()
  expect(hearSecond(-5 * minute)).toBeNull()
  expect(hearSecond()).toBeNull()
  expect(missed.end()).toBeNull()
  expect(hearSecond(30 * minute)).toBeNull()
  missed.goOn()
  expect(hearSecond()).toBeNull()
})

it('also where the microphone is gone as it wakes', () => {
  hearSecond()
  vi.setSystemTime(Date.now() + 10 * minute)
  expect(missed.end()).toMatchObject({ seconds: 600 })
  expect(missed.end()).toBeNull()
})
