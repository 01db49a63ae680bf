import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { systemClock } from '../../src/kernel/clock.js'
import type { Limiter, TenantLimits } from '../../src/kernel/limits/index.js'
import type { TenantScope } from '../../src/kernel/tenant.js'
import { makeLimitsFixture, type LimitsFixture } from './limits-fixture.js'

let fixture: LimitsFixture
beforeAll(async () => {
  fixture = await makeLimitsFixture()
})
afterAll(() => fixture.tearDown())

/**
 * As many requests as one process gets: batches of 20, the next one when the last is answered. Ends when
 * a whole batch is refused, so that what is left in the bucket because this test was held up is spent first.
 */
async function hammer(
  limiter: Limiter,
  tenant: TenantScope,
  limits: TenantLimits,
  untilMs: number,
): Promise<number> {
  let admitted = 0
  let isRefused = false
  while (systemClock.nowMs() < untilMs || !isRefused) {
    const verdicts = await Promise.all(Array.from({ length: 20 }, async () => limiter.admit(tenant, limits)))
    for (const verdict of verdicts) if (verdict.isAdmitted) admitted += 1
    isRefused = verdicts.every((verdict) => !verdict.isAdmitted)
    await setImmediate()
  }
  return admitted
}

it.each([
  { ratePerSecond: 10_000, burst: 20_000, perDay: 50_000_000 },
  { ratePerSecond: 500, burst: 1_000, perDay: 50_000_000 },
])('three processes admit $burst + $ratePerSecond a second within 1 %', async (limits) => {
  const tenant = await fixture.addTenant(limits)
  const limiters = [1, 2, 3].map(() => fixture.openLimiter(systemClock))
  await Promise.all(limiters.map(async (limiter) => limiter.admit(tenant, limits)))

  const beforeMs = await fixture.readDatabaseMs()
  // A quarter at once: while the others come in, no refill is lost to a bucket that is full.
  const first = await Promise.all(
    Array.from({ length: limits.burst / 4 }, async () => limiters[0]?.admit(tenant, limits)),
  )
  const { leasedAtMs: startedMs } = await fixture.readBucket(tenant)
  const untilMs = systemClock.nowMs() + 3_000
  const counts = await Promise.all(limiters.map((limiter) => hammer(limiter, tenant, limits, untilMs)))
  const { leasedAtMs: endedMs } = await fixture.readBucket(tenant)

  const admitted = counts.reduce((sum, count) => sum + count, first.length)
  const allowedSince = (moment: number): number =>
    limits.burst + (limits.ratePerSecond * (endedMs - moment)) / 1_000
  expect(endedMs - startedMs).toBeGreaterThan(2_500)
  expect(admitted).toBeLessThanOrEqual(allowedSince(beforeMs))
  expect(admitted).toBeGreaterThan(allowedSince(startedMs) * 0.99)

  await Promise.all(limiters.map((limiter) => limiter.stop()))
  expect((await fixture.readBucket(tenant)).dayCount).toBe(admitted + limiters.length)
})

it('below the limit, nearly all requests are answered without the database', async () => {
  const limits = { ratePerSecond: 1_000_000, burst: 20_000, perDay: 50_000_000 }
  const tenant = await fixture.addTenant(limits)
  const db = fixture.openDatabase()
  const read = vi.spyOn(db, 'read')
  const limiter = fixture.openLimiter(systemClock, db)
  const requests = 20_000
  for (let n = 0; n < requests; n += 1) {
    expect((await limiter.admit(tenant, limits)).isAdmitted).toBe(true)
    // The database's answers are read between requests, as in a server.
    if (n % 10 === 9) await setImmediate()
  }
  expect(read.mock.calls.length).toBeLessThan(requests / 25)
})
