import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { ERROR_CODES, errorHeadersOf, type ErrorCode } from '@casenote/contract'
import fc from 'fast-check'
import type { LightMyRequestResponse } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rotateKey, suspendPartner } from '../../src/features/partners/index.js'
import { writeErrorGuide } from '../../src/http/docs/write-error-guide.js'
import { GatewayRefusal } from '../../src/http/errors.js'
import { listen } from '../../src/http/listen.js'
import { makeHttpServer } from '../../src/http/server.js'
import { BlobStoreFault } from '../../src/kernel/blobs/index.js'
import { DatabaseAway } from '../../src/kernel/db/db-errors.js'
import { makeLog } from '../../src/kernel/log.js'
import { NotReady, Refusal } from '../../src/kernel/refuse.js'
import { get, invite, makeConsoleFixture, post } from '../console/console-fixture.js'
import { freePort } from '../support/casenote-process.js'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'

let service: TestService
let partner: TestPartner

beforeAll(async () => {
  service = await makeTestService()
  partner = await service.addPartner()
})
afterAll(() => service.close())

const told = ({ headers }: Pick<LightMyRequestResponse, 'headers'>) => [
  headers['casenote-error-code'],
  headers.link,
]
const tells = (code: ErrorCode) => [code, `</docs/errors#${code}>; rel="help"`]

/** One of the list; anything else is no code. */
const codeOf = ({ headers }: LightMyRequestResponse): ErrorCode => {
  const codes = Object.keys(ERROR_CODES) as ErrorCode[]
  return codes.find((code) => code === headers['casenote-error-code']) ?? ('no code' as ErrorCode)
}

const fill = (path: string): string => path.replaceAll(/\{\w+\}/g, () => randomUUID())

describe('every error names its code and where it is explained', () => {
  it('on every route of the Partner API: key, token, ownership', async () => {
    for (const { method, path, needsToken } of service.api.partnerApi.routes) {
      const url = `/v2${fill(path)}`
      const ask = async (headers: Record<string, string>) =>
        told(await service.call({ method, url, headers }))
      expect(await ask({})).toEqual(tells('invalid_api_key'))
      if (needsToken === false) continue
      expect(await ask({ 'x-api-key': partner.apiKey })).toEqual(tells('token_missing'))
      expect(await ask({ ...partner.headers, 'access-token': 'x' })).toEqual(tells('token_invalid'))
      if (path.includes('{')) expect(await ask(partner.headers)).toEqual(tells('not_found'))
    }
  })

  it('on every route of the widget that needs a clinician, and of the clients’ pages', async () => {
    for (const { method, path, operation } of service.api.widgetApi.routes) {
      const answer = await service.call({ method: method as 'GET', url: `/widget/v1${fill(path)}` })
      expect([operation, answer.statusCode >= 400]).toEqual([operation, true])
      expect([operation, ...told(answer)]).toEqual([operation, ...tells(codeOf(answer))])
    }
    for (const { method, path, operation } of service.api.pageApi.routes) {
      const answer = await service.call({ method, url: `/pages/v1${path}` })
      expect([operation, answer.statusCode >= 400]).toEqual([operation, true])
      expect([operation, ...told(answer)]).toEqual([operation, ...tells(codeOf(answer))])
    }
  })

  it('on every route of the console; on the admin port without the link, since the catalogue is not there', async () => {
    const fixture = await makeConsoleFixture()
    try {
      await invite(fixture, 'ana', (await fixture.service.addPartner()).partnerId)
      await invite(fixture, 'olga', null)
      for (const port of ['partner', 'operator'] as const) {
        const api = port === 'partner' ? fixture.service.api.consoleApi : fixture.admin.api
        for (const { method, path, operation, who } of api.routes) {
          const url = path.replaceAll(/:\w+/g, () => randomUUID())
          const answers =
            method === 'GET'
              ? [await get(fixture.apps[port], url)]
              : [
                  await post(fixture.apps[port], url, {}, { 'sec-fetch-site': 'cross-site' }),
                  await post(fixture.apps[port], url, { token: 1, name: 1, password: 1, code: 1 }),
                ]
          for (const answer of answers) {
            if (who === 'anyone' && answer.statusCode < 400) continue
            const [code, link] = tells(codeOf(answer))
            const expected = [
              operation,
              answer.statusCode >= 400,
              code,
              port === 'partner' ? link : undefined,
            ]
            expect([operation, answer.statusCode >= 400, ...told(answer)]).toEqual(expected)
          }
        }
        const nothing = await get(fixture.apps[port], '/nothing')
        const [code, link] = tells(port === 'partner' ? 'unknown_route' : 'not_found')
        expect(told(nothing)).toEqual([code, port === 'partner' ? link : undefined])
      }
    } finally {
      await fixture.close()
    }
  })

  it.each([
    ['GET', '/v2/nothing'],
    ['HEAD', '/v2/organizations'],
    ['OPTIONS', '/v2/organizations'],
    ['GET', '/v2/organizations/'],
    ['GET', '/v2/organizations/%zz'],
    ['GET', '/nothing'],
  ] as const)('%s %s is an unknown route', async (method, url) => {
    expect(told(await service.call({ method, url }))).toEqual(tells('unknown_route'))
  })

  it('bodies: too large, not JSON, of another type, wrong in a field', async () => {
    const patch = async (payload: string, type = 'application/json') =>
      told(
        await service.call({
          method: 'PATCH',
          url: `/v2/partners/${partner.partnerId}`,
          headers: { ...partner.headers, 'content-type': type },
          payload,
        }),
      )
    expect(await patch('x'.repeat(1_100_000))).toEqual(tells('body_too_large'))
    expect(await patch('{')).toEqual(tells('invalid_json'))
    expect(await patch('a=b', 'text/plain')).toEqual(tells('unsupported_media_type'))
    expect(await patch('{"callbackUrl":"x"}')).toEqual(tells('validation_failed'))
  })

  it('an artifact that is not there yet names a code under its 200, and one that is there does not', async () => {
    const read = async (path: string) => service.ask(partner, 'GET', path)
    const missing = await read(`/sessions/${partner.sessionId}/mdm`)
    expect([missing.statusCode, ...told(missing)]).toEqual([200, ...tells('not_ready')])
    expect(told(await read(`/sessions/${partner.sessionId}/transcript`))).toEqual([undefined, undefined])
  })
})

