import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { planShare, refuseLocallyForMs, topUpThreshold } from '../../src/kernel/limits/lease-size.js'
import { describeLimit, describePolicies, toWholeSeconds } from '../../src/kernel/limits/rate-limit-fields.js'

const count = fc.nat({ max: 2 ** 31 })

describe('how much to lease', () => {
  it('a share is a whole number, no more than is spent in half a second', () => {
    fc.assert(
      fc.property(
        count,
        fc.double({ min: -1e6, noNaN: true, noDefaultInfinity: true }),
        (spent, elapsedMs) => {
          const share = planShare(spent, elapsedMs)
          expect(Number.isInteger(share)).toBe(true)
          expect(share).toBeGreaterThanOrEqual(0)
          expect(share * Math.max(elapsedMs, 100)).toBeLessThanOrEqual(spent * 500 * (1 + 1e-9))
        },
      ),
    )
  })

  it('a share grows with what was spent and shrinks with the time it took', () => {
    fc.assert(
      fc.property(count, count, fc.nat(), fc.nat(), (spent, more, elapsedMs, longer) => {
        expect(planShare(spent + more, elapsedMs)).toBeGreaterThanOrEqual(planShare(spent, elapsedMs))
        expect(planShare(spent, elapsedMs + longer)).toBeLessThanOrEqual(planShare(spent, elapsedMs))
      }),
    )
  })

  it('a top-up always asks for something', () => {
    fc.assert(fc.property(fc.integer({ min: 1, max: 2 ** 31 }), (share) => topUpThreshold(share) < share))
  })

  it('the database is asked again within a second, and not more than 100 times in one', () => {
    fc.assert(
      fc.property(fc.nat({ max: 86_400_000 }), (moreInMs) => {
        const durationMs = refuseLocallyForMs(moreInMs)
        expect(durationMs).toBeGreaterThanOrEqual(10)
        expect(durationMs).toBeLessThanOrEqual(1_000)
        if (moreInMs <= 1_000) expect(durationMs).toBeGreaterThanOrEqual(moreInMs)
      }),
    )
  })
})

describe('the fields of draft-ietf-httpapi-ratelimit-headers-10', () => {
  it('RateLimit-Policy names both policies with quota and window', () => {
    expect(describePolicies({ ratePerSecond: 10_000, burst: 20_000, perDay: 50_000_000 })).toBe(
      '"burst";q=20000;w=2, "day";q=50000000;w=86400',
    )
  })

  it('quotas are integers and no window is zero', () => {
    const limits = fc.record({
      ratePerSecond: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
      burst: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
      perDay: fc.integer({ min: 1, max: 10 ** 15 - 1 }),
    })
    fc.assert(
      fc.property(limits, (some) => {
        expect(describePolicies(some)).toMatch(/^"burst";q=\d+;w=[1-9]\d*, "day";q=\d+;w=86400$/)
      }),
    )
  })

  it('RateLimit has the remaining requests and whole seconds, at least one', () => {
    fc.assert(
      fc.property(fc.integer({ min: -5_000, max: 86_400_000 }), (moreInMs) => {
        const { beforeRemaining, afterRemaining } = describeLimit('day', moreInMs)
        expect(`${beforeRemaining}7${afterRemaining}`).toMatch(/^"day";r=7;t=[1-9]\d*$/)
        expect(toWholeSeconds(moreInMs) * 1_000).toBeGreaterThanOrEqual(moreInMs)
      }),
    )
  })
})
