import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { systemClock } from '../../src/kernel/clock.js'
import { returnTokens } from '../../src/kernel/limits/return-tokens.sql.js'
import {
  admitTimes,
  countAdmitted,
  makeLimitsFixture,
  MovableClock,
  type BucketRow,
  type LimitsFixture,
} from './limits-fixture.js'

const few = { ratePerSecond: 1, burst: 5, perDay: 1_000 }
const many = { ratePerSecond: 10_000, burst: 20_000, perDay: 50_000_000 }

let fixture: LimitsFixture
beforeAll(async () => {
  fixture = await makeLimitsFixture()
})
afterAll(() => fixture.tearDown())
afterEach(() => {
  vi.useRealTimers()
})

describe('rate and burst', () => {
  it('admits exactly the burst, then refuses with Retry-After', async () => {
    const tenant = await fixture.addTenant(few)
    const limiter = fixture.openLimiter(systemClock)
    const verdicts = await admitTimes(8, () => limiter.admit(tenant, few))
    expect(verdicts.map((verdict) => verdict.isAdmitted)).toEqual([
      true,
      true,
      true,
      true,
      true,
      false,
      false,
      false,
    ])
    expect(verdicts.at(-1)).toEqual({
      isAdmitted: false,
      reason: 'rate',
      retryAfterSeconds: 1,
      headers: { policy: '"burst";q=5;w=5, "day";q=1000;w=86400', limit: '"burst";r=0;t=1' },
    })
  })

  it('admits exactly the burst when all requests come at once', async () => {
    const tenant = await fixture.addTenant(few)
    const limiters = [1, 2, 3].map(() => fixture.openLimiter(systemClock))
    const verdicts = await Promise.all(
      limiters.flatMap((limiter) => Array.from({ length: 20 }, async () => limiter.admit(tenant, few))),
    )
    expect(countAdmitted(verdicts)).toBe(5)
  })

  it('admits again as the bucket refills, by the clock of the database', async () => {
    const tenant = await fixture.addTenant(few)
    const clock = new MovableClock()
    const limiter = fixture.openLimiter(clock)
    await admitTimes(6, () => limiter.admit(tenant, few))

    await fixture.age(tenant, '3 seconds')
    // Not even asked before the time that the database told.
    expect(limiter.admit(tenant, few)).toMatchObject({ isAdmitted: false, reason: 'rate' })
    clock.advance(1_000)
    expect(countAdmitted(await admitTimes(6, () => limiter.admit(tenant, few)))).toBe(3)

    await fixture.age(tenant, '1 hour')
    clock.advance(1_000)
    expect(countAdmitted(await admitTimes(8, () => limiter.admit(tenant, few)))).toBe(5)
  })

  it('refuses without asking the database until the next token is due', async () => {
    const tenant = await fixture.addTenant(few)
    const db = fixture.openDatabase()
    const limiter = fixture.openLimiter(new MovableClock(), db)
    await admitTimes(6, () => limiter.admit(tenant, few))
    const read = vi.spyOn(db, 'read')
    const verdicts = await admitTimes(1_000, () => limiter.admit(tenant, few))
    expect(countAdmitted(verdicts)).toBe(0)
    expect(read).not.toHaveBeenCalled()
  })

  it('a refill from a clock that was ahead by more than a minute is forgotten', async () => {
    const tenant = await fixture.addTenant(few)
    const clock = new MovableClock()
    const limiter = fixture.openLimiter(clock)
    await admitTimes(6, () => limiter.admit(tenant, few))
    await fixture.age(tenant, '-1 hour')
    clock.advance(1_000)
    expect((await limiter.admit(tenant, few)).isAdmitted).toBe(false)
    await fixture.age(tenant, '1 second')
    clock.advance(1_000)
    expect((await limiter.admit(tenant, few)).isAdmitted).toBe(true)
  })

  it('one tenant does not spend the tokens of another', async () => {
    const [one, other] = [await fixture.addTenant(few), await fixture.addTenant(few)]
    const limiter = fixture.openLimiter(systemClock)
    await admitTimes(6, () => limiter.admit(one, few))
    expect(countAdmitted(await admitTimes(5, () => limiter.admit(other, few)))).toBe(5)
  })
})

