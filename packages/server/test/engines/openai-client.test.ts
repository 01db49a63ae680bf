import { inspect } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { EngineFault } from '../../src/engines/engine-fault.js'
import {
  jsonBody,
  OpenAiClient,
  toBaseUrl,
  type CallLimits,
} from '../../src/engines/openai-protocol/openai-client.js'
import { RejectedRequest } from '../../src/engines/openai-protocol/read-failure.js'
import { readRetryAfter } from '../../src/engines/openai-protocol/read-retry-after.js'
import { waitUntil } from '../support/casenote-process.js'
import { OpenAiTestServer, type Mischief } from './openai-server.js'
import { writeAsModel, transcribeWords } from './scripted-models.js'

const never = new AbortController().signal
const apiKey = 'sk-very-secret-key-1234567890'
const words = 'I told nobody about the affair'

const request = {
  model: 'm',
  messages: [{ role: 'user', content: `<transcript>\n[0] client: ${words}\n</transcript>` }],
  response_format: {
    type: 'json_schema',
    json_schema: {
      name: 'summary',
      strict: true,
      schema: { type: 'object', properties: {}, required: [], additionalProperties: false },
    },
  },
}

let server: OpenAiTestServer
let url: string
let client: OpenAiClient

const openClient = (limits: Partial<CallLimits> = {}, key: string | null = apiKey): OpenAiClient =>
  new OpenAiClient(
    { name: 'writer server', url, apiKey: key },
    { timeoutMs: 5_000, concurrencyMax: 2, backoffMs: 2, ...limits },
  )

const ask = (one = client, signal = never): Promise<unknown> =>
  one.post('/chat/completions', jsonBody(request), signal)

