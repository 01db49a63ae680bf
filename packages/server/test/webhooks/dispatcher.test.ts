import { createHmac } from 'node:crypto'
import { EVENT_TYPES } from '@casenote/contract'
import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { rotateSecret, suspendPartner, resumePartner } from '../../src/features/partners/index.js'
import { RETRY_DELAYS_MS } from '../../src/features/webhooks/dispatch/retry-schedule.js'
import { waitUntil } from '../support/casenote-process.js'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'
import {
  answerWith,
  makeHooks,
  makeReceiver,
  startDispatcher,
  type PartnerHooks,
  type Received,
  type Receiver,
} from './dispatch-fixture.js'

let service: TestService
let partner: TestPartner
let hooks: PartnerHooks
let receiver: Receiver
let running: Awaited<ReturnType<typeof startDispatcher>>

beforeAll(async () => {
  service = await makeTestService()
  running = await startDispatcher(service)
})
afterAll(async () => {
  await running.close()
  await service.close()
})
beforeEach(async () => {
  partner = await service.addPartner()
  hooks = await makeHooks(service, partner)
  receiver = await makeReceiver()
})
afterEach(async () => {
  // What still waits for it must not disturb the next test.
  await hooks.run('update casenote.webhook_endpoints set deleted_at = now() where tenant_id = $1', [
    partner.partnerId,
  ])
  await receiver.close()
})

const arrived = (count: number): Promise<void> =>
  waitUntil(async () => receiver.received.length >= count, `${count} deliveries arrived`)

const settled = async (endpointId: string, attempts: number): Promise<void> =>
  waitUntil(async () => {
    const [delivery] = await hooks.deliveries(endpointId)
    return delivery?.attempts.length === attempts && delivery.status !== 'delivering'
  }, `${attempts} attempts are on record`)

/** Hours pass: what waits is due now, and no endpoint is held. */
const passTime = async (): Promise<void> => {
  await hooks.run(`update casenote.webhook_endpoints set held_until = null where tenant_id = $1`, [
    partner.partnerId,
  ])
  await hooks.run(
    `update casenote.webhook_deliveries set next_attempt_at = now() where tenant_id = $1 and status = 'pending'`,
    [partner.partnerId],
  )
}

describe('events beyond the contract’s seven', () => {
  it('reach endpoints that name them, and no other', async () => {
    const named = await hooks.addEndpoint(`${receiver.url}/named`, { eventTypes: ['session_failed'] })
    const usual = await hooks.addEndpoint(`${receiver.url}/usual`)
    const chosen = await hooks.addEndpoint(`${receiver.url}/chosen`, {
      eventTypes: ['session_transcript_error'],
    })
    await hooks.happen(1, 'session_failed')
    await hooks.happen(1)
    await arrived(3)
    const got = receiver.received.map(({ path, body }) => {
      const { eventType } = JSON.parse(body.toString()) as { eventType: string }
      return [path, eventType] as const
    })
    expect(got).toHaveLength(3)
    expect(Object.fromEntries(got)).toEqual({
      '/hook/chosen': 'session_transcript_error',
      '/hook/named': 'session_failed',
      '/hook/usual': 'session_transcript_error',
    })
    // Fanned out in one step with the others: what is not on record now was not sent, and never will be.
    for (const id of [named, usual, chosen]) expect(await hooks.deliveries(id)).toHaveLength(1)
    const since = new Date(0).toISOString()
    const recovered = await hooks.call('POST', `/webhook-endpoints/${usual}/recover`, { since })
    expect(recovered.statusCode).toBe(200)
    const again = await hooks.deliveries(usual)
    expect(again.map(({ eventType }) => eventType)).not.toContain('session_failed')
  })

  it('the database knows the same seven', async () => {
    const [row] = await hooks.run(
      `select pg_get_functiondef('casenote.fan_out_webhook_events'::regproc) as text where $1::text is not null`,
      [partner.partnerId],
    )
    const list = /coalesce\(w\.event_types, array\[([^\]]*)\]/.exec(String(row?.['text']))?.[1] ?? ''
    expect([...list.matchAll(/'(\w+)'/g)].map(([, name]) => name)).toEqual([...EVENT_TYPES])
  })
})