describe('the day', () => {
  const limits = { ratePerSecond: 100, burst: 100, perDay: 8 }

  it('stops with reason day until midnight UTC', async () => {
    const tenant = await fixture.addTenant(limits)
    const limiter = fixture.openLimiter(systemClock)
    const verdicts = await admitTimes(10, () => limiter.admit(tenant, limits))
    expect(countAdmitted(verdicts)).toBe(8)
    const refused = verdicts.at(-1)
    expect(refused).toMatchObject({ isAdmitted: false, reason: 'day' })
    const msToMidnight = 86_400_000 - ((await fixture.readDatabaseMs()) % 86_400_000)
    expect(Math.abs((refused?.retryAfterSeconds ?? 0) - msToMidnight / 1_000)).toBeLessThan(3)
    expect(refused?.headers.limit).toBe(`"day";r=0;t=${refused?.retryAfterSeconds}`)
    expect(verdicts[0]?.headers.limit).toMatch(/^"day";r=7;t=\d+$/)
  })

  it('survives a restart and starts anew on the next UTC day', async () => {
    const tenant = await fixture.addTenant(limits)
    const before = fixture.openLimiter(systemClock)
    await admitTimes(6, () => before.admit(tenant, limits))
    await before.stop()

    const after = fixture.openLimiter(systemClock)
    expect(countAdmitted(await admitTimes(4, () => after.admit(tenant, limits)))).toBe(2)

    await fixture.age(tenant, '1 day')
    const nextDay = fixture.openLimiter(systemClock)
    expect(countAdmitted(await admitTimes(10, () => nextDay.admit(tenant, limits)))).toBe(8)
  })
})

