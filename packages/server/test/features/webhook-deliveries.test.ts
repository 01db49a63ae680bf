import { DELIVERY_STATUSES, type Page, type WebhookDelivery, type WebhookEndpoint } from '@casenote/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { recordEvent } from '../../src/kernel/outbox/index.js'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'

let service: TestService
let partner: TestPartner
let endpointId: string

beforeAll(async () => {
  service = await makeTestService()
})
beforeEach(async () => {
  // A partner of its own for each test: recovering looks at all of a partner's events.
  partner = await service.addPartner()
  // Its session has told of itself already; the tests count from the one event of its assessment.
  const text = `delete from casenote.events where tenant_id = $1 and event_type <> 'assessment_completed'`
  await service.owner.write({ tenantId: partner.partnerId }, (tx) =>
    tx.run({ text, values: [partner.partnerId] }),
  )
  endpointId = await addEndpoint({})
})
afterAll(() => service.close())

const call = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, payload?: object) =>
  service.ask(partner, method, path, payload)

const addEndpoint = async (settings: object): Promise<string> =>
  (
    await call('POST', '/webhook-endpoints', { url: 'https://hooks.acme.org', ...settings })
  ).json<WebhookEndpoint>().id

const run = (text: string, values: unknown[]) =>
  service.owner.write({ tenantId: partner.partnerId }, (tx) => tx.run({ text, values }))

const failTranscripts = (count: number): Promise<void> =>
  service.db.write({ tenantId: partner.partnerId }, async (tx) => {
    const ids = { sessionId: 's', clientId: 'c', clinicianId: 'k', clinicId: 'l', organizationId: 'o' }
    for (let index = 0; index < count; index += 1) {
      await recordEvent(tx, {
        eventType: 'session_transcript_error',
        payload: {
          ...ids,
          error: 'no audio',
          failure: { code: 'audio_no_audio', message: 'no audio', retryable: false },
        },
        nowMs: Date.now(),
      })
    }
  })

const list = async (query = ''): Promise<Page<WebhookDelivery>> =>
  (await call('GET', `/webhook-endpoints/${endpointId}/deliveries${query}`)).json<Page<WebhookDelivery>>()
const test = (eventType: unknown) => call('POST', `/webhook-endpoints/${endpointId}/test`, { eventType })
const recover = (since: unknown) => call('POST', `/webhook-endpoints/${endpointId}/recover`, { since })
const recovered = async (since: string): Promise<number> =>
  (await recover(since)).json<{ recovered: number }>().recovered
const resend = (deliveryId: string | undefined) => call('POST', `/webhook-deliveries/${deliveryId}/resend`)

const hourAgo = (): string => new Date(Date.now() - 3_600_000).toISOString()

/** What the dispatcher will do: a claim and an attempt. */
const finish = (status: 'succeeded' | 'failed', deliveryId: string) =>
  run(
    `with attempt as (insert into casenote.webhook_attempts
        (tenant_id, delivery_id, attempt, fence, started_at, duration_ms, status, error)
      select tenant_id, delivery_id, attempt_count + 1, fence + 1, '2026-11-15T10:00:00.1Z', 87,
        case when $2 = 'failed' then null else 204 end, case when $2 = 'failed' then 'timeout' end
      from casenote.webhook_deliveries where delivery_id = $1)
    update casenote.webhook_deliveries set status = $2, next_attempt_at = null, attempt_count = attempt_count + 1,
      schedule_step = 9, fence = fence + 1 where delivery_id = $1`,
    [deliveryId, status],
  )

const setDelivering = (deliveryId: string) =>
  run(
    `update casenote.webhook_deliveries set status = 'delivering', next_attempt_at = null,
      leased_until = now() + interval '1 minute' where delivery_id = $1`,
    [deliveryId],
  )

describe('POST /webhook-endpoints/{id}/test', () => {
  it('queues the newest real event of that type', async () => {
    await failTranscripts(3)
    const answer = await test('session_transcript_error')
    expect(answer.statusCode).toBe(200)
    const [newest] = (await run(
      "select event_id as id from casenote.events where event_type = 'session_transcript_error' order by seq desc limit 1",
      [],
    )) as { id: string }[]
    const delivery = answer.json<WebhookDelivery>()
    expect(delivery).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      eventType: 'session_transcript_error',
      webhookId: newest?.id,
      status: 'pending',
      attempts: [],
      nextAttemptAt: expect.stringMatching(/Z$/),
      createdAt: expect.stringMatching(/Z$/),
    })
    expect((await list()).data).toEqual([delivery])
    // Asked again it is sent again: the same event, another delivery.
    expect((await test('session_transcript_error')).json()).toMatchObject({ webhookId: newest?.id })
    expect((await list()).meta.totalItems).toBe(2)
  })

  it('409 while there is none, and when the endpoint is disabled', async () => {
    const none = await test('transcript_ready')
    expect([none.statusCode, none.json()]).toMatchObject([
      409,
      { error: { message: 'There is no transcript_ready event yet' } },
    ])
    await call('PATCH', `/webhook-endpoints/${endpointId}`, { enabled: false })
    const disabled = await test('assessment_completed')
    expect([disabled.statusCode, disabled.json()]).toMatchObject([
      409,
      { error: { message: 'Webhook endpoint is disabled' } },
    ])
    expect((await list()).data).toEqual([])
  })

  it.each([
    [undefined, 'eventType should not be empty'],
    [null, 'eventType should not be empty'],
    [
      'other',
      expect.stringMatching(/^eventType must be one of the following values: progress_note_generated, /),
    ],
    [['transcript_ready'], expect.stringMatching(/^eventType must be one of the following values: /)],
  ])('400 for %j', async (eventType, problem) => {
    const answer = await test(eventType)
    expect([answer.statusCode, answer.json()]).toMatchObject([
      400,
      { error: { message: { message: [problem] } } },
    ])
  })
})