describe('a code tells no more than the body', () => {
  it('a key that was never issued, was replaced, or is of a suspended partner: one answer', async () => {
    const [replaced, suspended] = [await service.addPartner(), await service.addPartner()]
    await rotateKey(service.owner, { tenantId: replaced.partnerId })
    await suspendPartner(service.owner, { tenantId: suspended.partnerId })
    await service.watch.poll()
    const answers = []
    for (const apiKey of ['never', replaced.apiKey, suspended.apiKey]) {
      const headers = { 'x-api-key': apiKey, 'access-token': replaced.accessToken }
      const answer = await service.call({ method: 'GET', url: '/v2/partners', headers })
      const { 'x-request-id': _id, date: _date, ...same } = answer.headers
      answers.push({ status: answer.statusCode, body: answer.body, headers: same })
    }
    expect(answers[1]).toEqual(answers[0])
    expect(answers[2]).toEqual(answers[0])
  })

  it('an id that does not exist and one of another partner: one answer', async () => {
    const other = await service.addPartner()
    const ask = async (clientId: string) =>
      told(await service.call({ method: 'GET', url: `/v2/clients/${clientId}`, headers: partner.headers }))
    expect(await ask(other.clientId)).toEqual(await ask(randomUUID()))
  })
})

describe('whatever is thrown', () => {
  const app = makeHttpServer({ clock: { nowMs: () => 0 }, log: makeLog('silent', 'test') })
  let thrown: unknown
  app.get('/throw', async () => {
    throw thrown
  })
  afterAll(() => app.close())

  it.each<[string, unknown, ErrorCode]>([
    ['a fault', new Error('secret'), 'internal_error'],
    ['no error at all', 'secret', 'internal_error'],
    ['a database that is away', new DatabaseAway(new Error('secret')), 'service_unavailable'],
    ['a store that is away', new BlobStoreFault('secret', { cause: null }), 'service_unavailable'],
    ['the rate', new GatewayRefusal('rateExceeded'), 'rate_limited'],
    ['the day', new GatewayRefusal('quotaExceeded'), 'daily_quota_reached'],
    ['a failed session', new NotReady('x', { code: 'x', message: 'x', retryable: false }), 'session_failed'],
  ])('%s', async (_title, error, code) => {
    thrown = error
    const answer = await app.inject({ method: 'GET', url: '/throw' })
    expect(told(answer)).toEqual(tells(code))
    expect(answer.statusCode).toBe(ERROR_CODES[code].status)
    expect(answer.body + JSON.stringify(answer.headers)).not.toContain('secret')
  })

  it('has headers of one line and bounded length, whatever the texts of a refusal hold', () => {
    const codes = Object.keys(ERROR_CODES) as ErrorCode[]
    return fc.assert(
      fc.asyncProperty(fc.constantFrom(...codes), fc.string({ unit: 'binary' }), async (code, text) => {
        thrown = new Refusal(ERROR_CODES[code].status, code, text, text)
        const answer = await app.inject({ method: 'GET', url: '/throw' })
        expect(told(answer)).toEqual(tells(code))
        for (const value of Object.values(errorHeadersOf(code)))
          expect(value).toMatch(/^[\x21-\x7e ]{1,120}$/)
      }),
      { numRuns: 200 },
    )
  })
})

