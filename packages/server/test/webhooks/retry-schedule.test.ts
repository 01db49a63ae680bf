import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decideOutcome, type AttemptError } from '../../src/features/webhooks/dispatch/decide-outcome.js'
import { RETRY_DELAYS_MS, retryDelayMs } from '../../src/features/webhooks/dispatch/retry-schedule.js'
import { parseRetryAfter } from '../../src/kernel/retry-after.js'

const hourMs = 3_600_000
const nowMs = Date.parse('2026-11-15T12:00:00Z')

describe('the schedule', () => {
  it('has ten attempts over 75 h 35 min 5 s', () => {
    const total = RETRY_DELAYS_MS.reduce((sum, delay) => sum + delay, 0)
    expect(RETRY_DELAYS_MS).toHaveLength(9)
    expect(total).toBe(75 * hourMs + 35 * 60_000 + 5_000)
  })

  it('is only ever late, by at most a tenth', () => {
    fc.assert(
      fc.property(fc.nat(8), fc.double({ min: 0, max: 1, noNaN: true }), (step, random) => {
        const delay = retryDelayMs(step, null, random) ?? -1
        const table = RETRY_DELAYS_MS[step] ?? 0
        expect(delay).toBeGreaterThanOrEqual(table)
        expect(delay).toBeLessThanOrEqual(table * 1.1)
      }),
    )
  })

  it('ends after the tenth attempt', () => {
    expect(retryDelayMs(9, 5_000, 0)).toBeNull()
  })

  it('takes Retry-After when it is later, up to a day', () => {
    expect(retryDelayMs(0, 60_000, 0)).toBe(60_000)
    expect(retryDelayMs(1, 60_000, 0)).toBe(300_000)
    expect(retryDelayMs(0, 1e15, 0)).toBe(24 * hourMs)
  })
})

describe('Retry-After', () => {
  it.each([
    ['120', 120_000],
    [' 5 ', 5_000],
    ['0', null],
    ['-5', null],
    ['1.5', 1_500],
    ['soon', null],
    ['', null],
    ['999999999999999', 999_999_999_999_999_000],
    ['9999999999999999', null],
    ['Sun, 15 Nov 2026 12:01:00 GMT', 60_000],
    ['Sun, 15 Nov 2026 11:59:00 GMT', null],
    ['Sunday, 15-Nov-26 12:01:00 GMT', 60_000],
    ['2026-11-15T12:01:00Z', null],
  ])('%j is %s', (text, expected) => {
    expect(parseRetryAfter(text, nowMs)).toBe(expected)
  })

  it('of any text is null or a time that lies ahead', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const waitMs = parseRetryAfter(text, nowMs)
        expect(waitMs === null || waitMs > 0).toBe(true)
      }),
    )
  })
})

describe('what follows from an attempt', () => {
  const claim = { scheduleStep: 3, failuresInARow: 0 }
  const answered = (httpStatus: number, retryAfterMs: number | null = null) =>
    decideOutcome({ httpStatus, error: null, durationMs: 5, retryAfterMs }, claim, 0)
  const failed = (error: AttemptError, failuresInARow = 0) =>
    decideOutcome(
      { httpStatus: null, error, durationMs: 5, retryAfterMs: null },
      { ...claim, failuresInARow },
      0,
    )

  it('only 2xx is success', () => {
    for (let status = 200; status < 600; status += 1) {
      expect(answered(status).status === 'succeeded').toBe(status < 300)
    }
  })

  it('every failure moves the schedule on by one step', () => {
    for (const status of [300, 302, 400, 404, 429, 500, 503]) {
      expect(answered(status)).toMatchObject({ status: 'pending', scheduleStep: 4, delayMs: 2 * hourMs })
    }
  })

  it('410 ends the delivery and the endpoint', () => {
    expect(answered(410)).toMatchObject({ status: 'failed', verdict: 'gone' })
  })

  it('an endpoint that answers wrongly is not held, one that is overloaded or cannot be reached is', () => {
    for (const status of [400, 404, 500, 501]) expect(answered(status).pauseMs).toBe(0)
    for (const status of [429, 502, 503, 504]) expect(answered(status).pauseMs).toBe(1_000)
    expect(failed('timeout').pauseMs).toBe(1_000)
    expect(failed('timeout', 3).pauseMs).toBe(8_000)
    expect(failed('connection_refused', 1_000_000).pauseMs).toBe(30_000)
    expect(failed('target_refused').pauseMs).toBe(0)
  })

  it('Retry-After pauses the endpoint, for five minutes at the most', () => {
    expect(answered(429, 60_000).pauseMs).toBe(60_000)
    expect(answered(429, 24 * hourMs)).toMatchObject({ pauseMs: 300_000, delayMs: 24 * hourMs })
  })

  it('an attempt that we broke off costs no step and tells nothing about the endpoint', () => {
    expect(failed('interrupted')).toEqual({
      status: 'pending',
      scheduleStep: 3,
      delayMs: 0,
      verdict: null,
      pauseMs: 0,
    })
  })
})
