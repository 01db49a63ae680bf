import { randomBytes, randomUUID } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page, WebhookDelivery, WebhookEndpoint } from '@casenote/contract'
import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Database } from '../../src/kernel/db/database.js'
import { recordEvent } from '../../src/kernel/outbox/index.js'
import {
  CasenoteProcess,
  freePort,
  makeDataFolder,
  runCasenote,
  startCasenote,
  waitUntil,
} from '../support/casenote-process.js'
import { makeTestDatabase, type TestDatabase } from '../support/test-database.js'
import { answerWith, makeReceiver, type Received, type Receiver } from '../webhooks/dispatch-fixture.js'

/** One line of `--json`. */
interface Line {
  type: 'listening' | 'event' | 'notice'
  endpointId?: string
  url?: string
  message?: string
  webhookId?: string
  signature?: string
  timesSeen?: number
  answered?: number | null
  forwarded?: { status: number | null; error: string | null }
  ids?: Record<string, string>
  body?: string
}

interface Credentials {
  partnerId: string
  clientId: string
  clientSecret: string
  apiKey: string
}

let folder: { path: string; remove(): Promise<void> }
let database: TestDatabase
let db: Database
let env: Record<string, string>
let service: Awaited<ReturnType<typeof startCasenote>>
let credentials: Credentials
let target: Receiver
let listeners: CasenoteProcess[] = []

beforeAll(async () => {
  folder = await makeDataFolder()
  database = await makeTestDatabase()
  env = {
    CASENOTE_DATA_DIR: folder.path,
    DATABASE_URL: database.databaseUrl,
    CASENOTE_MIGRATE_URL: database.migrateUrl,
    CASENOTE_MASTER_KEY: randomBytes(32).toString('base64'),
    PORT: String(await freePort()),
  }
  service = await startCasenote(env)
  credentials = JSON.parse(
    await readFile(join(folder.path, 'sandbox-credentials.json'), 'utf8'),
  ) as Credentials
  const url = database.databaseUrl
  db = new Database({ url, poolSize: 1, applicationName: 'test', onConnectionError: () => {} })
})
afterAll(async () => {
  await db.end()
  await service.process.end('SIGTERM')
  await database.drop()
  await folder.remove()
})
beforeEach(async () => {
  target = await makeReceiver()
})
afterEach(async () => {
  for (const listener of listeners) await listener.end('SIGTERM')
  listeners = []
  await target.close()
})

