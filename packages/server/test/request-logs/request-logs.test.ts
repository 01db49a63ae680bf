import type { RequestLog } from '@casenote/contract'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { purgeRequestLogs, RequestLogWriter } from '../../src/features/request-logs/index.js'
import { metrics } from '../../src/http/metrics.js'
import { newId } from '../../src/kernel/ids.js'
import { makeLog } from '../../src/kernel/log.js'
import { openSuperuser } from '../support/test-database.js'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'

let service: TestService
let superuser: pg.Client
let partner: TestPartner
let other: TestPartner

beforeAll(async () => {
  service = await makeTestService()
  superuser = await openSuperuser(service.database)
  partner = await service.addPartner()
  other = await service.addPartner()
})
afterAll(async () => {
  await superuser.end()
  await service.close()
})

const call = (of: TestPartner, url: string, more: object = {}) =>
  service.call({ method: 'GET', url: `/v2${url}`, headers: of.headers, ...more })

async function list(of: TestPartner, query = ''): Promise<RequestLog[]> {
  const answer = await call(of, `/request-logs${query}`)
  expect(answer.statusCode).toBe(200)
  return answer.json<{ data: RequestLog[] }>().data
}

/** The call with this X-Request-Id, once it is written. */
const findLogged = (of: TestPartner, requestId: unknown, query = ''): Promise<RequestLog> =>
  vi.waitFor(
    async () => {
      const row = (await list(of, query)).find((one) => one.requestId === requestId)
      if (row === undefined) throw new Error('not listed yet')
      return row
    },
    { timeout: 10_000, interval: 100 },
  )

describe('GET /request-logs', () => {
  it('tells operation, status, time and the ids of the path; nothing of query or body', async () => {
    const answer = await call(partner, `/sessions/${partner.sessionId}?name=Sam%20Sample`)
    const row = await findLogged(partner, answer.headers['x-request-id'], '?operation=session.read')
    expect(row).toEqual({
      requestId: answer.headers['x-request-id'],
      at: expect.stringMatching(/Z$/),
      method: 'GET',
      path: '/sessions/{sessionId}',
      operation: 'session.read',
      status: 200,
      code: null,
      latencyMs: expect.any(Number),
      ids: [{ kind: 'session', id: partner.sessionId }],
    })
    expect(Math.abs(Date.parse(row.at) - Date.now())).toBeLessThan(60_000)
  })

  it('lists refusals of a known key, found by their class, and keeps no word of a path that is no id', async () => {
    const unknown = await call(partner, '/clients/Sam%20Sample')
    const withoutToken = await service.call({
      method: 'GET',
      url: '/v2/partners',
      headers: { 'x-api-key': partner.apiKey },
    })
    const row = await findLogged(partner, unknown.headers['x-request-id'], '?status=4xx')
    expect(row).toMatchObject({ operation: 'client.read', status: 404, code: 'not_found', ids: [] })
    const refused = await findLogged(partner, withoutToken.headers['x-request-id'], '?status=4xx')
    expect(refused).toMatchObject({ operation: 'partner.read', status: 403, code: 'token_missing' })
    const errors = await list(partner, '?status=4xx')
    expect(errors.every(({ status }) => status >= 400 && status < 500)).toBe(true)
    const { rows } = await superuser.query('select l::text as row from casenote.request_logs l')
    expect(JSON.stringify(rows)).not.toContain('Sam')
  })

  it('names the ids of a path that says only {id} by what they are of', async () => {
    const answer = await call(partner, `/webhook-endpoints/${partner.endpointId}`)
    const row = await findLogged(partner, answer.headers['x-request-id'])
    expect(row.ids).toEqual([{ kind: 'webhookEndpoint', id: partner.endpointId }])
  })

  it('never shows the calls of another tenant', async () => {
    const theirs = await call(other, '/partners')
    await findLogged(other, theirs.headers['x-request-id'])
    const { rows } = await superuser.query<{ total: number }>(
      'select count(*)::int as total from casenote.request_logs where tenant_id = $1',
      [partner.partnerId],
    )
    const answer = await call(partner, '/request-logs')
    const { data, meta } = answer.json<{ data: RequestLog[]; meta: { totalItems: number } }>()
    expect(data.map(({ requestId }) => requestId)).not.toContain(theirs.headers['x-request-id'])
    expect(meta.totalItems).toBeGreaterThan(0)
    expect(meta.totalItems).toBeLessThanOrEqual((rows[0]?.total ?? 0) + 1)
  })

  it('pages newest first; with `before` no call comes twice', async () => {
    const ids: unknown[] = []
    for (let index = 0; index < 12; index += 1)
      ids.push((await call(partner, '/organizations')).headers['x-request-id'])
    await findLogged(partner, ids.at(-1))
    const before = new Date(Date.now() + 1).toISOString()
    const query = `?operation=organization.list&before=${before}`
    const pages = [...(await list(partner, query)), ...(await list(partner, `${query}&page=2`))]
    expect(pages.map(({ requestId }) => requestId)).toEqual(ids.toReversed())
    expect(await list(partner, `${query}&page=99`)).toEqual([])
    expect(await list(partner, '?before=2020-01-01T00:00:00Z')).toEqual([])
  })

  it('400 for a class, a moment or a page that is none; an operation that there is not finds nothing', async () => {
    for (const query of ['status=9xx', 'before=yesterday', 'page=0']) {
      const answer = await call(partner, `/request-logs?${query}`)
      expect([query, answer.statusCode]).toEqual([query, 400])
    }
    expect(await list(partner, '?operation=nothing')).toEqual([])
    expect(await list(partner, '?operation=a&operation=b')).toEqual([])
    expect(await list(partner, '?status=&operation=&before=')).not.toEqual([])
  })
})

