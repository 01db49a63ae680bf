import { randomBytes, randomUUID } from 'node:crypto'
import fc from 'fast-check'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createClient } from '../../src/features/clients/index.js'
import { Database, type Tx } from '../../src/kernel/db/database.js'
import {
  digestKey,
  fingerprintOf,
  isFitKey,
  KeptAnswers,
  purgeOldAnswers,
} from '../../src/kernel/idempotency/index.js'
import { operator } from '../../src/kernel/operator.js'
import { Refusal } from '../../src/kernel/refuse.js'
import { readTenantKeys, type TenantKeyRing } from '../../src/kernel/secrets/tenant-keys.js'
import type { TenantScope } from '../../src/kernel/tenant.js'
import { openSuperuser } from '../support/test-database.js'
import { makeTestService, type TestService } from '../support/test-service.js'

let service: TestService
let superuser: pg.Client
let tenant: TenantScope
let clinicianId: string
let ring: TenantKeyRing
/** Two processes, with a pool each. */
let processes: { db: Database; kept: KeptAnswers }[]

beforeAll(async () => {
  service = await makeTestService()
  const partner = await service.addPartner()
  tenant = { tenantId: partner.partnerId }
  clinicianId = partner.clinicianId
  ring = await readTenantKeys(service.owner, service.masterKeys, tenant)
  superuser = await openSuperuser(service.database)
  processes = [0, 1].map(() => {
    const db = new Database({
      url: service.database.databaseUrl,
      poolSize: 10,
      applicationName: 'kept answers',
      onConnectionError: () => {},
    })
    return { db, kept: makeKept(db) }
  })
})
afterAll(async () => {
  for (const { db } of processes) await db.end()
  await superuser.end()
  await service.close()
})

const makeKept = (db: Database, waitMs?: number): KeptAnswers =>
  new KeptAnswers({ db, ringOf: () => ring, connections: 10, ...(waitMs === undefined ? {} : { waitMs }) })

const callOf = (key: string, body: string) => ({
  digest: digestKey({ tenantId: tenant.tenantId, operation: 'test.make', params: {} }, key),
  fingerprint: fingerprintOf({ body }),
})

const countMade = async (name: string): Promise<number> => {
  const { rows } = await superuser.query<{ made: number }>(
    'select count(*)::int as made from casenote.clients where tenant_id = $1 and last_name = $2',
    [tenant.tenantId, name],
  )
  return rows[0]?.made ?? 0
}

const addClient = (tx: Tx, lastName: string): Promise<string> =>
  createClient(
    tx,
    {
      clinicianId,
      lastName,
      firstName: null,
      dateOfBirth: '1990-01-31',
      email: null,
      phoneNumber: null,
      externalId: null,
    },
    operator,
  )

type Ending = 'answers' | 'faults' | 'dies'

interface Call {
  key: number
  body: string
  process: number
  ending: Ending
}

/** What it did for the key, or why not. */
type Outcome =
  | { kind: 'answered'; body: string; isReplayed: boolean }
  | { kind: 'other body' }
  | { kind: 'failed'; ending: Ending }

/** Makes one client of this name, in its own transaction, which is part of the one around it. */
async function make({ body, process, ending }: Call, name: string): Promise<Outcome> {
  const { db, kept } = processes[process] as (typeof processes)[number]
  let isRun = false
  try {
    const { answer, isReplayed } = await kept.answerOnce(tenant, callOf(name, body), async (scope) => {
      isRun = true
      const id = await db.write(scope, (tx) => addClient(tx, name))
      if (ending === 'faults') throw new Error('a fault')
      // As a process that is killed: its connection ends where it stands.
      if (ending === 'dies')
        await db.read(scope, { text: 'select pg_terminate_backend(pg_backend_pid())', values: [] })
      return { answer: { status: 201, etag: null, body: JSON.stringify({ id, body }) }, clientId: null }
    })
    return { kind: 'answered', body: answer.body, isReplayed }
  } catch (error) {
    if (error instanceof Refusal && error.statusCode === 409) return { kind: 'other body' }
    if (!isRun || ending === 'answers') throw error
    return { kind: 'failed', ending }
  }
}

