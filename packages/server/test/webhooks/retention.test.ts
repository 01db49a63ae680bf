import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { observeQueue, purgeDeliveries } from '../../src/features/webhooks/index.js'
import { metrics } from '../../src/http/metrics.js'
import { Database } from '../../src/kernel/db/database.js'
import { makeLog } from '../../src/kernel/log.js'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'
import { fanOutEvents } from '../../src/features/webhooks/dispatch/dispatch.sql.js'
import { makeHooks, type PartnerHooks } from './dispatch-fixture.js'

let service: TestService
let dispatcher: Database
let partner: TestPartner
let hooks: PartnerHooks
let endpointId: string

beforeAll(async () => {
  service = await makeTestService()
  const url = service.database.dispatcherUrl
  dispatcher = new Database({ url, poolSize: 2, applicationName: 'test', onConnectionError: () => {} })
})
afterAll(async () => {
  await dispatcher.end()
  await service.close()
})
beforeEach(async () => {
  partner = await service.addPartner()
  hooks = await makeHooks(service, partner)
  endpointId = await hooks.addEndpoint('http://127.0.0.1:9/hook')
  await hooks.happen(5)
  await dispatcher.throughDoor(fanOutEvents(500))
})

const become = (status: string, columns: string): Promise<unknown> =>
  hooks.run(
    `update casenote.webhook_deliveries set status = $3, ${columns} where delivery_id = (
       select delivery_id from casenote.webhook_deliveries
       where tenant_id = $1 and endpoint_id = $2 and status = 'pending' order by seq limit 1)`,
    [partner.partnerId, endpointId, status],
  )

describe('retention', () => {
  it('removes finished deliveries with their attempts once they are old, and never what is on its way', async () => {
    for (const status of ['succeeded', 'failed', 'cancelled']) await become(status, 'next_attempt_at = null')
    await become('delivering', "next_attempt_at = null, leased_until = now() + interval '1 minute'")
    await hooks.run(
      `insert into casenote.webhook_attempts (tenant_id, delivery_id, attempt, fence, started_at, duration_ms, status)
       select tenant_id, delivery_id, 1, 1, now(), 1, 200 from casenote.webhook_deliveries where endpoint_id = $1`,
      [endpointId],
    )
    const purge = async (keptDays: number): Promise<number | undefined> =>
      (await service.db.throughDoor<{ count: number }>(purgeDeliveries(keptDays, 100)))[0]?.count
    expect(await purge(1)).toBe(0)
    expect(await purge(-1)).toBeGreaterThanOrEqual(3)
    const left = await hooks.run(
      `select d.status, (select count(*)::int from casenote.webhook_attempts a
         where a.tenant_id = d.tenant_id and a.delivery_id = d.delivery_id) as attempts
       from casenote.webhook_deliveries d where endpoint_id = $1 order by 1`,
      [endpointId],
    )
    expect(left).toEqual([
      { status: 'delivering', attempts: 1 },
      { status: 'pending', attempts: 1 },
    ])
    const [orphans] = await hooks.run(
      `select count(*)::int as count from casenote.webhook_attempts a where not exists (
         select from casenote.webhook_deliveries d where d.tenant_id = a.tenant_id and d.delivery_id = a.delivery_id)`,
      [],
    )
    expect(orphans?.count).toBe(0)
  })
})

describe('metrics', () => {
  it('count what waits, is due and under way, and show each endpoint that is not well, by its id alone', async () => {
    await become('delivering', "next_attempt_at = null, leased_until = now() + interval '1 minute'")
    await hooks.run(
      `update casenote.webhook_endpoints set enabled = false, disabled_reason = 'gone' where endpoint_id = $1`,
      [endpointId],
    )
    observeQueue({ db: dispatcher, log: makeLog('silent', 'test') }, () => 7)
    const text = await metrics.metrics()
    expect(text).toMatch(/^casenote_webhook_deliveries_in_hand 7$/m)
    expect(text).toMatch(/^casenote_webhook_deliveries_waiting \d+$/m)
    expect(text).toMatch(/^casenote_webhook_endpoints\{state="disabled_gone"\} 1$/m)
    expect(text).toContain(
      `casenote_webhook_endpoint_waiting{endpoint_id="${endpointId}",state="disabled_gone"} 4`,
    )
    expect(text).not.toContain('127.0.0.1')
    expect(text).not.toContain(partner.partnerId)
  })
})
