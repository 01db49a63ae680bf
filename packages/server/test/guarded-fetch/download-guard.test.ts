import type { RequestListener } from 'node:http'
import { describe, expect, it } from 'vitest'
import { DOWNLOAD_FAILURES } from '../../src/kernel/guarded-fetch/download-outcomes.js'
import { makeGuardedAgent } from '../../src/kernel/guarded-fetch/guarded-agent.js'
import { cleanUps, failed, fetchFrom, file, hash, type Fetched } from './download-fixture.js'
import { forbiddenAnswers, forbiddenHosts, forbiddenUrls } from './forbidden-hosts.js'
import {
  publicAddress,
  readPem,
  resolveInTest,
  rulesWithPorts,
  startCanary,
  startTlsServer,
  watchAttempts,
  type Listener,
} from './guard-fixture.js'

describe('in production', () => {
  async function startPartner(listener: RequestListener, certificate = 'server') {
    const canary = await startCanary()
    const partner: Listener = await startTlsServer(listener, certificate)
    const rules = rulesWithPorts(partner.port, canary.port)
    const guard = {
      environment: 'production',
      resolve: resolveInTest,
      rules,
      ca: readPem('authority'),
    } as const
    const dispatcher = makeGuardedAgent(guard)
    cleanUps.push(
      () => canary.close(),
      () => partner.close(),
      () => dispatcher.destroy(),
    )
    const fetchAt = (url: string): Promise<Fetched> =>
      fetchFrom(url, { dispatcher, environment: 'production', rules })
    const forbidden = [
      ...Object.values(forbiddenHosts).flatMap(({ hosts }) =>
        hosts.map((host) => `https://${host}:${canary.port}/`),
      ),
      ...forbiddenUrls.map((url) => url.replace('PORT', String(canary.port))),
      ...Object.keys(forbiddenAnswers).map((name) => `https://${name}:${canary.port}/`),
    ]
    return { canary, fetchAt, forbidden, origin: `https://files.example.org:${partner.port}` }
  }

  it('a file comes over TLS, through up to three redirects to other public hosts', async () => {
    const { fetchAt, origin } = await startPartner((request, response) => {
      const step = Number(request.url?.slice(1))
      const next = `https://cdn${step}.example.org:${origin.split(':')[2]}/${step - 1}`
      if (step > 0) response.writeHead(302, { location: next }).end()
      else response.end(file)
    })
    expect(hash((await fetchAt(`${origin}/3`)).bytes)).toBe(hash(file))
    expect((await fetchAt(`${origin}/4`)).outcome).toEqual(failed('too_many_redirects'))
  })

  it.each(['expired', 'self-signed'])('a certificate that is %s is not retried', async (certificate) => {
    const { fetchAt, origin } = await startPartner((_request, response) => response.end(file), certificate)
    const { outcome, waits } = await fetchAt(`${origin}/`)
    expect([outcome, waits]).toEqual([failed('certificate_invalid'), []])
  })

  it('no target of the forbidden list is fetched, and nothing is connected to', async () => {
    const { canary, fetchAt, forbidden } = await startPartner((_request, response) => response.end(file))
    const attempts = watchAttempts()
    cleanUps.push(() => attempts.stop())
    for (const url of forbidden) {
      expect([url, (await fetchAt(url)).outcome]).toEqual([url, failed('target_refused')])
    }
    expect({ reached: canary.connections, tried: attempts.addresses }).toEqual({ reached: 0, tried: [] })
  })

  it.each([301, 302, 303, 307, 308])('none is reached by a redirect (%i) either', async (status) => {
    let target = ''
    const { canary, fetchAt, forbidden, origin } = await startPartner((_request, response) =>
      response.writeHead(status, { location: target }).end(),
    )
    const attempts = watchAttempts()
    cleanUps.push(() => attempts.stop())
    for (const url of forbidden) {
      // A header is ASCII: the parser undoes the escapes. What is no URL of its own leads back to the same server.
      target = url.replaceAll(/[\r\n]/g, '').replaceAll(/[^\0-\x7f]+/gu, encodeURIComponent)
      const { outcome } = await fetchAt(`${origin}/`)
      expect([url, outcome]).toEqual([
        url,
        expect.objectContaining({
          code: expect.stringMatching(/^(target_refused|unexpected_status|too_many_redirects)$/),
        }),
      ])
    }
    expect(canary.connections).toBe(0)
    expect(new Set(attempts.addresses)).toEqual(new Set([publicAddress]))
  })

  it('no sentence holds the URL, and every sentence ends', () => {
    for (const sentence of Object.values(DOWNLOAD_FAILURES)) {
      expect(sentence).toMatch(/^The file was not fetched: [^]+\.$/)
      expect(sentence).not.toMatch(/https?:\/\//)
    }
  })
})
