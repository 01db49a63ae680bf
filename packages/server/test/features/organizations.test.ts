import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Page } from '@casenote/contract'
import { provisionOrganization, provisionUnit } from '../../src/features/organizations/index.js'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'

let service: TestService
let partner: TestPartner

beforeAll(async () => {
  service = await makeTestService()
  partner = await service.addPartner()
  const tenant = { tenantId: partner.partnerId }
  await service.owner.write(tenant, async (tx) => {
    for (let index = 2; index <= 23; index += 1) await provisionOrganization(tx, `Organization ${index}`)
    for (let index = 2; index <= 20; index += 1) {
      await provisionUnit(tx, 'clinics', { organizationId: partner.organizationId, name: `Clinic ${index}` })
    }
  })
})
afterAll(() => service.close())

type Item = { id: string; name: string; organizationId?: string; createdAt: string }

const list = async (path: string): Promise<Page<Item>> =>
  (await service.ask(partner, 'GET', path)).json<Page<Item>>()

describe('pages (contract parts 2 and 8, ruling 2)', () => {
  it('ten to a page, oldest first, until currentPage equals totalPages', async () => {
    const names: string[] = []
    for (let page = 1; ; page += 1) {
      const { data, meta } = await list(`/organizations?page=${page}`)
      expect(meta).toEqual({ totalItems: 23, totalPages: 3, itemsPerPage: 10, currentPage: page })
      names.push(...data.map(({ name }) => name))
      if (meta.currentPage === meta.totalPages) break
    }
    expect(names).toEqual([
      'Organization',
      ...Array.from({ length: 22 }, (_, index) => `Organization ${index + 2}`),
    ])
  })

  it('an exact multiple of ten has no empty last page', async () => {
    expect((await list(`/organizations/${partner.organizationId}/clinics`)).meta).toMatchObject({
      totalItems: 20,
      totalPages: 2,
    })
  })

  it('a page above the last is empty and 200', async () => {
    const { data, meta } = await list('/organizations?page=9007199254740991')
    expect([data, meta.currentPage, meta.totalItems]).toEqual([[], 9007199254740991, 23])
  })

  it('an empty list has one page', async () => {
    const { data } = await list('/organizations?page=2')
    expect((await list(`/organizations/${data[0]?.id}/programs`)).meta).toEqual({
      totalItems: 0,
      totalPages: 1,
      itemsPerPage: 10,
      currentPage: 1,
    })
  })

  for (const [page, message] of [
    ['0', 'page must not be less than 1'],
    ['-1', 'page must not be less than 1'],
    ['1.5', 'page must be an integer number'],
    ['1e9', 'page must be an integer number'],
    ['x', 'page must be an integer number'],
    ['%201', 'page must be an integer number'],
    ['9007199254740993', 'page must not be greater than 9007199254740991'],
    ['1&page=2', 'page must be an integer number'],
  ]) {
    it(`400 ${message} for page=${page}`, async () => {
      const answer = await service.call({
        method: 'GET',
        url: `/v2/organizations?page=${page}`,
        headers: partner.headers,
      })
      expect(answer.statusCode).toBe(400)
      expect(answer.json()).toMatchObject({ error: { message: { message: [message] } } })
    })
  }

  it('an empty page is no page', async () => {
    expect((await list('/organizations?page=')).meta.currentPage).toBe(1)
  })
})

describe('shapes (ruling 6)', () => {
  it('organization, clinic and program', async () => {
    const read = async (path: string): Promise<unknown> => (await service.ask(partner, 'GET', path)).json()
    const createdAt = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/)
    const { organizationId } = partner
    expect(await read(`/organizations/${organizationId}`)).toEqual({
      id: organizationId,
      name: 'Organization',
      createdAt,
    })
    expect(await read(`/clinics/${partner.clinicId}`)).toEqual({
      id: partner.clinicId,
      name: 'Clinic',
      organizationId,
      createdAt,
    })
    expect(await read(`/programs/${partner.programId}`)).toEqual({
      id: partner.programId,
      name: 'Program',
      organizationId,
      createdAt,
    })
  })
})