describe('a delivery', () => {
  it('carries the exact bytes of the event, signed, and is recorded with its attempt', async () => {
    const endpointId = await hooks.addEndpoint(receiver.url, { digestHeader: 'X-Acme-Signature' })
    await hooks.happen()
    await arrived(1)
    const [{ headers, body }] = receiver.received as [Received]
    const [event] = (await hooks.run(
      `select event_id as id, body from casenote.events where tenant_id = $1 order by seq desc limit 1`,
      [partner.partnerId],
    )) as [{ id: string; body: Buffer }]
    expect(body.equals(event.body)).toBe(true)
    expect(headers['content-type']).toBe('application/json')
    expect(headers['webhook-id']).toBe(event.id)
    new Webhook(partner.clientSecret).verify(body.toString(), headers as Record<string, string>)
    const digest = createHmac('sha256', partner.clientSecret).update(body).digest('hex')
    expect(headers['x-acme-signature']).toBe(digest)
    await settled(endpointId, 1)
    expect(await hooks.deliveries(endpointId)).toMatchObject([
      {
        status: 'succeeded',
        webhookId: event.id,
        nextAttemptAt: null,
        attempts: [{ status: 204, error: null }],
      },
    ])
  })

  it('is made for every endpoint that asks for its type, and for no other', async () => {
    const wanted = await hooks.addEndpoint(`${receiver.url}/wanted`)
    const unwanted = await hooks.addEndpoint(`${receiver.url}/unwanted`, { eventTypes: ['transcript_ready'] })
    const disabled = await hooks.addEndpoint(`${receiver.url}/disabled`, { enabled: false })
    const second = await hooks.addEndpoint(`${receiver.url}/second`, {
      eventTypes: ['session_transcript_error'],
    })
    await hooks.happen(3)
    await arrived(6)
    for (const [id, count] of [
      [wanted, 3],
      [unwanted, 0],
      [disabled, 0],
      [second, 3],
    ] as const) {
      await waitUntil(
        async () => (await hooks.deliveries(id, '?status=succeeded')).length === count,
        `${count} deliveries succeeded`,
      )
      expect(await hooks.deliveries(id)).toHaveLength(count)
    }
    expect(receiver.received).toHaveLength(6)
  })

  it('is tried ten times as the schedule says, with attempts counted on, then given up', async () => {
    receiver.answer = answerWith(500)
    const endpointId = await hooks.addEndpoint(receiver.url)
    await hooks.happen()
    const waitsMs: number[] = []
    for (let attempt = 1; attempt <= 10; attempt += 1) {
      await settled(endpointId, attempt)
      const [row] = (await hooks.run(
        `select extract(epoch from d.next_attempt_at - a.started_at)::float * 1000 as "waitMs", attempt_count as count
         from casenote.webhook_deliveries d join casenote.webhook_attempts a using (tenant_id, delivery_id)
         where d.tenant_id = $1 and d.endpoint_id = $2 and a.attempt = d.attempt_count`,
        [partner.partnerId, endpointId],
      )) as [{ waitMs: number | null; count: number }]
      expect(row.count).toBe(attempt)
      if (row.waitMs !== null) waitsMs.push(row.waitMs)
      await passTime()
      if (attempt < 10) await hooks.call('PATCH', `/webhook-endpoints/${endpointId}`, {}) // Wakes it.
    }
    // The fixture's dice always show 0.5 of at most 10 % more.
    expect(waitsMs).toHaveLength(9)
    for (const [index, delayMs] of RETRY_DELAYS_MS.entries()) {
      expect(waitsMs[index]).toBeGreaterThanOrEqual(delayMs)
      expect(waitsMs[index]).toBeLessThan(delayMs * 1.05 + 1000)
    }
    expect(await hooks.deliveries(endpointId)).toMatchObject([{ status: 'failed', nextAttemptAt: null }])
    expect(receiver.received).toHaveLength(10)
    const ids = new Set(receiver.received.map(({ headers }) => headers['webhook-id']))
    expect(ids.size).toBe(1)
  })

  it('waits for Retry-After when that is later than the schedule', async () => {
    receiver.answer = answerWith(429, { 'retry-after': '100' })
    const endpointId = await hooks.addEndpoint(receiver.url)
    await hooks.happen()
    await settled(endpointId, 1)
    const [delivery] = await hooks.deliveries(endpointId)
    const waitMs = Date.parse(delivery?.nextAttemptAt ?? '') - Date.now()
    expect(waitMs).toBeGreaterThan(98_000)
    expect(waitMs).toBeLessThanOrEqual(100_000)
  })

  it('is not made again by following a redirect', async () => {
    receiver.answer = answerWith(302, { location: `${receiver.url}/elsewhere` })
    const endpointId = await hooks.addEndpoint(receiver.url)
    await hooks.happen()
    await settled(endpointId, 1)
    expect(receiver.received).toHaveLength(1)
    expect(await hooks.deliveries(endpointId)).toMatchObject([
      { status: 'pending', attempts: [{ status: 302, error: null }] },
    ])
  })

  it('is signed with both secrets during the day after a rotation, the digest with the newest', async () => {
    const rotated = await rotateSecret(service.owner, await service.keys.get({ tenantId: partner.partnerId }))
    await service.watch.poll()
    await hooks.addEndpoint(receiver.url, { digestHeader: 'X-Digest' })
    await waitUntil(async () => {
      await hooks.happen()
      const last = receiver.received.at(-1)
      return String(last?.headers['webhook-signature']).split(' ').length === 2
    }, 'two signatures are sent')
    const { headers, body } = receiver.received.at(-1) as Received
    for (const secret of [partner.clientSecret, rotated]) {
      new Webhook(secret).verify(body.toString(), headers as Record<string, string>)
    }
    expect(headers['x-digest']).toBe(createHmac('sha256', rotated).update(body).digest('hex'))
  })

  it('goes to the URL of now when it is tried again', async () => {
    receiver.answer = answerWith(500)
    const endpointId = await hooks.addEndpoint(`${receiver.url}/old`)
    await hooks.happen()
    await settled(endpointId, 1)
    receiver.answer = answerWith(200)
    await passTime()
    await hooks.call('PATCH', `/webhook-endpoints/${endpointId}`, { url: `${receiver.url}/new` })
    await settled(endpointId, 2)
    expect(receiver.received.map(({ path }) => path)).toEqual(['/hook/old', '/hook/new'])
  })

  it('is cancelled when its endpoint is deleted, and not sent', async () => {
    receiver.answer = answerWith(500)
    const endpointId = await hooks.addEndpoint(receiver.url)
    await hooks.happen()
    await settled(endpointId, 1)
    await hooks.call('DELETE', `/webhook-endpoints/${endpointId}`)
    await passTime()
    await waitUntil(async () => {
      const [row] = await hooks.run('select status from casenote.webhook_deliveries where endpoint_id = $1', [
        endpointId,
      ])
      return row?.status === 'cancelled'
    }, 'the delivery is cancelled')
    expect(receiver.received).toHaveLength(1)
  })

  it('waits while its partner is suspended', async () => {
    const endpointId = await hooks.addEndpoint(receiver.url)
    await suspendPartner(service.owner, { tenantId: partner.partnerId })
    await hooks.happen()
    await waitUntil(
      async () =>
        (await hooks.run('select from casenote.webhook_deliveries where endpoint_id = $1', [endpointId]))
          .length === 1,
      'it is queued',
    )
    expect(receiver.received).toHaveLength(0)
    await resumePartner(service.owner, { tenantId: partner.partnerId })
    await arrived(1)
  })
})

