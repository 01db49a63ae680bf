import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { Outcome } from '../../src/features/webhooks/dispatch/decide-outcome.js'
import {
  claimDeliveries,
  fanOutEvents,
  recordOutcomes,
  releaseClaims,
  renewLeases,
  type ClaimedDelivery,
  type EndedClaim,
} from '../../src/features/webhooks/dispatch/dispatch.sql.js'
import { Database, type Statement } from '../../src/kernel/db/database.js'
import {
  CasenoteProcess,
  freePort,
  makeDataFolder,
  untilReady,
  waitUntil,
} from '../support/casenote-process.js'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'
import { makeHooks, makeReceiver, startDispatcher, type PartnerHooks } from './dispatch-fixture.js'
let service: TestService
let dispatcher: Database
let partner: TestPartner
let hooks: PartnerHooks

beforeAll(async () => {
  service = await makeTestService()
  const url = service.database.dispatcherUrl
  dispatcher = new Database({ url, poolSize: 5, applicationName: 'test', onConnectionError: () => {} })
})
afterAll(async () => {
  await dispatcher.end()
  await service.close()
})
beforeEach(async () => {
  partner = await service.addPartner()
  hooks = await makeHooks(service, partner)
})
afterEach(() => hooks.run('update casenote.webhook_endpoints set deleted_at = now()', []))

const through = <Row>(statement: Statement<Row>): Promise<Row[]> => dispatcher.throughDoor(statement)

const claim = (bounds: { most?: number; mostOfEndpoint?: number; leaseMs?: number } = {}) =>
  through<ClaimedDelivery>(
    claimDeliveries({ most: 100, mostOfEndpoint: 10, mostOfFailing: 2, leaseMs: 60_000, ...bounds }),
  )

const count = async (statement: Statement<{ count: number }>): Promise<number> =>
  (await through(statement))[0]?.count ?? 0

const succeeded: Outcome = { status: 'succeeded', scheduleStep: 0, delayMs: 0, verdict: 'well', pauseMs: 0 }
const failed: Outcome = {
  status: 'pending',
  scheduleStep: 1,
  delayMs: 5_000,
  verdict: 'failed',
  pauseMs: 0,
}

const record = async (claims: readonly ClaimedDelivery[], outcome: Outcome): Promise<number> => {
  const result = { httpStatus: 200, error: null, durationMs: 3, retryAfterMs: null }
  const ended: EndedClaim[] = claims.map((one) => ({ claim: one, result, outcome }))
  return (await through(recordOutcomes(ended, 1_000_000))).length
}

const setDue = (moment: string) =>
  hooks.run(
    `update casenote.webhook_deliveries set next_attempt_at = ${moment} where tenant_id = $1 and status = 'pending'`,
    [partner.partnerId],
  )

const queue = async (events: number): Promise<string> => {
  const endpointId = await hooks.addEndpoint('http://127.0.0.1:9/hook')
  await hooks.happen(events)
  expect(await count(fanOutEvents(500))).toBe(events)
  return endpointId
}

it('events that are too many for one statement are fanned out by fewer at a time', async () => {
  const receiver = await makeReceiver()
  await hooks.addEndpoint(receiver.url)
  // As a statement that takes too long is cut off, whatever the machine.
  await hooks.run(
    `create function casenote.cut_off() returns trigger language plpgsql as $$ begin
      if (select count(*) from made) > 40 then raise exception using errcode = 'query_canceled'; end if;
      return null;
    end $$`,
    [],
  )
  await hooks.run(
    `create trigger cut_off after insert on casenote.webhook_deliveries referencing new table as made
      for each statement execute function casenote.cut_off()`,
    [],
  )
  await hooks.happen(60)
  const started = await startDispatcher(service)
  onTestFinished(async () => {
    await started.close()
    await receiver.close()
    await hooks.run('drop function casenote.cut_off() cascade', [])
  })
  await waitUntil(async () => receiver.received.length === 60, 'every event has arrived')
})

