import type { Page } from '@casenote/contract'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { provisionOrganization, provisionUnit } from '../../src/features/organizations/index.js'
import { isList } from '../../src/http/partner-api.js'
import { makeCaller } from '../features/people-fixture.js'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'

let service: TestService
let partner: TestPartner
let paths: string[]

beforeAll(async () => {
  service = await makeTestService()
  partner = await service.addPartner()
  const { organizationId, clinicId, clinicianId, clientId } = partner
  await service.owner.write({ tenantId: partner.partnerId }, async (tx) => {
    for (let index = 2; index <= 23; index += 1) {
      await provisionOrganization(tx, `Organization ${index}`)
      await provisionUnit(tx, 'clinics', { organizationId, name: `Clinic ${index}` })
      await provisionUnit(tx, 'programs', { organizationId, name: `Program ${index}` })
    }
  })
  const caller = makeCaller(service, partner)
  for (let index = 0; index < 21; index += 1) {
    await caller.createClient({ lastName: `Sample${index}` })
    const { id } = await caller.createClinician()
    await caller.post(`/clients/${clientId}/secondary-clinicians`, { clinicianIds: [id] })
    await caller.post('/webhook-endpoints', { url: `https://hooks.acme.org/${index}` })
    const fileUrl = `https://files.acme.org/${index}.mp3`
    await caller.post(`/clients/${clientId}/sessions`, { fileUrl })
  }
  paths = [
    '/organizations',
    `/organizations/${organizationId}/clinics`,
    `/organizations/${organizationId}/programs`,
    `/clinics/${clinicId}/clients`,
    `/clinics/${clinicId}/clients?name=sample`,
    `/clinics/${clinicId}/clients?clinicianId=${clinicianId}`,
    `/clinics/${clinicId}/clinicians`,
    `/clinics/${clinicId}/assessments`,
    `/clinicians/${clinicianId}/clients`,
    `/clients/${clientId}/secondary-clinicians`,
    `/clients/${clientId}/sessions`,
    `/clients/${clientId}/assessment-assignments`,
    '/webhook-endpoints',
  ]
})
afterAll(() => service.close())

type Items = Page<{ id: string }>

const ask = (path: string, size?: string) =>
  service.ask(partner, 'GET', path, undefined, size === undefined ? {} : { 'casenote-page-size': size })

/** As the contract says it is done: until `currentPage` equals `totalPages`. */
async function readAll(path: string, size?: number): Promise<string[]> {
  const ids: string[] = []
  for (let page = 1; ; page += 1) {
    const answer = await ask(`${path}${path.includes('?') ? '&' : '?'}page=${page}`, size?.toString())
    const { data, meta } = answer.json<Items>()
    expect(meta).toMatchObject({ itemsPerPage: size ?? 10, currentPage: page })
    expect(data.length).toBe(Math.min(meta.itemsPerPage, meta.totalItems - (page - 1) * meta.itemsPerPage))
    ids.push(...data.map(({ id }) => id))
    if (meta.currentPage === meta.totalPages) return ids
  }
}

describe('Casenote-Page-Size', () => {
  it('pages of any size give the same list', async () => {
    const whole = new Map<string, string[]>()
    for (const path of paths) whole.set(path, await readAll(path))
    expect([...whole.values()].filter((ids) => ids.length > 20).length).toBeGreaterThanOrEqual(9)
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 100 }),
        fc.nat({ max: paths.length - 1 }),
        async (size, index) => {
          const path = paths[index] as string
          expect(await readAll(path, size)).toEqual(whole.get(path))
        },
      ),
      { numRuns: 40, examples: paths.map((_path, index) => [[1, 100, 7][index % 3] as number, index]) },
    )
  })

  it('ten without it, whatever a query parameter says', async () => {
    const { meta } = (await ask('/organizations?limit=50&pageSize=50&per_page=50')).json<Items>()
    expect(meta).toEqual({ totalItems: 23, totalPages: 3, itemsPerPage: 10, currentPage: 1 })
  })

  it.each(['0', '101', '-1', '1.5', '1e1', '010', ' ', 'ten', '10, 20', '١', '99999999999'])(
    '400 for %j, on every list, naming the header',
    async (size) => {
      const answer = await ask('/organizations', size)
      expect(answer.statusCode).toBe(400)
      expect(answer.headers['casenote-error-code']).toBe('validation_failed')
      expect(answer.json()).toMatchObject({
        error: { message: { message: ['Casenote-Page-Size must be an integer number from 1 to 100'] } },
      })
    },
  )

  it('is told with every other problem of the request', async () => {
    const answer = await ask('/organizations?page=0', '0')
    expect(answer.json<{ error: { message: { message: string[] } } }>().error.message.message).toEqual([
      'page must not be less than 1',
      'Casenote-Page-Size must be an integer number from 1 to 100',
    ])
  })

  it('means nothing to a call that is no list', async () => {
    expect((await ask('/partners', 'x')).statusCode).toBe(200)
  })

  it('more than ten versions of a note are never in one answer', async () => {
    const path = `/progress-notes/${partner.progressNoteId}/versions`
    expect((await ask(path, '100')).json<Items>().meta.itemsPerPage).toBe(10)
    expect((await ask(path, '3')).json<Items>().meta.itemsPerPage).toBe(3)
  })

  it('a page above the last is empty, at any size', async () => {
    const { data, meta } = (await ask('/organizations?page=9007199254740991', '100')).json<Items>()
    expect([data, meta.totalItems, meta.totalPages]).toEqual([[], 23, 1])
  })

  it('is documented with every list and nowhere else', async () => {
    const { paths: described } = (await service.call({ method: 'GET', url: '/docs/openapi.json' })).json<{
      paths: Record<string, Record<string, { parameters?: { name: string }[] }>>
    }>()
    for (const route of service.api.partnerApi.routes) {
      const { parameters = [] } = described[route.path]?.[route.method.toLowerCase()] ?? {}
      expect(parameters.some(({ name }) => name === 'Casenote-Page-Size')).toBe(isList(route))
    }
  })
})