describe('GET /webhook-endpoints/{id}/deliveries', () => {
  it('pages, oldest first, filtered by status and event type', async () => {
    await failTranscripts(11)
    expect(await recovered(hourAgo())).toBe(12)
    const [first, second] = [await list(), await list('?page=2')]
    expect([first.data.length, second.data.length]).toEqual([10, 2])
    expect(second.meta).toEqual({ totalItems: 12, totalPages: 2, itemsPerPage: 10, currentPage: 2 })
    await finish('failed', first.data[0]?.id ?? '')
    await finish('succeeded', first.data[1]?.id ?? '')
    const ids = async (query: string): Promise<(string | undefined)[]> =>
      (await list(query)).data.map(({ id }) => id)
    expect(await ids('?status=failed')).toEqual([first.data[0]?.id])
    expect(await ids('?status=succeeded')).toEqual([first.data[1]?.id])
    expect(await ids('?eventType=assessment_completed')).toEqual([first.data[0]?.id])
    expect(await ids('?eventType=assessment_completed&status=pending')).toEqual([])
    expect((await list('?eventType=&status=')).meta.totalItems).toBe(12)
    expect((await list('?eventType=other')).meta).toMatchObject({ totalItems: 0, totalPages: 1 })
    expect((await list('?status=failed')).data[0]).toMatchObject({
      status: 'failed',
      nextAttemptAt: null,
      attempts: [{ at: '2026-11-15T10:00:00.100Z', status: null, durationMs: 87, error: 'timeout' }],
    })
  })

  it('400 for a status that there is not', async () => {
    const answer = await call('GET', `/webhook-endpoints/${endpointId}/deliveries?status=lost&page=x`)
    expect([answer.statusCode, answer.json()]).toMatchObject([
      400,
      {
        error: {
          message: {
            message: [
              'page must be an integer number',
              `status must be one of the following values: ${DELIVERY_STATUSES.join(', ')}`,
            ],
          },
        },
      },
    ])
  })

  it('the statuses are those of the database', async () => {
    const rows = (await run(
      `select pg_get_constraintdef(oid) as text from pg_constraint
       where conrelid = 'casenote.webhook_deliveries'::regclass and contype = 'c'`,
      [],
    )) as { text: string }[]
    const constraint = rows.find(({ text }) => text.includes("'cancelled'"))?.text ?? ''
    expect([...constraint.matchAll(/'(\w+)'/g)].map(([, name]) => name)).toEqual([...DELIVERY_STATUSES])
  })
})

describe('POST /webhook-deliveries/{id}/resend', () => {
  it.each(['succeeded', 'failed'] as const)('queues one that %s again; its attempts stay', async (status) => {
    const { id } = (await test('assessment_completed')).json<WebhookDelivery>()
    await finish(status, id)
    const answer = await resend(id)
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toMatchObject({ id, status: 'pending', attempts: [{ durationMs: 87 }] })
    expect(answer.json<WebhookDelivery>().nextAttemptAt).not.toBeNull()
    // The schedule starts over.
    expect(
      await run(
        'select schedule_step, attempt_count from casenote.webhook_deliveries where delivery_id = $1',
        [id],
      ),
    ).toEqual([{ schedule_step: 0, attempt_count: 1 }])
    expect((await resend(id)).statusCode).toBe(200)
    expect((await list()).meta.totalItems).toBe(1)
  })

  it('409 while it is being sent, or when its endpoint is disabled; 404 when that is deleted', async () => {
    const { id } = (await test('assessment_completed')).json<WebhookDelivery>()
    await setDelivering(id)
    const sending = await resend(id)
    expect([sending.statusCode, sending.json()]).toMatchObject([
      409,
      { error: { message: 'Delivery is being sent' } },
    ])
    await call('PATCH', `/webhook-endpoints/${endpointId}`, { enabled: false })
    expect((await resend(id)).json()).toMatchObject({ error: { message: 'Webhook endpoint is disabled' } })
    await call('DELETE', `/webhook-endpoints/${endpointId}`)
    expect((await resend(id)).statusCode).toBe(404)
  })
})