async function call<Answer>(method: string, path: string, payload?: object): Promise<Answer> {
  const send = (headers: Record<string, string>, to: string, how: string, body?: object): Promise<Response> =>
    fetch(`${service.url}/v2${to}`, {
      method: how,
      headers: {
        'x-api-key': credentials.apiKey,
        ...headers,
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
  const { clientId, clientSecret } = credentials
  const token = await send({}, '/partners/authenticate', 'POST', { clientId, clientSecret })
  const { accessToken } = (await token.json()) as { accessToken: string }
  const text = await (await send({ 'access-token': accessToken }, path, method, payload)).text()
  return (text === '' ? null : JSON.parse(text)) as Answer
}

const endpoints = async (): Promise<WebhookEndpoint[]> =>
  (await call<Page<WebhookEndpoint>>('GET', '/webhook-endpoints')).data

/** As a failing transcription records it: there is no pipeline to do it. */
async function happen(): Promise<{ sessionId: string }> {
  const sessionId = randomUUID()
  const payload = {
    sessionId,
    sessionExternalId: 'Jane Roe, 4 May',
    clientId: randomUUID(),
    clinicianId: randomUUID(),
    clinicId: randomUUID(),
    organizationId: randomUUID(),
    error: 'The recording holds no speech',
    failure: { code: 'audio_no_speech', message: 'The recording holds no speech', retryable: false },
  }
  await db.write({ tenantId: credentials.partnerId }, (tx) =>
    recordEvent(tx, { eventType: 'session_transcript_error', payload, nowMs: Date.now() }),
  )
  return { sessionId }
}

function start(...args: string[]): CasenoteProcess {
  const listener = new CasenoteProcess(['webhook', 'listen', ...args], { CASENOTE_DATA_DIR: folder.path })
  listeners.push(listener)
  return listener
}

const linesOf = (listener: CasenoteProcess): Line[] =>
  listener.output
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Line)

const eventsOf = (listener: CasenoteProcess): Line[] =>
  linesOf(listener).filter(({ type }) => type === 'event')

async function find(
  listener: CasenoteProcess,
  isMeant: (line: Line) => boolean,
  what: string,
): Promise<Line> {
  await waitUntil(async () => linesOf(listener).some(isMeant), `${what} in\n${listener.output}`)
  return linesOf(listener).find(isMeant) as Line
}

/** Listening, with `--json`. */
async function listen(...args: string[]): Promise<{ listener: CasenoteProcess; id: string; url: string }> {
  const listener = start('--json', ...args)
  const { endpointId, url } = await find(listener, ({ type }) => type === 'listening', 'a listener')
  return { listener, id: endpointId ?? '', url: url ?? '' }
}

describe('casenote webhook listen', () => {
  it('shows an event with its signature, forwards its bytes and headers, and is gone after SIGTERM', async () => {
    const { listener, id } = await listen('--forward-to', target.url)
    expect((await endpoints()).map((endpoint) => endpoint.id)).toContain(id)
    const { sessionId } = await happen()
    const event = await find(listener, ({ type }) => type === 'event', 'an event')
    const [received] = target.received as [Received]
    expect(event).toMatchObject({
      eventType: 'session_transcript_error',
      signature: 'ok',
      timesSeen: 1,
      answered: 204,
      forwarded: { status: 204, error: null },
      webhookId: received.headers['webhook-id'],
      ids: { sessionId },
    })
    new Webhook(credentials.clientSecret).verify(
      received.body.toString(),
      received.headers as Record<string, string>,
    )
    expect(received.headers['content-type']).toBe('application/json')
    expect(received.headers.host).toBe(new URL(target.url).host)

    const finished = await listener.end('SIGTERM')
    expect(finished).toMatchObject({ code: 0, stderr: '' })
    expect((await endpoints()).map((endpoint) => endpoint.id)).not.toContain(id)
    for (const kept of ['Jane Roe', 'no speech', credentials.clientSecret, credentials.apiKey]) {
      expect(finished.stdout).not.toContain(kept)
    }
  })

  it('passes on a 500, so that the service tries again, and marks the second one', async () => {
    target.answer = answerWith(500)
    const { listener, id } = await listen('--forward-to', target.url)
    await happen()
    await find(listener, ({ type }) => type === 'event', 'the first attempt')
    target.answer = answerWith(200)
    await find(listener, ({ timesSeen }) => timesSeen === 2, 'the second attempt, 5 s later')
    expect(eventsOf(listener)).toMatchObject([
      { signature: 'ok', timesSeen: 1, answered: 500, forwarded: { status: 500 } },
      { signature: 'ok', timesSeen: 2, answered: 200, forwarded: { status: 200 } },
    ])
    await waitUntil(async () => {
      const { data } = await call<Page<WebhookDelivery>>('GET', `/webhook-endpoints/${id}/deliveries`)
      return data[0]?.attempts.map(({ status }) => status).join() === '500,200'
    }, 'both attempts are on record')
  })

  it('answers 502 while nobody listens at the target, with 429 and Retry-After when that says so', async () => {
    const { listener, url } = await listen('--forward-to', `http://127.0.0.1:${await freePort()}/`)
    const post = await fetch(url, { method: 'POST', body: '{}' })
    expect(post.status).toBe(502)
    expect(eventsOf(listener)).toMatchObject([
      { signature: 'missing', answered: 502, forwarded: { status: null, error: 'connection refused' } },
    ])
    target.answer = answerWith(429, { 'retry-after': '7' })
    const second = await listen('--forward-to', target.url)
    const slow = await fetch(second.url, { method: 'POST', body: '{}' })
    expect([slow.status, slow.headers.get('retry-after')]).toEqual([429, '7'])

    const impatient = new AbortController()
    target.answer = () => impatient.abort()
    const asked = fetch(second.url, { method: 'POST', body: '{}', signal: impatient.signal })
    await expect(asked).rejects.toThrow('aborted')
    const given = await find(second.listener, ({ answered }) => answered === null, 'the end of waiting')
    expect(given.forwarded).toMatchObject({ status: null, error: 'no answer while the service waited' })
  })

  it('says so when somebody else posts, and prints nothing that was sent', async () => {
    const { listener, url } = await listen()
    const id = randomUUID()
    const post = async (secret: string, at: Date, body: string): Promise<number> => {
      const headers = {
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
        'webhook-signature': new Webhook(secret).sign(id, at, body),
      }
      return (await fetch(url, { method: 'POST', headers, body })).status
    }
    const forged = JSON.stringify({
      eventType: '\u001B[2Jfake',
      payload: { sessionId: '\u001B[31mJane Roe', clientId: id },
    })
    const otherSecret = `whsec_${randomBytes(32).toString('base64')}`
    expect(await post(otherSecret, new Date(), forged)).toBe(204)
    expect(await post(credentials.clientSecret, new Date(Date.now() - 600_000), '{}')).toBe(204)
    expect((await fetch(url)).status).toBe(405)
    expect((await fetch(url, { method: 'POST', body: 'x'.repeat(1024 * 1024 + 1) })).status).toBe(413)
    expect(eventsOf(listener)).toMatchObject([
      { signature: 'wrong', eventType: null, timesSeen: 1, ids: { clientId: id } },
      { signature: 'too_old', timesSeen: 1 },
    ])
    expect(listener.output).not.toContain('Jane Roe')
    expect(listener.output).toContain('answered with 413')
  })

  it('speaks plainly to people, with the id to test with and no colour outside a terminal', async () => {
    const listener = start('--events', 'session_transcript_error', '--print-body')
    await waitUntil(async () => listener.output.includes('Ctrl-C'), 'the hint is shown')
    const [endpoint] = await endpoints()
    expect(endpoint).toMatchObject({ eventTypes: ['session_transcript_error'], isPrimary: false })
    expect(listener.output).toContain(
      `${service.url.replace('127.0.0.1', 'localhost')}/v2/webhook-endpoints/${endpoint?.id}/test`,
    )
    await happen()
    await waitUntil(async () => listener.output.includes('signature ok'), 'an event is shown')
    await call('POST', `/webhook-endpoints/${endpoint?.id}/test`, { eventType: 'session_transcript_error' })
    await waitUntil(async () => listener.output.includes('again (2)'), 'the test event is shown')
    const otherUrl = `${endpoint?.url}/other`
    await fetch(otherUrl, { method: 'POST', body: '{"a":"\u001B[2J"}', headers: { 'webhook-id': 'x' } })
    await waitUntil(async () => listener.output.includes('signature MISSING'), 'the other post is shown')
    expect(listener.output).toMatch(/session_transcript_error {2}signature ok {2}answered 204\n/)
    expect(listener.output).toContain('The recording holds no speech')
    expect(listener.output).toContain(String.raw`{"a":"\u001b[2J"}`)
    expect(listener.output).not.toContain('\u001B')
  })

  it('removes what a killed run has left, and leaves alone what is alive or not its own', async () => {
    const own = await call<WebhookEndpoint>('POST', '/webhook-endpoints', {
      url: 'http://127.0.0.1:9/casenote-listen/00000000-1-00000000',
    })
    const alive = await listen()
    const killed = await listen('--public-url', 'https://tunnel.example.com/hook?a=1')
    expect(killed.url).toMatch(/^https:\/\/tunnel\.example\.com\/hook\?a=1#casenote-listen\//)
    await killed.listener.end('SIGKILL')
    const { listener, id } = await listen()
    expect(linesOf(listener)[0]?.message).toBe('removed what a killed run had left: 1')
    const ids = (await endpoints()).map((endpoint) => endpoint.id)
    expect(ids.toSorted()).toEqual([own.id, alive.id, id].toSorted())
    await call('DELETE', `/webhook-endpoints/${own.id}`)
  })

  it('goes on over a restart of the service, and registers again when its endpoint is gone', async () => {
    const { listener, id } = await listen('--forward-to', target.url)
    await service.process.end('SIGKILL')
    await find(listener, ({ message }) => message?.includes('cannot be reached') === true, 'the outage')
    service = await startCasenote(env)
    await find(listener, ({ message }) => message === 'all is well again', 'the end of the outage')
    await happen()
    await find(listener, ({ type }) => type === 'event', 'an event after the restart')

    await call('DELETE', `/webhook-endpoints/${id}`)
    const again = await find(
      listener,
      ({ type, endpointId }) => type === 'listening' && endpointId !== id,
      'another endpoint',
    )
    expect((await endpoints()).map((endpoint) => endpoint.id)).toEqual([again.endpointId])
    target.answer = answerWith(410)
    await happen()
    await find(
      listener,
      ({ message }) => message?.includes('disabled (gone)') === true,
      'that it is disabled',
    )
    await listener.end('SIGINT')
    expect(await endpoints()).toEqual([])
  })

  it('reads its credentials again when they are not known any more', async () => {
    const file = join(folder.path, 'rotated.json')
    const write = (): Promise<void> =>
      writeFile(file, JSON.stringify({ ...credentials, baseUrl: `${service.url}/v2` }))
    await write()
    const { listener, id } = await listen('--credentials', file)
    const rotated = await runCasenote(['partner', 'rotate-key', credentials.partnerId, '--json'], env)
    credentials.apiKey = (JSON.parse(rotated.stdout) as { apiKey: string }).apiKey
    await find(
      listener,
      ({ message }) => message?.endsWith('403: Forbidden; trying again') === true,
      'a refusal',
    )
    await write()
    await find(listener, ({ message }) => message === 'all is well again', 'the end of it')
    await listener.end('SIGTERM')
    expect((await endpoints()).map((endpoint) => endpoint.id)).not.toContain(id)
    const own = join(folder.path, 'sandbox-credentials.json')
    await writeFile(
      own,
      JSON.stringify({ ...JSON.parse(await readFile(own, 'utf8')), apiKey: credentials.apiKey }),
    )
  })

  it('says what is wrong in one sentence', async () => {
    const run = async (...args: string[]): Promise<string> => {
      const { code, stderr } = await runCasenote(['webhook', 'listen', ...args], {
        CASENOTE_DATA_DIR: folder.path,
      })
      expect(code).toBe(1)
      return stderr
    }
    const file = join(folder.path, 'other.json')
    expect(await run('--credentials', file)).toBe(
      `casenote: ${file} does not exist: name your credentials with --credentials FILE\n`,
    )
    await writeFile(
      file,
      JSON.stringify({ ...credentials, baseUrl: undefined, clientSecret: 'whsec_c2VjcmV0' }),
    )
    expect(await run('--credentials', file)).toBe(`casenote: ${file} has no baseUrl\n`)
    const nowhere = `http://127.0.0.1:${await freePort()}/v2`
    const said = await Promise.all([
      run('--credentials', file, '--base-url', `${service.url}/v2/`),
      run('--base-url', nowhere),
      run('--events', 'transcript_done'),
      run('--forward-to', 'localhost:3000'),
      run('--port', new URL(target.url).port),
    ])
    expect(said).toEqual([
      'casenote: POST /partners/authenticate was answered with 401: Invalid client credentials\n',
      `casenote: the service cannot be reached at ${nowhere} (ECONNREFUSED)\n`,
      expect.stringContaining('Known are: progress_note_generated'),
      expect.stringContaining('must be an http or https URL'),
      expect.stringContaining('is taken'),
    ])
    expect(await endpoints()).toEqual([])
  })
})