it('calls are counted by day, for longer than they are kept', async () => {
  const { rows } = await superuser.query(
    `select d.requests, d.errors_4xx as errors,
       (select count(*) from casenote.request_logs l where l.tenant_id = d.tenant_id) as logged,
       (select count(*) from casenote.request_logs l where l.tenant_id = d.tenant_id and l.status between 400 and 499) as refused
     from casenote.request_days d where d.tenant_id = $1`,
    [partner.partnerId],
  )
  expect(rows).toHaveLength(1)
  expect(rows[0]).toMatchObject({ requests: rows[0].logged, errors: rows[0].refused })
})

it('what is older than fourteen days by the database goes, a batch at a time', async () => {
  const insert = `insert into casenote.request_logs
      (tenant_id, at, request_id, operation, status, latency_ms, path_ids)
    select $1, now() - make_interval(days => $2, mins => n), gen_random_uuid(), 'session.read', 200, 1, '{}'
    from generate_series(1, 5) n`
  await superuser.query(insert, [other.partnerId, 14])
  await superuser.query(insert, [other.partnerId, 13])
  const purge = () => service.db.throughDoor<{ purged: number }>(purgeRequestLogs(14, 3))
  expect(await purge()).toEqual([{ purged: 3 }])
  expect(await purge()).toEqual([{ purged: 2 }])
  expect(await purge()).toEqual([{ purged: 0 }])
  const { rows } = await superuser.query(
    `select count(*)::int as left from casenote.request_logs where tenant_id = $1 and at < now() - interval '12 days'`,
    [other.partnerId],
  )
  expect(rows).toEqual([{ left: 5 }])
})

describe('beside the answers', () => {
  const log = makeLog('silent', 'test')
  const answered = (tenantId: string) => ({
    tenantId,
    requestId: newId(),
    operation: 'session.read',
    endedAtMs: Date.now(),
    status: 200,
    code: null,
    elapsedMs: 1,
    params: {},
  })
  const readDropped = async (): Promise<number> =>
    (await metrics.getSingleMetric('casenote_request_log_dropped_total')?.get())?.values[0]?.value ?? 0

  it('a queue that is full drops calls and counts them; nobody waits', async () => {
    const before = await readDropped()
    let written = 0
    let release = (): void => {}
    const blocked = new Promise<void>((resolve) => {
      release = resolve
    })
    const db = {
      throughDoor: async ({ values }: { values: unknown[] }) => {
        await blocked
        written += String(values[0]).split(',').length
        return []
      },
    }
    const writer = new RequestLogWriter({ db, log })
    for (let index = 0; index < 20_100; index += 1) writer.add(answered(newId()))
    expect((await readDropped()) - before).toBe(100)
    release()
    await writer.stop()
    expect(written).toBe(20_000)
  })

  it('a batch whose answer was lost is given again and counted once', async () => {
    const { partnerId } = await service.addPartner()
    let isFirst = true
    const db: Pick<TestService['db'], 'throughDoor'> = {
      throughDoor: async (statement) => {
        const rows = await service.db.throughDoor(statement)
        if (isFirst) {
          isFirst = false
          throw new Error('the answer is lost')
        }
        return rows
      },
    }
    const writer = new RequestLogWriter({ db, log })
    writer.add(answered(partnerId))
    await vi.waitFor(() => expect(isFirst).toBe(false), 10_000)
    // It tries what is left once more.
    await writer.stop()
    const { rows } = await superuser.query(
      `select requests::int from casenote.request_days where tenant_id = $1`,
      [partnerId],
    )
    const { rows: logged } = await superuser.query(
      'select count(*)::int as requests from casenote.request_logs where tenant_id = $1',
      [partnerId],
    )
    expect(rows).toEqual(logged)
  })

  it('a code is kept only if it is a word', async () => {
    const { partnerId } = await service.addPartner()
    const writer = new RequestLogWriter({ db: service.db, log })
    for (const code of ['token_expired', 'Sam Sample, born 1990', '{}', 'null', null])
      writer.add({ ...answered(partnerId), operation: 'code.test', code })
    await writer.stop()
    const { rows } = await superuser.query(
      `select code from casenote.request_logs where tenant_id = $1 and operation = 'code.test' order by code`,
      [partnerId],
    )
    expect(rows.map(({ code }) => code)).toEqual(['token_expired', null, null, null, null])
  })

  it('what cannot be written gives way after three tries', async () => {
    const before = await readDropped()
    let tries = 0
    const db = {
      throughDoor: async () => {
        tries += 1
        throw new Error('no database')
      },
    }
    const writer = new RequestLogWriter({ db, log })
    writer.add(answered(newId()))
    await vi.waitFor(async () => expect((await readDropped()) - before).toBe(1), 10_000)
    expect(tries).toBe(3)
    await writer.stop()
  })
})