async function fail(running: Promise<unknown>): Promise<EngineFault> {
  const error: unknown = await running.then(
    () => expect.unreachable(),
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(EngineFault)
  const shown = inspect(error, { depth: 10, showHidden: true })
  expect(shown).not.toContain(words)
  expect(shown).not.toContain('secret-key')
  expect(shown).not.toContain('67890')
  return error as EngineFault
}

beforeEach(async () => {
  server = new OpenAiTestServer({ apiKey, writeAsModel, transcribe: transcribeWords })
  url = await server.start()
  client = openClient()
})
afterEach(async () => {
  await client.close()
  await server.close()
})

describe('a call', () => {
  it('carries the key as a bearer token, and none when there is none', async () => {
    await ask()
    const other = openClient({}, null)
    expect((await fail(ask(other))).message).toBe('the writer server answered 401 (invalid_api_key)')
    await other.close()
    expect(server.authorizations).toEqual([`Bearer ${apiKey}`, undefined])
  })

  it('401 is a refusal, asked once, and tells nothing of the key', async () => {
    const other = openClient({}, `${apiKey}x`)
    const fault = await fail(ask(other))
    await other.close()
    expect(fault).toMatchObject({ kind: 'refused', isTransient: false })
    expect(server.callCount).toBe(1)
  })

  it('429 is tried again after the time that the server asks for', async () => {
    server.mischief.push({ kind: 'status', status: 429, headers: { 'retry-after-ms': '120' } })
    const startMs = performance.now()
    await ask()
    expect(performance.now() - startMs).toBeGreaterThanOrEqual(118)
    expect(server.callCount).toBe(2)
  })

  it('429 with a longer wait than is held out is handed to the caller with its time', async () => {
    server.mischief.push({ kind: 'status', status: 429, headers: { 'retry-after': '3600' } })
    expect(await fail(ask())).toMatchObject({
      kind: 'rate_limited',
      isTransient: true,
      retryAfterMs: 3_600_000,
    })
    expect(server.callCount).toBe(1)
  })

  it('a quota that is used up is no rate limit', async () => {
    const body = { error: { code: 'insufficient_quota', message: words } }
    server.mischief.push({ kind: 'status', status: 429, body })
    expect(await fail(ask())).toMatchObject({ kind: 'refused', isTransient: false })
    expect(server.callCount).toBe(1)
  })

  for (const status of [408, 409, 425, 500, 502, 503, 504]) {
    it(`${status} is tried again`, async () => {
      server.mischief.push({ kind: 'status', status })
      await ask()
      expect(server.callCount).toBe(2)
    })
  }

  it('500s are tried four times in all, then the server is unavailable', async () => {
    for (let count = 0; count < 9; count += 1) {
      server.mischief.push({ kind: 'status', status: 500, body: { error: { message: words, code: words } } })
    }
    expect(await fail(ask())).toMatchObject({
      kind: 'unavailable',
      isTransient: true,
      message: 'the writer server answered 500',
    })
    expect(server.callCount).toBe(4)
  })

  it('a server that says so is not tried again', async () => {
    server.mischief.push({ kind: 'status', status: 503, headers: { 'x-should-retry': 'false' } })
    await fail(ask())
    expect(server.callCount).toBe(1)
  })

  for (const status of [400, 403, 404, 413, 422, 501]) {
    it(`${status} is a refusal, asked once`, async () => {
      const body = { error: { type: 'invalid_request_error', param: 'messages', message: words } }
      server.mischief.push({ kind: 'status', status, body })
      const fault = await fail(ask())
      expect(fault).toBeInstanceOf(RejectedRequest)
      expect(fault).toMatchObject({
        kind: 'refused',
        status,
        code: 'invalid_request_error',
        param: 'messages',
      })
      expect(server.callCount).toBe(1)
    })
  }

  it('a redirect is not followed: the transcript goes to the server that was named, or nowhere', async () => {
    server.mischief.push({ kind: 'status', status: 307, headers: { location: `${url}/v1/chat/completions` } })
    expect((await fail(ask())).message).toContain('307')
    expect(server.callCount).toBe(1)
  })

  it('a connection that breaks before the answer is tried again', async () => {
    server.mischief.push({ kind: 'reset' }, { kind: 'reset' })
    await ask()
    expect(server.callCount).toBe(3)
  })

  it('a server that is not there is unavailable', async () => {
    await server.close()
    expect(await fail(ask())).toMatchObject({
      kind: 'unavailable',
      message: expect.stringContaining('ECONNREFUSED'),
    })
    server = new OpenAiTestServer({ apiKey, writeAsModel, transcribe: transcribeWords })
    await server.start()
  })

  it('a server that does not answer in time is asked twice', async () => {
    const hasty = openClient({ timeoutMs: 80 })
    server.mischief.push({ kind: 'hang' }, { kind: 'hang' }, { kind: 'hang' })
    expect(await fail(ask(hasty))).toMatchObject({ kind: 'timeout', isTransient: true })
    expect(server.callCount).toBe(2)
    await waitUntil(async () => server.abandonedCount === 2, 'both calls are given up')
    await hasty.close()
  })

  it('an answer of 10 MB is not read to its end', async () => {
    server.mischief.push({
      kind: 'raw',
      contentType: 'application/json',
      body: JSON.stringify('a'.repeat(10_000_000)),
    })
    expect(await fail(ask())).toMatchObject({ kind: 'malformed', isTransient: false })
    expect(server.callCount).toBe(1)
  })

  it('an error of 10 MB is told by its status', async () => {
    const body = { error: { code: 'server_error', message: 'a'.repeat(10_000_000) } }
    server.mischief.push({ kind: 'status', status: 400, body })
    expect((await fail(ask())).message).toBe('the writer server answered 400')
  })

  for (const body of ['', '<html>Bad gateway</html>', `{"text": "${words}`, 'null garbage']) {
    it(`an answer that is no JSON is malformed: ${JSON.stringify(body.slice(0, 10))}`, async () => {
      server.mischief.push({ kind: 'raw', contentType: 'application/json', body })
      expect(await fail(ask())).toMatchObject({ kind: 'malformed' })
    })
  }

  it('ends at once with the reason when it is aborted: in the call, between two tries, in the queue', async () => {
    const hang: Mischief = { kind: 'hang' }
    server.mischief.push(hang, hang)
    const abort = new AbortController()
    const calls = [1, 2, 3].map(() => ask(client, abort.signal))
    await waitUntil(async () => server.callCount === 2, 'two calls hang, one waits')
    abort.abort(new Error('enough'))
    for (const call of calls) await expect(call).rejects.toThrow('enough')

    server.mischief.push({ kind: 'status', status: 503, headers: { 'retry-after': '20' } })
    const second = new AbortController()
    const waiting = ask(client, second.signal)
    await waitUntil(async () => server.callCount === 3, 'the first try is over')
    second.abort(new Error('no more'))
    await expect(waiting).rejects.toThrow('no more')
    expect(await ask()).toHaveProperty('choices')
  })

  it('no more calls are open at a time than allowed, and a failed one gives its place back', async () => {
    let open = (): void => undefined
    server.gate = new Promise((resolve) => (open = resolve))
    for (let count = 0; count < 4; count += 1) server.mischief.push({ kind: 'status', status: 400 })
    const calls = Promise.allSettled(Array.from({ length: 20 }, () => ask()))
    await waitUntil(async () => server.openCount === 2, 'two calls are open')
    open()
    const outcomes = await calls
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(16)
    expect(server.openCountMost).toBe(2)
  })
})

describe('a streamed call', () => {
  const stream = async (one = client): Promise<unknown[]> => {
    const events: unknown[] = []
    for await (const event of one.stream(
      '/chat/completions',
      jsonBody({ ...request, stream: true }),
      never,
    )) {
      events.push(event)
    }
    return events
  }

  it('gives each event, and the JSON of a server that does not stream', async () => {
    expect((await stream()).length).toBeGreaterThan(3)
    server.mischief.push({ kind: 'no-stream' })
    expect(await stream()).toEqual([expect.objectContaining({ object: 'chat.completion' })])
  })

  it('is tried again until its first byte, never after it', async () => {
    server.mischief.push({ kind: 'status', status: 503 }, { kind: 'reset', afterPieces: 2 })
    expect(await fail(stream())).toMatchObject({ kind: 'unavailable' })
    expect(server.callCount).toBe(2)
  })

  it('an error in the middle is a fault without its words', async () => {
    server.mischief.push({ kind: 'error-event', afterPieces: 2 })
    expect((await fail(stream())).message).toBe('the writer server broke off (server_error)')
  })

  it('an event that is no JSON is malformed', async () => {
    server.mischief.push({ kind: 'raw', contentType: 'text/event-stream', body: `data: {"a": ${words}\n\n` })
    expect(await fail(stream())).toMatchObject({ kind: 'malformed' })
  })

  it('a stream without end is cut at the size that is taken', async () => {
    const body = `: ${'x'.repeat(1_000)}\n\n`.repeat(10_000)
    server.mischief.push({ kind: 'raw', contentType: 'text/event-stream', body })
    expect(await fail(stream())).toMatchObject({ kind: 'malformed' })
  })

  it('lets owners take turns for the places, however many calls of one wait', async () => {
    const single = openClient({ concurrencyMax: 1 })
    const order: string[] = []
    const askFor = async (owner: string): Promise<void> => {
      await single.post('/chat/completions', jsonBody(request), never, owner)
      order.push(owner)
    }
    await Promise.all([...Array.from({ length: 6 }, () => askFor('many')), askFor('one'), askFor('other')])
    // One is at work and one has its turn when the others come.
    expect(order).toEqual(['many', 'many', 'one', 'other', 'many', 'many', 'many', 'many'])
    await single.close()
  })

  it('gives its place back when its reader stops early, and ends the call', async () => {
    const single = openClient({ concurrencyMax: 1 })
    for (let count = 0; count < 3; count += 1) {
      for await (const _ of single.stream('/chat/completions', jsonBody({ ...request, stream: true }), never))
        break
    }
    await ask(single)
    await single.close()
  })
})

describe('Retry-After', () => {
  const nowMs = Date.parse('2026-11-15T10:00:00Z')
  const cases: [Record<string, string>, number | null][] = [
    [{ 'retry-after': '7' }, 7_000],
    [{ 'retry-after': '0.5' }, 500],
    [{ 'retry-after': '-3' }, null],
    [{ 'retry-after-ms': '250', 'retry-after': '9' }, 250],
    [{ 'retry-after': 'Sun, 15 Nov 2026 10:00:12 GMT' }, 12_000],
    [{ 'retry-after': 'Sun, 15 Nov 2026 09:00:00 GMT' }, null],
    [{ 'retry-after': 'soon' }, null],
    [{}, null],
  ]
  for (const [headers, expected] of cases) {
    it(`${JSON.stringify(headers)} is ${expected} ms`, () => {
      expect(readRetryAfter(headers, nowMs)).toBe(expected)
    })
  }
})

describe('the base URL', () => {
  const cases = [
    ['http://gpu:8000', 'http://gpu:8000/v1'],
    ['http://gpu:8000/', 'http://gpu:8000/v1'],
    ['https://api.openai.com/v1/', 'https://api.openai.com/v1'],
    ['https://gate.example/openai/v1', 'https://gate.example/openai/v1'],
  ]
  for (const [given = '', expected] of cases) {
    it(`${given} means ${expected}`, () => {
      expect(toBaseUrl(given)).toBe(expected)
    })
  }
})
