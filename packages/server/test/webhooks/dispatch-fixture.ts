import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page, WebhookDelivery, WebhookEndpoint } from '@casenote/contract'
import { makeClientSecrets } from '../../src/features/partners/index.js'
import { WebhookDispatcher } from '../../src/features/webhooks/index.js'
import { systemClock, type Clock } from '../../src/kernel/clock.js'
import { Database } from '../../src/kernel/db/database.js'
import { DirectoryWatch } from '../../src/kernel/directory-cache.js'
import { makeGuardedAgent } from '../../src/kernel/guarded-fetch/guarded-agent.js'
import { makeLog } from '../../src/kernel/log.js'
import { recordEvent } from '../../src/kernel/outbox/index.js'
import { makeTenantKeys } from '../../src/kernel/secrets/tenant-keys.js'
import type { TestPartner, TestService } from '../support/test-service.js'

export interface Received {
  atMs: number
  path: string
  headers: IncomingHttpHeaders
  body: Buffer
}

export interface Receiver {
  url: string
  received: Received[]
  /** How the next requests are answered; 204 until told otherwise. */
  answer: (response: ServerResponse, request: Received) => void
  close(): Promise<void>
}

export async function makeReceiver(): Promise<Receiver> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { url = '', headers } = request
      const one = { atMs: performance.now(), path: url, headers, body: Buffer.concat(chunks) }
      receiver.received.push(one)
      receiver.answer(response, one)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received: [],
    answer: (response) => response.writeHead(204).end(),
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return receiver
}

export const answerWith =
  (status: number, headers: Record<string, string> = {}) =>
  (response: ServerResponse): void => {
    response.writeHead(status, headers).end()
  }

/** A dispatcher in this process, with a role and connections of its own. */
export async function startDispatcher(
  service: TestService,
  options: { clock?: Clock } = {},
): Promise<{ dispatcher: WebhookDispatcher; close(): Promise<void> }> {
  const log = makeLog('silent', 'test')
  const url = service.database.dispatcherUrl
  const db = new Database({ url, poolSize: 5, applicationName: 'dispatcher', onConnectionError: () => {} })
  const watch = new DirectoryWatch(db, log)
  await watch.start()
  const keys = makeTenantKeys(db, service.masterKeys, watch)
  const clock = options.clock ?? systemClock
  const agents = {
    sandbox: makeGuardedAgent({ environment: 'sandbox' }),
    production: makeGuardedAgent({ environment: 'production' }),
  }
  const dispatcher = new WebhookDispatcher({
    db,
    listenUrl: url,
    findSecrets: makeClientSecrets({ db, keys, watch, clock }),
    agents,
    isSandboxHome: () => watch.isSandboxHome(),
    clock,
    random: () => 0.5,
    log,
  })
  dispatcher.start()
  const close = async (): Promise<void> => {
    await dispatcher.close()
    await Promise.all([agents.sandbox.destroy(), agents.production.destroy()])
    await watch.stop()
    await db.end()
  }
  return { dispatcher, close }
}

export interface PartnerHooks {
  call: (
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    path: string,
    payload?: object,
  ) => ReturnType<TestService['call']>
  addEndpoint(url: string, settings?: object): Promise<string>
  endpoint(id: string): Promise<WebhookEndpoint>
  /** Records events as a failing pipeline would. */
  happen(count?: number, eventType?: 'session_transcript_error' | 'session_failed'): Promise<void>
  deliveries(endpointId: string, query?: string): Promise<WebhookDelivery[]>
  /** Past all roles, to move time and to look. */
  run(text: string, values: unknown[]): Promise<Record<string, unknown>[]>
}

/** A partner whose only endpoints are those that a test adds, and whose earlier events are past. */
export async function makeHooks(service: TestService, partner: TestPartner): Promise<PartnerHooks> {
  const tenant = { tenantId: partner.partnerId }
  const hooks: PartnerHooks = {
    call: (method, path, payload) => service.ask(partner, method, path, payload),
    addEndpoint: async (url, settings = {}) =>
      (await hooks.call('POST', '/webhook-endpoints', { url, ...settings })).json<WebhookEndpoint>().id,
    endpoint: async (id) => (await hooks.call('GET', `/webhook-endpoints/${id}`)).json<WebhookEndpoint>(),
    happen: (count = 1, eventType = 'session_transcript_error') =>
      service.db.write(tenant, async (tx) => {
        const { clientId, clinicianId, clinicId, organizationId, sessionId } = partner
        const ids = { sessionId, clientId, clinicianId, clinicId, organizationId }
        const failure = { code: 'audio_no_audio', message: 'No audio', retryable: false }
        const payload = { ...ids, error: failure.message, failure }
        for (let index = 0; index < count; index += 1) {
          await recordEvent(tx, { eventType, payload, nowMs: Date.now() })
        }
      }),
    deliveries: async (endpointId, query = '') =>
      (await hooks.call('GET', `/webhook-endpoints/${endpointId}/deliveries${query}`)).json<
        Page<WebhookDelivery>
      >().data,
    run: (text, values) => service.owner.write(tenant, (tx) => tx.run({ text, values })),
  }
  await hooks.run('update casenote.events set fanned_out_at = now() where tenant_id = $1', [tenant.tenantId])
  await hooks.call('DELETE', `/webhook-endpoints/${partner.endpointId}`)
  return hooks
}
