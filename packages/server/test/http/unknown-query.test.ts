import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { wordUnknownQuery } from '../../src/http/unknown-query.js'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'

let service: TestService
let partner: TestPartner

beforeAll(async () => {
  service = await makeTestService()
  partner = await service.addPartner()
})
afterAll(() => service.close())

const ask = (path: string, headers: Record<string, string> = partner.headers) =>
  service.call({ method: 'GET', url: `/v2${path}`, headers })
const warningOf = async (path: string): Promise<unknown> => (await ask(path)).headers['casenote-warning']

it('names what is not known, never its value, and changes nothing else', async () => {
  const clients = `/clinics/${partner.clinicId}/clients`
  const [plain, mistyped] = [await ask(clients), await ask(`${clients}?lastname=Sample&page=1`)]
  expect(mistyped.headers['casenote-warning']).toBe('Unknown query parameter: lastname')
  expect(mistyped.body).toBe(plain.body)
  expect(plain.headers['casenote-warning']).toBeUndefined()
  expect(await warningOf(`${clients}?firstName=x&lastName=y&status=active`)).toBeUndefined()
})

it('also where the call is refused, and on routes that take no parameter', async () => {
  const refused = await ask('/organizations?page=0&limit=5')
  expect([refused.statusCode, refused.headers['casenote-warning']]).toEqual([
    400,
    'Unknown query parameter: limit',
  ])
  expect((await ask('/partners?verbose', {})).headers['casenote-warning']).toBe(
    'Unknown query parameter: verbose',
  )
  expect(await warningOf(`/clients/${partner.clientId}?expand=all`)).toBe('Unknown query parameter: expand')
})

it('five names at most, cut, and nothing that could end a header', async () => {
  expect(await warningOf('/partners?a&b&c&d&e&f')).toBe('Unknown query parameter: a, b, c, d, e')
  expect(await warningOf(`/partners?${'n'.repeat(500)}`)).toBe(`Unknown query parameter: ${'n'.repeat(64)}`)
  expect(await warningOf('/partners?a%0D%0ASet-Cookie:%20x%2C%20y')).toBe(
    'Unknown query parameter: a??Set-Cookie:?x??y',
  )
  expect(await warningOf('/partners?=x')).toBe('Unknown query parameter: ?')
})

it('is one line of visible ASCII and bounded, for any names', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.string({ unit: 'binary', maxLength: 200 }), fc.string(), { maxKeys: 20 }),
      (query) => {
        const text = wordUnknownQuery(new Set(['page']), query)
        const unknown = Object.keys(query).filter((name) => name !== 'page')
        if (unknown.length === 0) {
          expect(text).toBeNull()
          return
        }
        expect(text).toMatch(/^Unknown query parameter: [\x21-\x7e]{1,64}(?:, [\x21-\x7e]{1,64}){0,4}$/)
        expect(text?.split(', ')).toHaveLength(Math.min(5, unknown.length))
      },
    ),
  )
})
