import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSuperuser } from '../support/test-database.js'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'
import { makeHooks } from '../webhooks/dispatch-fixture.js'

/** A production tenant's, of each kind: enough that a plan that reads them all cannot hide. */
const rowCount = 50_000

const doorsOfMovedClocks = [
  'select casenote.purge_deliveries_of_moved_clocks(30, 10000)',
  'select casenote.list_sittings_of_moved_clocks(500)',
  'select casenote.list_blob_tenants_of_moved_clocks(100)',
  'select casenote.list_recordings_of_moved_clocks(14, 10000)',
  'select casenote.schedule_audio_of_moved_clocks(30, 10000)',
]

const purge = `select casenote.purge_webhook_deliveries(now() - interval '30 days', 1000) as count`

const doorsOfAll = [
  purge,
  'select casenote.list_due_sittings(500)',
  'select casenote.list_tenants_with_due_blobs(100)',
  'select casenote.list_abandoned_recordings(14, 10000)',
  'select casenote.schedule_audio_deletion(30, 10000)',
  'select casenote.claim_webhook_deliveries(100, 50, 1, 30000)',
]

let service: TestService
let production: TestPartner
let sandbox: TestPartner

beforeAll(async () => {
  service = await makeTestService()
  production = await service.addPartner('production')
  sandbox = await service.addPartner('sandbox')
  const hooks = await makeHooks(service, production)
  const endpointId = await hooks.addEndpoint('https://example.org/hook')
  await hooks.happen()
  await fill(endpointId)
})
afterAll(() => service.close())

/** Deliveries: a twentieth old enough to go; the others of everything are neither old nor due. */
async function fill(endpointId: string): Promise<void> {
  await asSuperuser(async (client) => {
    const insert = (text: string, ...values: unknown[]) =>
      client.query(text, [production.partnerId, rowCount, ...values])
    await insert(
      `insert into casenote.webhook_deliveries
         (tenant_id, delivery_id, endpoint_id, event_id, event_type, trigger, status, next_attempt_at, created_at)
       select $1, gen_random_uuid(), $3, e.event_id, e.event_type, 'test', 'succeeded', null,
         now() - case when n <= $2 / 20 then interval '31 days' else interval '1 day' end
       from generate_series(1, $2::int) n
       cross join (select event_id, event_type from casenote.events where tenant_id = $1 order by seq desc limit 1) e`,
      endpointId,
    )
    await insert(
      `insert into casenote.blobs (tenant_id, blob_id, kind, delete_after)
       select $1, gen_random_uuid(), 'audio', now() + interval '5 days' from generate_series(1, $2::int)`,
    )
    await insert(
      `insert into casenote.client_sittings (tenant_id, sitting_id, client_id, due_at, ended_at)
       select $1, gen_random_uuid(), $3, now(), now() from generate_series(1, $2::int)`,
      production.clientId,
    )
    await insert(
      `insert into casenote.sessions
         (tenant_id, session_id, client_id, clinician_id, clinic_id, organization_id, note_type, status)
       select tenant_id, gen_random_uuid(), client_id, clinician_id, clinic_id, organization_id, note_type, 'awaiting_audio'
       from casenote.sessions, generate_series(1, $2::int) where tenant_id = $1 and session_id = $3`,
      production.sessionId,
    )
    await client.query('analyze')
  })
}

async function asSuperuser<Result>(act: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = await openSuperuser(service.database)
  try {
    return await act(client)
  } finally {
    await client.end()
  }
}

interface Effort {
  /** How often what a tenant's clock shows, or showed, was asked for. */
  asked: number
  /** Rows of the tables above that were read, and those that were read from the first to the last row. */
  read: number
  scanned: number
}

/** Of a connection of its own, so that nothing else is counted; nothing of it stays. */
const measure = (text: string): Promise<Effort> =>
  asSuperuser(async (client) => {
    await client.query(`set track_functions = 'all'`)
    await client.query('begin')
    await client.query(text)
    const { rows } = await client.query<Effort>(`
      select (select coalesce(sum(calls), 0)::int from pg_stat_xact_user_functions
          where schemaname = 'casenote' and funcname in ('tenant_time', 'tenant_now', 'find_time_before')) as asked,
        sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int as read, sum(seq_tup_read)::int as scanned
      from pg_stat_xact_user_tables where schemaname = 'casenote'
        and relname in ('webhook_deliveries', 'blobs', 'client_sittings', 'sessions')`)
    await client.query('rollback')
    return rows[0] as Effort
  })

const moveClock = async (): Promise<void> => {
  const answer = await service.call({
    method: 'POST',
    url: '/v2/sandbox/clock',
    headers: sandbox.headers,
    payload: { advanceSeconds: 40 * 86_400 },
  })
  expect(answer.statusCode).toBe(200)
}

describe('where no clock was moved', () => {
  it.each(doorsOfMovedClocks)('no row is read: %s', async (text) => {
    expect(await measure(text)).toEqual({ asked: 0, read: 0, scanned: 0 })
  })

  it.each(doorsOfAll)('no row costs a function: %s', async (text) => {
    expect(await measure(text)).toMatchObject({ asked: 0 })
  })
})

describe('where one sandbox moved its clock', () => {
  beforeAll(moveClock)

  it.each(doorsOfMovedClocks)('only rows of that sandbox are read: %s', async (text) => {
    const { asked, read, scanned } = await measure(text)
    expect(asked).toBeLessThan(5)
    expect(read).toBeLessThan(50)
    expect(scanned).toBe(0)
  })

  it.each(doorsOfAll)('no row of production costs a function: %s', async (text) => {
    // Its own endpoint, where something waits, is asked about by its clock.
    expect((await measure(text)).asked).toBeLessThanOrEqual(text.includes('claim') ? 4 : 0)
  })

  it('what production keeps no longer is purged, in as many runs as it takes', async () => {
    const runs: number[] = []
    for (let run = 0; run < 4; run += 1) {
      const [row] = await service.db.throughDoor<{ count: number }>({ text: purge, values: [] })
      runs.push(row?.count ?? -1)
    }
    expect(runs).toEqual([1_000, 1_000, 500, 0])
  })
})
