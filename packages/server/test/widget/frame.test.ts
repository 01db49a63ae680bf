import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setOrigins } from '../../src/features/partners/index.js'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'
import { signIn } from './widget-fixture.js'

let service: TestService
let sandbox: TestPartner
let production: TestPartner

beforeAll(async () => {
  service = await makeTestService()
  sandbox = await service.addPartner('sandbox')
  production = await service.addPartner('production')
})
afterAll(() => service.close())

const frame = (query = '') => service.call({ method: 'GET', url: `/widget/v1/frame${query}` })
const ancestorsOf = async (query: string): Promise<string | undefined> =>
  /frame-ancestors (.*)$/.exec(String((await frame(query)).headers['content-security-policy']))?.[1]

const allow = (partner: TestPartner, origins: string[]) =>
  setOrigins(service.owner, { tenantId: partner.partnerId }, origins)

describe('the frame', () => {
  it('may be embedded by the allowed origins: any for a sandbox, none for production, else those that were set', async () => {
    expect(await ancestorsOf('')).toBe('*')
    expect(await ancestorsOf(`?partner=${sandbox.partnerId}`)).toBe('*')
    expect(await ancestorsOf(`?partner=${production.partnerId}`)).toBe("'none'")
    await allow(production, ['https://ehr.example', 'https://ehr.example:8443'])
    expect(await ancestorsOf(`?partner=${production.partnerId}`)).toBe(
      'https://ehr.example https://ehr.example:8443',
    )
    for (const odd of [
      'x',
      '',
      `${production.partnerId}%20;script-src%20*`,
      '00000000-0000-4000-8000-000000000000',
    ])
      expect(await ancestorsOf(`?partner=${odd}`)).toBe("'none'")
    expect(await ancestorsOf(`?partner=${production.partnerId}&partner=x`)).toBe("'none'")
  })

  it('allows nothing inline, no other host and no string that becomes script', async () => {
    const { headers, body } = await frame()
    const policy = String(headers['content-security-policy'])
    for (const directive of [
      "default-src 'none'",
      "script-src 'self'",
      "connect-src 'self'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ])
      expect(policy.split('; ')).toContain(directive)
    expect(policy).not.toMatch(/unsafe|https?:/)
    expect(headers).toMatchObject({
      'cross-origin-resource-policy': 'cross-origin',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    })
    expect(headers['x-frame-options']).toBeUndefined()
    expect(headers['access-control-allow-origin']).toBeUndefined()
    expect(body).not.toMatch(/<script(?![^>]*src=)|style=|\son\w+=/)
  })

  it('asks for all of its first screen at once, by names that change with their content; the loader is one that does not', async () => {
    const { body } = await frame()
    const urls = [...body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url]) => url ?? '')
    const assets = await Promise.all(urls.map((url) => service.call({ method: 'GET', url })))
    expect(
      assets.map(({ statusCode, headers }) => [
        statusCode,
        headers['content-type'],
        headers['cache-control'],
      ]),
    ).toEqual(
      [
        'text/css; charset=utf-8',
        'text/javascript; charset=utf-8',
        'application/json',
        'text/javascript; charset=utf-8',
      ].map((type) => [200, type, 'public, max-age=31536000, immutable']),
    )
    expect(assets[2]?.json()).toMatchObject({ locale: 'en' })
    const loader = await service.call({ method: 'GET', url: '/widget/v1/widget.js?partner=x&global=Notes' })
    expect([loader.statusCode, loader.headers['content-type']]).toEqual([
      200,
      'text/javascript; charset=utf-8',
    ])
    expect(loader.headers['cross-origin-resource-policy']).toBe('cross-origin')
    const again = await service.call({
      method: 'GET',
      url: '/widget/v1/widget.js',
      headers: { 'if-none-match': String(loader.headers.etag) },
    })
    expect(again.statusCode).toBe(304)
  })
})

describe('the language of the frame', () => {
  const languageOf = async (query: string, acceptLanguage?: string) => {
    const headers = acceptLanguage === undefined ? {} : { 'accept-language': acceptLanguage }
    const { body } = await service.call({ method: 'GET', url: `/widget/v1/frame${query}`, headers })
    const packs = [...body.matchAll(/href="([^"]+\.json)"/g)].map(([, url]) => url ?? '')
    const texts = await service.call({ method: 'GET', url: packs[0] ?? '' })
    const { locale } = texts.json<{ locale: string }>()
    return [/<html lang="(\w+)">/.exec(body)?.[1], locale, packs.length]
  }

  it('is what the page set, else what the browser asks for, else English; the words of one language are loaded', async () => {
    const mexican = 'es-MX,es;q=0.9,en-US;q=0.8'
    expect(await languageOf('')).toEqual(['en', 'en', 1])
    expect(await languageOf('', mexican)).toEqual(['es', 'es', 1])
    expect(await languageOf('', 'fr-FR,fr;q=0.9,es;q=0.5')).toEqual(['es', 'es', 1])
    expect(await languageOf('?language=en', mexican)).toEqual(['en', 'en', 1])
    expect(await languageOf('?language=es-US', 'en-US')).toEqual(['es', 'es', 1])
    for (const odd of ['fr', '', 'constructor', '"><script>', 'es&language=en'])
      expect(await languageOf(`?language=${odd}`, mexican)).toEqual(['es', 'es', 1])
  })
})

describe('the page that embeds it', () => {
  it('is checked when a clinician signs in', async () => {
    await allow(production, ['https://ehr.example'])
    const clinician = await signIn(service, production)
    const ask = async (origin: string): Promise<number> =>
      (await clinician.call('GET', `/clinician${origin}`)).statusCode
    expect(await ask('?origin=https://ehr.example')).toBe(200)
    for (const origin of [
      '?origin=https://evil.example',
      '?origin=https://ehr.example.evil.example',
      '?origin=null',
      '',
    ])
      expect(await ask(origin)).toBe(403)
    const anywhere = await signIn(service, sandbox)
    expect((await anywhere.call('GET', '/clinician?origin=https://anywhere.example')).statusCode).toBe(200)
  })
})