describe('tokens at hand', () => {
  it('are given back by stop, to the bucket and to the day', async () => {
    const tenant = await fixture.addTenant({ ...many, ratePerSecond: 1 })
    const limiter = fixture.openLimiter(systemClock)
    const verdicts = await admitTimes(130, () => limiter.admit(tenant, many))
    expect(countAdmitted(verdicts)).toBe(130)
    await limiter.stop()
    const bucket = await fixture.readBucket(tenant)
    expect(bucket.dayCount).toBe(130)
    expect(Math.floor(bucket.tokens)).toBeGreaterThanOrEqual(20_000 - 130)
    expect(Math.floor(bucket.tokens)).toBeLessThan(20_000 - 130 + 5)
  })

  it('are given back soon after the last request, and the tenant is forgotten after a minute', async () => {
    const tenant = await fixture.addTenant({ ...many, ratePerSecond: 1 })
    const db = fixture.openDatabase()
    const read = vi.spyOn(db, 'read')
    const readWhenSettled = async (): Promise<BucketRow> => {
      await Promise.allSettled(read.mock.results.map(async ({ value }) => value as unknown))
      return fixture.readBucket(tenant)
    }
    const limiter = fixture.openLimiter(systemClock, db)
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    await admitTimes(70, () => limiter.admit(tenant, many))
    expect((await readWhenSettled()).dayCount).toBeGreaterThan(70)

    await vi.advanceTimersByTimeAsync(1_000)
    expect((await readWhenSettled()).dayCount).toBeGreaterThan(70)
    await vi.advanceTimersByTimeAsync(500)
    expect((await readWhenSettled()).dayCount).toBe(70)
    expect(limiter.shareCount).toBe(1)

    for (let sweep = 0; sweep < 120; sweep += 1) await vi.advanceTimersByTimeAsync(500)
    expect(limiter.shareCount).toBe(0)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('never fill the bucket above the burst, nor count off another day', async () => {
    const tenant = await fixture.addTenant(few)
    const db = fixture.openDatabase()
    const limiter = fixture.openLimiter(systemClock, db)
    await admitTimes(3, () => limiter.admit(tenant, few))
    await db.read(tenant, returnTokens(tenant, 4, '2001-01-01'))
    expect(await fixture.readBucket(tenant)).toMatchObject({ tokens: 5, dayCount: 3 })
  })

  it('are at most a 400th of the burst', async () => {
    const tenant = await fixture.addTenant({ ...many, ratePerSecond: 1 })
    const limiter = fixture.openLimiter(systemClock)
    for (let admitted = 1; admitted <= 500; admitted += 1) {
      await limiter.admit(tenant, many)
      const { dayCount } = await fixture.readBucket(tenant)
      expect(dayCount - admitted).toBeLessThanOrEqual(50)
    }
  })

  it('outlast a database that refuses; after them the request fails', async () => {
    const tenant = await fixture.addTenant(many)
    const db = fixture.openDatabase()
    const limiter = fixture.openLimiter(systemClock, db)
    await admitTimes(60, () => limiter.admit(tenant, many))
    await fixture.operator.query('revoke update on casenote.limit_buckets from casenote_app')
    const read = vi.spyOn(db, 'read')
    const outcomes = await Promise.allSettled(
      Array.from({ length: 60 }, async () => limiter.admit(tenant, many)),
    )
    const served = outcomes.filter((outcome) => outcome.status === 'fulfilled').length
    expect(served).toBeGreaterThan(0)
    expect(served).toBeLessThanOrEqual(50)
    await expect(limiter.admit(tenant, many)).rejects.toThrow('42501')
    // A failed top-up, a lease for those who waited, and this last one.
    expect(read.mock.calls.length).toBeLessThanOrEqual(3)
    await fixture.operator.query('grant update on casenote.limit_buckets to casenote_app')
    expect(await limiter.admit(tenant, many)).toMatchObject({ isAdmitted: true })
  })
})

describe('changed limits', () => {
  it('apply with the next lease, whatever the caller still has cached', async () => {
    const tenant = await fixture.addTenant({ ...few, perDay: 5 })
    const clock = new MovableClock()
    const limiter = fixture.openLimiter(clock)
    expect((await admitTimes(6, () => limiter.admit(tenant, few))).at(-1)?.reason).toBe('day')

    await fixture.operator.query(
      'update casenote.tenants set per_day = 7, rate_per_second = 1000000, burst = 100 where tenant_id = $1',
      [tenant.tenantId],
    )
    clock.advance(1_000)
    const verdicts = await admitTimes(4, () => limiter.admit(tenant, few))
    expect(countAdmitted(verdicts)).toBe(2)
    expect(verdicts.at(-1)?.reason).toBe('day')
  })

  it('show in RateLimit-Policy with the next request', async () => {
    const tenant = await fixture.addTenant(many)
    const limiter = fixture.openLimiter(systemClock)
    const first = await limiter.admit(tenant, many)
    const second = await limiter.admit(tenant, { ...many, burst: 40_000 })
    expect(first.headers.policy).toBe('"burst";q=20000;w=2, "day";q=50000000;w=86400')
    expect(first.headers.limit).toBe('"burst";r=19999;t=1')
    expect(second.headers.policy).toBe('"burst";q=40000;w=4, "day";q=50000000;w=86400')
  })
})

describe('waiting for a lease', () => {
  it('has a bound, beyond which requests are refused at once', async () => {
    const tenant = await fixture.addTenant(many)
    const limiter = fixture.openLimiter(systemClock)
    const verdicts = Array.from({ length: 5_010 }, () => limiter.admit(tenant, many))
    const atOnce = verdicts.filter((verdict) => !(verdict instanceof Promise))
    expect(atOnce).toHaveLength(10)
    expect(atOnce[0]).toMatchObject({ isAdmitted: false, reason: 'rate', retryAfterSeconds: 1 })
    expect(countAdmitted(await Promise.all(verdicts.map(async (verdict) => verdict)))).toBe(5_000)
  })

  it('fails for a tenant that does not exist', async () => {
    const limiter = fixture.openLimiter(systemClock)
    await expect(limiter.admit({ tenantId: crypto.randomUUID() }, many)).rejects.toThrow('no limits')
  })
})