describe('a claim', () => {
  it('is made once, however many dispatchers ask at once, and no further than the bound of the endpoint', async () => {
    await queue(30)
    const claims = (await Promise.all(Array.from({ length: 5 }, () => claim()))).flat()
    // Those that found the endpoint locked went by; the next finds it full.
    expect(claims.length).toBe(10)
    expect(new Set(claims.map(({ deliveryId }) => deliveryId)).size).toBe(10)
    expect(await claim()).toEqual([])
    expect(await record(claims.slice(0, 4), succeeded)).toBe(4)
    expect(await claim()).toHaveLength(4)
  })

  it('goes round the endpoints when there is not room for all', async () => {
    await queue(20)
    await setDue("now() - interval '1 hour'")
    const other = await hooks.addEndpoint('http://127.0.0.1:9/other')
    await hooks.happen(1)
    await count(fanOutEvents(500))
    const claims = await claim({ most: 11 })
    expect(claims).toHaveLength(11)
    expect(claims.filter(({ endpointId }) => endpointId === other)).toHaveLength(1)
  })

  it('of a failing endpoint is for two at a time', async () => {
    await queue(20)
    const [first, ...others] = await claim()
    await record([first as ClaimedDelivery], failed)
    await record(others, failed)
    await setDue('now()')
    expect(await claim()).toHaveLength(2)
  })

  it('that ran out is taken over with the next number, and the late one changes nothing', async () => {
    const endpointId = await queue(1)
    const [late] = (await claim({ leaseMs: 0 })) as [ClaimedDelivery]
    expect(await count(releaseClaims(100, 24_000))).toBe(1)
    const [next] = (await claim()) as [ClaimedDelivery]
    expect(next).toMatchObject({ deliveryId: late.deliveryId, fence: late.fence + 1 })
    expect(await record([late], failed)).toBe(0)
    expect(await through(renewLeases([late], 60_000))).toEqual([])
    expect(await record([next], succeeded)).toBe(1)
    expect(await record([next], failed)).toBe(0)
    expect(await hooks.deliveries(endpointId)).toMatchObject([
      {
        status: 'succeeded',
        attempts: [
          { status: null, error: 'interrupted' },
          { status: 200, error: null },
        ],
      },
    ])
  })

  it('that is renewed is not taken over', async () => {
    await queue(1)
    const [mine] = (await claim({ leaseMs: 0 })) as [ClaimedDelivery]
    expect(await through(renewLeases([mine], 60_000))).toHaveLength(1)
    expect(await count(releaseClaims(100, 24_000))).toBe(0)
    expect(await record([mine], succeeded)).toBe(1)
  })

  it('that is being ended holds up the renewal of no other', async () => {
    await queue(2)
    const [ending, other] = (await claim()) as [ClaimedDelivery, ClaimedDelivery]
    const renewed = await service.owner.write({ tenantId: partner.partnerId }, async (tx) => {
      await tx.run({
        text: 'select from casenote.webhook_deliveries where tenant_id = $1 and delivery_id = $2 for update',
        values: [ending.tenantId, ending.deliveryId],
      })
      return through<{ deliveryId: string }>(renewLeases([ending, other], 60_000))
    })
    expect(renewed).toEqual([{ deliveryId: other.deliveryId }])
  })

  it('that ran out while the database was away is renewed before another dispatcher takes it over', async () => {
    await queue(1)
    const [mine] = (await claim({ leaseMs: 0 })) as [ClaimedDelivery]
    const back = await startDispatcher(service)
    await waitUntil(async () => back.dispatcher.isPolling(), 'the other one has looked once')
    expect(await through(renewLeases([mine], 60_000))).toHaveLength(1)
    expect(await record([mine], succeeded)).toBe(1)
    await back.close()
  })

  it('of an event is made once, though several fan out at once', async () => {
    const endpointId = await hooks.addEndpoint('http://127.0.0.1:9/hook')
    await hooks.happen(200)
    const counts = await Promise.all(Array.from({ length: 5 }, () => count(fanOutEvents(50))))
    while ((await count(fanOutEvents(50))) > 0);
    expect(counts.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(200)
    const [row] = await hooks.run(
      'select count(*)::int as made from casenote.webhook_deliveries where endpoint_id = $1',
      [endpointId],
    )
    expect(row?.made).toBe(200)
  })
})

/** Of all that is under way, by the database's clock. */
const leases = async () =>
  (await hooks.run(
    `select fence, leased_until > now() as "isHeld", extract(epoch from leased_until)::float as "untilS"
     from casenote.webhook_deliveries where tenant_id = $1 and status = 'delivering'`,
    [partner.partnerId],
  )) as { fence: number; isHeld: boolean; untilS: number }[]

const leaseHasPassed = async (untilS: number): Promise<boolean> => {
  // One second more: who looks for what was left behind has looked.
  const [row] = await hooks.run('select now() > to_timestamp($1) + interval \'1 second\' as "hasPassed"', [
    untilS,
  ])
  return row?.hasPassed === true
}

/** Starts dispatchers as an operator does, each in a process of its own. */
async function makeStarter(): Promise<() => Promise<CasenoteProcess>> {
  const folder = await makeDataFolder()
  onTestFinished(() => folder.remove())
  return async () => {
    const adminPort = String(await freePort())
    const running = new CasenoteProcess(['dispatcher'], {
      ...service.settingsFor(folder.path),
      CASENOTE_DISPATCHER_URL: service.database.dispatcherUrl,
      CASENOTE_LOG_LEVEL: 'warn',
      CASENOTE_ADMIN_PORT: adminPort,
    })
    await untilReady(running, `http://127.0.0.1:${adminPort}`)
    return running
  }
}

describe('a dispatcher', () => {
  it('that is closing keeps what takes longer than a lease, and it is sent once', async () => {
    const receiver = await makeReceiver()
    const endpointId = await hooks.addEndpoint(receiver.url)
    let answer = (): void => {}
    receiver.answer = (response) => (answer = () => response.writeHead(200).end())
    const closing = await startDispatcher(service)
    await hooks.happen()
    await waitUntil(async () => receiver.received.length === 1, 'it is under way')
    const [first] = await leases()
    const other = await startDispatcher(service)
    const closed = closing.close()
    await waitUntil(() => leaseHasPassed(first?.untilS ?? 0), 'the first lease has passed')
    answer()
    await closed
    await other.close()
    expect(await hooks.deliveries(endpointId)).toMatchObject([
      { status: 'succeeded', attempts: [{ status: 200 }] },
    ])
    expect(receiver.received).toHaveLength(1)
    await receiver.close()
  })

  it('that is told to stop records what never answered before it is closed', async () => {
    const receiver = await makeReceiver()
    receiver.answer = () => {}
    const endpointId = await hooks.addEndpoint(receiver.url)
    const running = await startDispatcher(service)
    await hooks.happen(2)
    await waitUntil(async () => receiver.received.length === 2, 'both are under way')
    await running.dispatcher.close()
    expect(running.dispatcher.inHand()).toBe(0)
    await running.close()
    const interrupted = { status: 'pending', attempts: [{ error: 'interrupted' }] }
    expect(await hooks.deliveries(endpointId)).toMatchObject([interrupted, interrupted])
    await receiver.close()
  })

  it('that is killed is replaced soon; one that was stopped goes on, or wakes up late and changes nothing', async () => {
    const receiver = await makeReceiver()
    const start = await makeStarter()
    // All start first, for what is under way times out after 15 s; who is stopped takes nothing.
    const [doomed, stopped, third] = [await start(), await start(), await start()]
    for (const later of [stopped, third]) later.child.kill('SIGSTOP')
    // Hangs until told: the first two dispatchers never learn of an answer.
    receiver.answer = () => {}
    const endpointId = await hooks.addEndpoint(receiver.url)
    await hooks.happen(3)
    await waitUntil(async () => receiver.received.length === 3, 'three are under way')
    doomed.child.kill('SIGSTOP')
    await waitUntil(async () => (await leases()).every(({ isHeld }) => !isHeld), 'its leases ran out')
    doomed.child.kill('SIGCONT')
    await waitUntil(async () => (await leases()).every(({ isHeld }) => isHeld), 'it renewed them')
    expect((await leases()).map(({ fence }) => fence)).toEqual([1, 1, 1])
    await doomed.end('SIGKILL')
    const killedAtMs = performance.now()
    stopped.child.kill('SIGCONT')
    await waitUntil(async () => receiver.received.length === 6, 'they are sent by the next')
    expect(performance.now() - killedAtMs).toBeLessThan(20_000)
    stopped.child.kill('SIGSTOP')
    receiver.answer = (response) => response.writeHead(200).end()
    third.child.kill('SIGCONT')
    await waitUntil(async () => receiver.received.length === 9, 'they are sent by the third')
    await waitUntil(
      async () => (await hooks.deliveries(endpointId, '?status=succeeded')).length === 3,
      'they have arrived',
    )
    stopped.child.kill('SIGCONT')
    await stopped.stop()
    await third.stop()
    const deliveries = await hooks.deliveries(endpointId)
    for (const { status, attempts } of deliveries) {
      expect(status).toBe('succeeded')
      expect(attempts.map(({ error }) => error)).toEqual(['interrupted', 'interrupted', null])
    }
    expect(receiver.received).toHaveLength(9)
    await receiver.close()
  })
})