const callArb: fc.Arbitrary<Call> = fc.record({
  key: fc.integer({ min: 0, max: 1 }),
  body: fc.constantFrom('a', 'a', 'b'),
  process: fc.integer({ min: 0, max: 1 }),
  ending: fc.constantFrom<Ending>('answers', 'answers', 'faults', 'dies'),
})

/** Some calls at once, and perhaps a day after them. */
const stepArb = fc.record({
  calls: fc.array(callArb, { minLength: 1, maxLength: 4 }),
  isDayOver: fc.boolean(),
})

describe('the machine of a key', () => {
  it('whatever comes at once, dies or fails: one thing, one answer, until the day is over', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(stepArb, { minLength: 1, maxLength: 5 }), async (steps) => {
        const run = randomUUID()
        /** By key: the answer that is kept, and how many days it has seen. */
        const model = new Map<number, { body: string }>()
        const made = new Map<number, number>()
        for (const { calls, isDayOver } of steps) {
          const outcomes = await Promise.all(
            calls.map(async (call) => ({ call, outcome: await make(call, `${run}/${call.key}`) })),
          )
          for (const key of [0, 1]) {
            const ofKey = outcomes.filter(({ call }) => call.key === key)
            const answered = ofKey.flatMap(({ outcome }) => (outcome.kind === 'answered' ? [outcome] : []))
            const firsts = answered.filter(({ isReplayed }) => !isReplayed)
            const before = model.get(key)
            expect(firsts.length).toBeLessThanOrEqual(before === undefined ? 1 : 0)
            const kept = before ?? firsts[0]
            // Nobody is told anything but the first answer, and with another body nobody is told it.
            for (const { call, outcome } of ofKey) {
              if (outcome.kind === 'answered') {
                expect(outcome.body).toBe(kept?.body)
                expect((JSON.parse(outcome.body) as { body: string }).body).toBe(call.body)
              }
              if (outcome.kind === 'other body') {
                expect(kept).toBeDefined()
                expect((JSON.parse(kept?.body ?? '{}') as { body: string }).body).not.toBe(call.body)
              }
              if (outcome.kind === 'failed') expect(before).toBeUndefined()
            }
            if (kept !== undefined) model.set(key, { body: kept.body })
            made.set(key, (made.get(key) ?? 0) + firsts.length)
            expect(await countMade(`${run}/${key}`)).toBe(made.get(key))
          }
          if (!isDayOver) continue
          await superuser.query(
            `update casenote.kept_answers set answered_at = answered_at - interval '24 hours' where tenant_id = $1`,
            [tenant.tenantId],
          )
          model.clear()
        }
      }),
      { numRuns: 25 },
    )
  })
})

describe('a call that is under way', () => {
  it('is waited for, and then 503 with Retry-After; who asks later is given its answer', async () => {
    const call = callOf(randomUUID(), 'a')
    const [one, other] = processes as [(typeof processes)[number], (typeof processes)[number]]
    let letGo = (): void => {}
    const held = new Promise<void>((resolve) => (letGo = resolve))
    let tellRunning = (): void => {}
    const isRunning = new Promise<void>((resolve) => (tellRunning = resolve))
    const first = one.kept.answerOnce(tenant, call, async () => {
      tellRunning()
      await held
      return { answer: { status: 201, etag: '"1"', body: '{}' }, clientId: null }
    })
    await isRunning
    const never = async (): Promise<never> => {
      throw new Error('done twice')
    }
    await expect(makeKept(other.db, 30).answerOnce(tenant, call, never)).rejects.toMatchObject({
      statusCode: 503,
      code: 'idempotency_key_under_way',
      retryAfterSeconds: 2,
    })
    const second = other.kept.answerOnce(tenant, call, never)
    letGo()
    expect(await first).toMatchObject({ isReplayed: false })
    const answer = { status: 201, etag: '"1"', body: '{}' }
    expect(await second).toEqual({ answer, clientId: null, isReplayed: true })
  })

  it('takes no more than half of the connections: calls without a key go on', async () => {
    const [{ db }] = processes as [(typeof processes)[number]]
    const kept = makeKept(db)
    let letGo = (): void => {}
    const held = new Promise<void>((resolve) => (letGo = resolve))
    let running = 0
    const calls = Array.from({ length: 30 }, (_, index) =>
      kept.answerOnce(tenant, callOf(`${index} ${randomUUID()}`, 'a'), async () => {
        running += 1
        await held
        return { answer: { status: 200, etag: null, body: '{}' }, clientId: null }
      }),
    )
    for (let times = 0; times < 20; times += 1) await db.read(tenant, { text: 'select 1', values: [] })
    expect(running).toBeGreaterThan(0)
    expect(running).toBeLessThanOrEqual(5)
    letGo()
    expect((await Promise.all(calls)).every(({ isReplayed }) => !isReplayed)).toBe(true)
  })
})

