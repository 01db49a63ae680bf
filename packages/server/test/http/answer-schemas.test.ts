import { afterAll, beforeAll, expect, it } from 'vitest'
import { forSerializer, makeSerializer } from '../../src/http/answer-schema.js'
import { makeTestService, type TestService } from '../support/test-service.js'

let service: TestService
beforeAll(async () => {
  service = await makeTestService()
})
afterAll(() => service.close())

it('every answer of the Partner API can be written, though what writes it is compiled with the first one', () => {
  const { routes } = service.api.partnerApi
  const failed = routes.flatMap(({ operation, answer: { schema } }) => {
    if (schema === null) return []
    try {
      makeSerializer({ schema: forSerializer(schema) })({})
      return []
    } catch (error) {
      // An empty answer lacks what it must have: then there is a serializer that says so.
      return String(error).includes('is required') ? [] : [`${operation}: ${String(error)}`]
    }
  })
  expect(failed).toEqual([])
  expect(routes.length).toBeGreaterThan(80)
})
