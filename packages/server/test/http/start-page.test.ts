import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeTestService, type TestService } from '../support/test-service.js'

let service: TestService

beforeAll(async () => {
  service = await makeTestService()
})
afterAll(() => service.close())

const open = (accept?: string, url = '/') =>
  service.call({ method: 'GET', url, headers: accept === undefined ? {} : { accept } })

describe('GET /', () => {
  it('leads on to what is there, from no other host and without script', async () => {
    const { statusCode, headers, body } = await open('text/html,application/xhtml+xml,*/*;q=0.8')
    expect(statusCode).toBe(200)
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
    expect(body).not.toMatch(/<script|(?:src|href)="(?:https?:)?\/\//)
    const links = [...body.matchAll(/href="(\/[^"]*)"/g)].map(([, path]) => path as string)
    expect(links).toEqual(
      expect.arrayContaining(['/docs', '/docs/errors', '/docs/openapi.json', '/health/ready']),
    )
    for (const path of links) expect([path, (await open(undefined, path)).statusCode]).toEqual([path, 200])
  })

  it('does not lead to a demo that is not there', async () => {
    expect((await open()).body).not.toContain('/demo')
    expect((await open('application/json')).json()).not.toHaveProperty('links.demo')
  })

  it('is JSON for who asks for that', async () => {
    const { headers, ...answer } = await open('application/json')
    expect(headers['content-type']).toContain('application/json')
    expect(headers.vary).toBe('accept')
    expect(answer.json()).toEqual({
      name: 'Casenote',
      api: '/v2',
      links: {
        docs: '/docs',
        errors: '/docs/errors',
        openapi: '/docs/openapi.json',
        health: '/health/ready',
      },
    })
    expect((await open('*/*')).headers['content-type']).toContain('text/html')
  })

  it('is a page to GET alone: any other method is an unknown route', async () => {
    for (const method of ['HEAD', 'POST', 'OPTIONS'] as const)
      expect((await service.call({ method, url: '/' })).statusCode).toBe(403)
  })
})