describe('an answer', () => {
  it('that is too long to be kept is not given again, and still done once', async () => {
    const [{ kept }] = processes as [(typeof processes)[number]]
    const call = callOf(randomUUID(), 'a')
    const body = JSON.stringify(randomBytes(1_000_000).toString('base64'))
    let runs = 0
    const work = async () => {
      runs += 1
      return { answer: { status: 200, etag: null, body }, clientId: null }
    }
    expect((await kept.answerOnce(tenant, call, work)).answer.body).toBe(body)
    await expect(kept.answerOnce(tenant, call, work)).rejects.toMatchObject({ statusCode: 409 })
    expect(runs).toBe(1)
  })
})

describe('what is prepared for a call', () => {
  const answer = { status: 200, etag: null, body: '{}' }

  it('comes first, holds nothing, and is not asked for where there is an answer', async () => {
    const [one, other] = processes as [(typeof processes)[number], (typeof processes)[number]]
    const call = callOf(randomUUID(), 'a')
    const steps: string[] = []
    const work = async () => {
      steps.push('done')
      return { answer, clientId: null }
    }
    // Meanwhile another one does it: neither the key nor a transaction was held.
    const first = await one.kept.answerOnce(tenant, call, work, async () => {
      steps.push('prepared')
      expect(await other.kept.answerOnce(tenant, call, work)).toMatchObject({ isReplayed: false })
    })
    expect(first).toMatchObject({ isReplayed: true })
    await one.kept.answerOnce(tenant, call, work, async () => void steps.push('prepared'))
    expect(steps).toEqual(['prepared', 'done'])
  })

  it('comes before the call', async () => {
    const [{ kept }] = processes as [(typeof processes)[number]]
    const steps: string[] = []
    const work = async () => {
      steps.push('done')
      return { answer, clientId: null }
    }
    await kept.answerOnce(tenant, callOf(randomUUID(), 'a'), work, async () => void steps.push('prepared'))
    expect(steps).toEqual(['prepared', 'done'])
  })
})

