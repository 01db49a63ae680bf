import { afterAll, beforeAll, expect, it } from 'vitest'
import { describePartnerApi } from '../../src/main/describe-api.js'
import { makeTestService, type TestService } from '../support/test-service.js'

let service: TestService

beforeAll(async () => {
  service = await makeTestService()
})
afterAll(() => service.close())

const get = (url: string) => service.call({ method: 'GET', url })

it('/docs shows every operation with its path, an example and its answers', async () => {
  const { body, headers, statusCode } = await get('/docs')
  expect(statusCode).toBe(200)
  expect(headers['content-type']).toContain('text/html')
  for (const route of service.api.partnerApi.routes) {
    expect(body).toContain(`id="${route.operation.replaceAll('.', '-')}"`)
    expect(body).toContain(`<code>${route.path}</code>`)
  }
})

it('/docs names no other host, runs no script and may not be framed', async () => {
  const { body, headers } = await get('/docs')
  expect(body).not.toMatch(/<script|(?:src|href)="(?:https?:)?\/\//)
  expect(headers['content-security-policy']).toContain("default-src 'none'")
  expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
  expect((await get('/docs/reference.css')).body).not.toMatch(/url\(|@import/)
})

it('/docs/openapi.json is the document of these routes', async () => {
  expect((await get('/docs/openapi.json')).json()).toEqual(describePartnerApi())
})

it('every operation has an example for its body and its answer', () => {
  const { paths } = describePartnerApi() as { paths: Record<string, Record<string, Record<string, unknown>>> }
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const { requestBody, responses } = operation as {
        requestBody?: { content: Record<string, { example: unknown }> }
        responses: Record<string, { content?: Record<string, { example?: unknown }> }>
      }
      if (requestBody)
        expect([path, method, requestBody.content['application/json']?.example]).not.toContain(undefined)
      const success = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1]
      if (success?.content) expect(success.content['application/json']?.example).toBeDefined()
    }
  }
})