describe('an endpoint', () => {
  it('that answers 410 is disabled at once; enabling it undoes that, and recovering sends what it missed', async () => {
    receiver.answer = answerWith(410)
    const endpointId = await hooks.addEndpoint(receiver.url)
    await hooks.happen()
    await settled(endpointId, 1)
    expect(await hooks.endpoint(endpointId)).toMatchObject({ enabled: false, disabledReason: 'gone' })
    expect(await hooks.deliveries(endpointId)).toMatchObject([{ status: 'failed' }])
    await hooks.happen()
    receiver.answer = answerWith(200)
    await hooks.call('PATCH', `/webhook-endpoints/${endpointId}`, { enabled: true })
    expect(await hooks.endpoint(endpointId)).toMatchObject({ enabled: true, disabledReason: null })
    const since = new Date(Date.now() - 60_000).toISOString()
    await waitUntil(async () => {
      const [row] = await hooks.run(
        'select count(*)::int as left from casenote.events where tenant_id = $1 and fanned_out_at is null',
        [partner.partnerId],
      )
      return row?.left === 0
    }, 'the second event was passed over')
    await hooks.call('POST', `/webhook-endpoints/${endpointId}/recover`, { since })
    await waitUntil(
      async () => (await hooks.deliveries(endpointId, '?status=succeeded')).length >= 2,
      'what was missed has arrived',
    )
  })

  it('that fails for five days in a row is disabled, not before, and a success starts the count anew', async () => {
    receiver.answer = answerWith(500)
    const endpointId = await hooks.addEndpoint(receiver.url)
    const failingFor = (interval: string) =>
      hooks.run(
        `update casenote.webhook_endpoints set failing_since = now() - $2::interval where tenant_id = $1`,
        [partner.partnerId, interval],
      )
    await hooks.happen()
    await settled(endpointId, 1)
    await failingFor('4 days 23 hours')
    await passTime()
    await hooks.call('PATCH', `/webhook-endpoints/${endpointId}`, {})
    await settled(endpointId, 2)
    expect(await hooks.endpoint(endpointId)).toMatchObject({ enabled: true })
    await failingFor('5 days 1 second')
    receiver.answer = answerWith(200)
    await hooks.happen()
    await waitUntil(
      async () => (await hooks.deliveries(endpointId, '?status=succeeded')).length === 1,
      'the success is on record',
    )
    receiver.answer = answerWith(500)
    await passTime()
    await hooks.call('PATCH', `/webhook-endpoints/${endpointId}`, {})
    await settled(endpointId, 3)
    expect(await hooks.endpoint(endpointId)).toMatchObject({ enabled: true })
    await failingFor('5 days 1 second')
    await passTime()
    await hooks.call('PATCH', `/webhook-endpoints/${endpointId}`, {})
    await settled(endpointId, 4)
    expect(await hooks.endpoint(endpointId)).toMatchObject({ enabled: false, disabledReason: 'failing' })
  })

  it('that is overloaded is left alone for a while, whatever waits for it', async () => {
    receiver.answer = answerWith(503, { 'retry-after': '60' })
    const endpointId = await hooks.addEndpoint(receiver.url)
    await hooks.happen()
    await settled(endpointId, 1)
    await hooks.happen(5)
    await waitUntil(async () => (await hooks.deliveries(endpointId)).length === 6, 'they are queued')
    const [row] = (await hooks.run(
      `select extract(epoch from held_until - now())::float as "heldS" from casenote.webhook_endpoints
       where tenant_id = $1 and endpoint_id = $2`,
      [partner.partnerId, endpointId],
    )) as [{ heldS: number }]
    expect(row.heldS).toBeGreaterThan(55)
    expect(receiver.received).toHaveLength(1)
  })

  it('gets at most 32 at once, and a slow one holds up no other', async () => {
    let open = 0
    let most = 0
    const held: (() => void)[] = []
    receiver.answer = (response, { path }) => {
      if (path === '/hook/fast') {
        response.writeHead(200).end()
        return
      }
      open += 1
      most = Math.max(most, open)
      held.push(() => {
        open -= 1
        response.writeHead(200).end()
      })
    }
    await hooks.addEndpoint(`${receiver.url}/slow`)
    await hooks.happen(100)
    await waitUntil(async () => open === 32, 'the slow endpoint is full')
    await hooks.addEndpoint(`${receiver.url}/fast`)
    await hooks.happen(20)
    await waitUntil(
      async () => receiver.received.filter(({ path }) => path === '/hook/fast').length === 20,
      'the other endpoint got everything meanwhile',
    )
    expect(most).toBe(32)
    await waitUntil(async () => {
      for (const release of held.splice(0)) release()
      return receiver.received.length === 140
    }, 'the slow one got everything in the end')
    expect(most).toBe(32)
  })
})