describe('the room for answers of a tenant', () => {
  it('503 with Retry-After once it is full, in every process, before anything is done; what is kept is given', async () => {
    const { partnerId } = await service.addPartner()
    const full = { tenantId: partnerId }
    const ringOfFull = await readTenantKeys(service.owner, service.masterKeys, full)
    const [one, other] = processes.map(
      ({ db }) => new KeptAnswers({ db, ringOf: () => ringOfFull, connections: 10, tenantBytesMax: 5_000 }),
    ) as [KeptAnswers, KeptAnswers]
    let runs = 0
    const work = async () => {
      runs += 1
      const body = JSON.stringify(randomBytes(3_000).toString('base64'))
      return { answer: { status: 200, etag: null, body }, clientId: null }
    }
    const first = callOf(randomUUID(), 'a')
    const { answer } = await one.answerOnce(full, first, work)
    await one.answerOnce(full, callOf(randomUUID(), 'a'), work)
    for (const kept of [one, other]) {
      await expect(kept.answerOnce(full, callOf(randomUUID(), 'a'), work)).rejects.toMatchObject({
        statusCode: 503,
        code: 'kept_answers_full',
        retryAfterSeconds: 60,
      })
      expect(await kept.answerOnce(full, first, work)).toMatchObject({ answer, isReplayed: true })
    }
    expect(runs).toBe(2)
  })

  it('is made batch by batch until nothing old is left', async () => {
    const [{ db, kept }] = processes as [(typeof processes)[number]]
    const work = async () => ({ answer: { status: 200, etag: null, body: '{}' }, clientId: null })
    for (let times = 0; times < 5; times += 1) await kept.answerOnce(tenant, callOf(randomUUID(), 'a'), work)
    await superuser.query(
      `update casenote.kept_answers set answered_at = answered_at - interval '24 hours' where tenant_id = $1`,
      [tenant.tenantId],
    )
    // A worker that stops begins no batch.
    expect(await purgeOldAnswers(db, { batch: 2, signal: AbortSignal.abort() })).toBe(0)
    expect(await purgeOldAnswers(db, { batch: 2 })).toBeGreaterThanOrEqual(5)
    const { rowCount } = await superuser.query('select from casenote.kept_answers where tenant_id = $1', [
      tenant.tenantId,
    ])
    expect(rowCount).toBe(0)
  })
})

describe('a part of an open transaction', () => {
  it('that fails is gone, what was before stays, and what comes after is seen', async () => {
    const [{ db }] = processes as [(typeof processes)[number]]
    const names = ['before', 'failed', 'after'].map((word) => `${word} ${randomUUID()}`)
    await db.write(tenant, async (tx) => {
      const scope = { ...tenant, transaction: tx }
      const add = (name: string) => db.write(scope, (part) => addClient(part, name))
      await add(names[0] ?? '')
      await expect(
        db.write(scope, async (part) => {
          await addClient(part, names[1] ?? '')
          await part.run({ text: 'select 1 / 0', values: [] })
        }),
      ).rejects.toMatchObject({ code: '22012' })
      await add(names[2] ?? '')
      const text =
        'select count(*)::int as seen from casenote.clients where tenant_id = $1 and last_name = any($2)'
      expect(await db.read(scope, { text, values: [tenant.tenantId, names] })).toEqual([{ seen: 2 }])
    })
    const counts: number[] = []
    for (const name of names) counts.push(await countMade(name))
    expect(counts).toEqual([1, 0, 1])
  })
})

describe('keys and fingerprints', () => {
  it('a key is any visible ASCII of 1 to 255 characters, and nothing else', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (key) => {
        const isVisible = key.split('').every((one) => one > ' ' && one < '\u007f')
        expect(isFitKey(key)).toBe(isVisible && key.length > 0 && key.length <= 255)
      }),
    )
  })

  it('a fingerprint is of what the JSON says: not of the order of fields, but of everything else', () => {
    const reverse = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(reverse)
      if (typeof value !== 'object' || value === null) return value
      return Object.fromEntries(
        Object.entries(value)
          .toReversed()
          .map(([name, field]) => [name, reverse(field)]),
      )
    }
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
        expect(fingerprintOf(reverse(one))).toBe(fingerprintOf(one))
        const isSame = JSON.stringify(sort(one)) === JSON.stringify(sort(other))
        expect(fingerprintOf(one) === fingerprintOf(other)).toBe(isSame)
      }),
    )
    expect(fingerprintOf({ a: ['b'] })).not.toBe(fingerprintOf({ a: 'b' }))
    expect(fingerprintOf({ a: { b: 1 }, c: 2 })).not.toBe(fingerprintOf({ a: { b: 1, c: 2 } }))
  })

  it('a body may be as deep as it is long', () => {
    const deep = JSON.parse(`${'['.repeat(90_000)}${']'.repeat(90_000)}`) as unknown
    expect(fingerprintOf(deep)).toHaveLength(43)
  })
})

function sort(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sort)
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, field]) => ({ name, field: sort(field) }))
  return { fields }
}