describe('what is no request is answered with a code, too', () => {
  const hosts = ['127.0.0.1', '::1']
  const raw = async (host: string, port: number, bytes: string): Promise<string | null> => {
    const socket = connect(port, host)
    let text = ''
    socket.setEncoding('utf8').on('data', (piece) => (text += piece))
    const failed = once(socket, 'error').then(() => null)
    socket.write(bytes)
    const closed = once(socket, 'close').then(() => text)
    // A machine without IPv6 fails to connect; what was answered before a reset counts as answered.
    const result = await Promise.race([closed, failed])
    return result ?? (text === '' ? null : text)
  }

  it.each<[string, string, number, ErrorCode]>([
    ['no HTTP', 'hello\r\n\r\n', 400, 'malformed_request'],
    [
      'headers that are too long',
      `GET / HTTP/1.1\r\nhost: x\r\nx: ${'a'.repeat(20_000)}\r\n\r\n`,
      431,
      'headers_too_large',
    ],
    ['no host', 'GET /v2/partners HTTP/1.1\r\nconnection: close\r\n\r\n', 400, 'malformed_request'],
    [
      'an expectation that nobody knows',
      'GET / HTTP/1.1\r\nhost: x\r\nexpect: tea\r\nconnection: close\r\n\r\n',
      417,
      'expectation_failed',
    ],
  ])('%s', async (_title, bytes, status, code) => {
    const app = makeHttpServer({ clock: { nowMs: () => 0 }, log: makeLog('silent', 'test') })
    const port = await freePort()
    const listening = await listen(app, { host: 'localhost', port })
    for (const host of hosts) {
      const answer = await raw(host, port, bytes)
      if (answer === null && host === '::1') continue
      expect(answer).toContain(`HTTP/1.1 ${status} `)
      expect(answer).toContain(`casenote-error-code: ${code}\r\n`)
      expect(answer).toMatch(/^x-request-id: [\da-f-]{36}\r$/m)
      expect(answer).toContain(`link: </docs/errors#${code}>; rel="help"\r\n`)
    }
    await listening.close()
  })
})

describe('the catalogue', () => {
  it('at /docs/errors has an anchor for every code, with what it means and what to do', async () => {
    const { body, headers } = await service.call({ method: 'GET', url: '/docs/errors' })
    expect(headers['content-type']).toContain('text/html')
    expect(body).not.toMatch(/(?:src|href)="(?:https?:)?\/\//)
    for (const code of Object.keys(ERROR_CODES)) expect(body.split(`id="${code}"`)).toHaveLength(2)
  })

  it('is what docs/errors.md says', () => {
    const guide = readFileSync(new URL('../../../../docs/errors.md', import.meta.url), 'utf8')
    expect(guide).toBe(writeErrorGuide())
  })

  it('has no code that nobody answers with', () => {
    const folder = join(import.meta.dirname, '../../src')
    const source = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => readFileSync(join(folder, file), 'utf8'))
      .join('\n')
    expect(Object.keys(ERROR_CODES).filter((code) => !source.includes(`'${code}'`))).toEqual([])
  })

  it('has plain codes with sentences', () => {
    for (const [code, { title, meaning, action }] of Object.entries(ERROR_CODES)) {
      expect(code).toMatch(/^[a-z]+(?:_[a-z]+)*$/)
      expect(title).not.toMatch(/\.$/)
      for (const text of [meaning, action]) expect(text).toMatch(/\.$/)
    }
  })
})