describe('POST /webhook-endpoints/{id}/recover', () => {
  it('queues what failed and what was never queued, once', async () => {
    await failTranscripts(2)
    expect(await recovered(hourAgo())).toBe(3)
    expect(await recovered(hourAgo())).toBe(0)
    const { data } = await list()
    await finish('failed', data[0]?.id ?? '')
    await finish('succeeded', data[1]?.id ?? '')
    await setDelivering(data[2]?.id ?? '')
    await failTranscripts(1)
    expect(await recovered(hourAgo())).toBe(2)
    expect((await list()).data.map(({ status }) => status)).toEqual([
      'pending',
      'succeeded',
      'delivering',
      'pending',
    ])
    expect(await recovered(hourAgo())).toBe(0)
  })

  it('only since then, only what the endpoint asks for, and no tests', async () => {
    await failTranscripts(2)
    const day = new Date(Date.now() - 10 * 86_400_000).toISOString().slice(0, 10)
    await run(`update casenote.events set created_at = $1 where event_type like 'session%'`, [
      `${day}T00:00:00Z`,
    ])
    expect(await recovered(`${day}T00:00:00.001Z`)).toBe(1)
    expect(await recovered(`${day}T01:00:00+01:00`)).toBe(2)
    expect(await recovered('9999-12-31T23:59:59Z')).toBe(0)
    endpointId = await addEndpoint({ eventTypes: ['assessment_completed'] })
    const { id } = (await test('session_transcript_error')).json<WebhookDelivery>()
    await finish('failed', id)
    expect(await recovered('0001-01-01T00:00:00Z')).toBe(1)
  })

  it('nothing from before the time for which deliveries are kept: what arrived then is forgotten', async () => {
    await failTranscripts(1)
    await run(`update casenote.events set created_at = now() - interval '30 days 1 minute'`, [])
    expect(await recovered('0001-01-01T00:00:00Z')).toBe(0)
    await run(`update casenote.events set created_at = now() - interval '29 days 23 hours'`, [])
    expect(await recovered('0001-01-01T00:00:00Z')).toBe(2)
  })

  it('ten at once count everything once', async () => {
    await failTranscripts(20)
    await recovered(hourAgo())
    for (const { id } of (await list()).data) await finish('failed', id)
    await failTranscripts(5)
    const counts = await Promise.all(Array.from({ length: 10 }, () => recovered(hourAgo())))
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(15)
    expect((await list()).meta.totalItems).toBe(26)
  })

  it('takes 10,000 at a time and ends, also on tables that were never analyzed', async () => {
    await run(
      `insert into casenote.events (tenant_id, event_id, event_type, body)
       select $1, gen_random_uuid(), 'transcript_ready', '{}' from generate_series(1, 25000)`,
      [partner.partnerId],
    )
    const counts: number[] = []
    while (counts.at(-1) !== 0 && counts.length < 9) counts.push(await recovered(hourAgo()))
    expect(counts).toEqual([10_000, 10_000, 5_001, 0])
  })

  it('409 for a disabled endpoint', async () => {
    await call('PATCH', `/webhook-endpoints/${endpointId}`, { enabled: false })
    expect((await recover(hourAgo())).statusCode).toBe(409)
  })

  it.each([undefined, null, '', 5, 'yesterday', '2026-11-15', '2026-11-15T10:00:00', '2026-02-30T10:00:00Z'])(
    '400 for %j',
    async (since) => {
      const answer = await recover(since)
      expect(answer.statusCode).toBe(400)
      expect(answer.json<{ error: { message: { message: string[] } } }>().error.message.message).toEqual([
        expect.stringMatching(/^since (should|must) /),
      ])
      expect((await list()).data).toEqual([])
    },
  )
})

describe('what the next claims rely on', () => {
  it('an event has one delivery to an endpoint, and its attempts cannot be changed', async () => {
    await recovered(hourAgo())
    const again = run(
      `insert into casenote.webhook_deliveries (tenant_id, delivery_id, endpoint_id, event_id, event_type, trigger)
       select tenant_id, gen_random_uuid(), endpoint_id, event_id, event_type, 'event'
       from casenote.webhook_deliveries where endpoint_id = $1 and trigger = 'event'`,
      [endpointId],
    )
    await expect(again).rejects.toMatchObject({ constraint: 'webhook_deliveries_once' })
    const grants = (await run(
      `select grantee, string_agg(privilege_type, ',' order by privilege_type) as may
       from information_schema.role_table_grants
       where table_name = 'webhook_attempts' and grantee in ('casenote_app', 'casenote_dispatcher')
       group by grantee order by grantee`,
      [],
    )) as unknown[]
    expect(grants).toEqual([
      { grantee: 'casenote_app', may: 'SELECT' },
      { grantee: 'casenote_dispatcher', may: 'SELECT' },
    ])
  })
})
