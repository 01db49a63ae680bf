import { randomUUID } from 'node:crypto'
import { CLIENT_STATUSES, pageOfTen, type Client } from '@casenote/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { splitWords } from '../../src/features/clients/client-filter.js'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'
import { findDelayMs, loopDelayMaxMs } from '../support/watch-loop.js'
import { invalid, makeCaller, type Caller } from './people-fixture.js'

let service: TestService
let partner: TestPartner
let caller: Caller
let ofClinic: string
let ofClinician: string
let joanna: Client
let archived: Client
let secondaryId: string

beforeAll(async () => {
  service = await makeTestService()
  partner = await service.addPartner()
  caller = makeCaller(service, partner)
  ofClinic = `/clinics/${partner.clinicId}/clients`
  joanna = await caller.createClient({
    firstName: 'Joanna',
    lastName: 'Smith',
    dateOfBirth: '1985-05-05',
    email: 'Jo@example.com',
    phoneNumber: '+1 202 555 0100',
    externalId: 'ext&1',
  })
  await caller.createClient({ firstName: '100%', lastName: 'Under_score\\', dateOfBirth: '1985-05-05' })
  archived = await caller.createClient({ firstName: 'ÉLISE', lastName: 'Ng', externalId: 'ext&1' })
  await caller.post(`/clients/${archived.id}/archive`)
  const other = await caller.createClinician()
  secondaryId = other.id
  await caller.post(`/clients/${joanna.id}/secondary-clinicians`, { clinicianIds: [secondaryId] })
  await caller.createClient({ firstName: 'Not', lastName: 'Joannas' }, secondaryId)
  ofClinician = `/clinicians/${secondaryId}/clients`
})
afterAll(() => service.close())

const find = async (path: string, query: Record<string, string>): Promise<string[]> => {
  const { data, meta } = await caller.list(`${path}?${new URLSearchParams(query).toString()}`)
  expect(meta.totalItems).toBe(data.length)
  return data.map(({ firstName, lastName }) => `${firstName} ${lastName}`)
}

describe('filters of clients', () => {
  it.each([
    [{ externalId: 'ext&1' }, ['Joanna Smith', 'ÉLISE Ng']],
    [{ externalId: 'ext&1', status: 'archived' }, ['ÉLISE Ng']],
    [{ firstName: 'Joanna' }, ['Joanna Smith']],
    [{ firstName: 'joanna' }, []],
    [{ firstName: 'Joann%' }, []],
    [{ lastName: 'Smith', firstName: 'Joanna', email: 'Jo@example.com' }, ['Joanna Smith']],
    [{ lastName: 'Smith', firstName: 'Else' }, []],
    [{ email: 'jo@example.com' }, []],
    [{ phoneNumber: '+1 202 555 0100' }, ['Joanna Smith']],
    [{ phoneNumber: ' 1 202 555 0100' }, ['Joanna Smith']],
    [{ phoneNumber: '1 202 555 0100' }, []],
    [{ dateOfBirth: '1985-05-05' }, ['Joanna Smith', '100% Under_score\\']],
    [{ dateOfBirth: '1700-01-01' }, []],
    [{ dateOfBirth: '1985-05-05', name: 'under' }, ['100% Under_score\\']],
    [{ status: 'declined' }, []],
    [{ name: 'ann smi' }, ['Joanna Smith']],
    [{ name: 'SMI ANN' }, ['Joanna Smith']],
    [{ name: 'joanna' }, ['Joanna Smith', 'Not Joannas']],
    [{ name: 'joanna joan ann' }, ['Joanna Smith', 'Not Joannas']],
    [{ name: 'joanna', status: 'archived' }, []],
    [{ name: 'élise' }, ['ÉLISE Ng']],
    [{ name: 'g' }, ['ÉLISE Ng']],
    [{ name: '%' }, ['100% Under_score\\']],
    [{ name: '0% r_s' }, ['100% Under_score\\']],
    [{ name: '\\' }, ['100% Under_score\\']],
    [{ name: 'j%a' }, []],
    [{ name: "'; drop table casenote.clients; --" }, []],
    [{ name: 'nobody-has-this' }, []],
    [{ name: 'j o a n s m i t h na ann ith smi oan' }, ['Joanna Smith']],
    [{ name: 'x\u0000' }, []],
    [{ firstName: 'Joanna\u0000' }, []],
    [{ clinicianId: 'x' }, []],
    [{ clinicianId: randomUUID() }, []],
  ])('%j', async (query, names) => {
    expect(await find(ofClinic, query as Record<string, string>)).toEqual(names)
  })

  it('a clinician treats as primary or as secondary, in the list and in the filter', async () => {
    const both = ['Joanna Smith', 'Not Joannas']
    expect(await find(ofClinician, {})).toEqual(both)
    expect(await find(ofClinic, { clinicianId: secondaryId })).toEqual(both)
    expect(await find(ofClinic, { clinicianId: secondaryId, lastName: 'Smith' })).toEqual(['Joanna Smith'])
    for (const [path, query] of [
      [ofClinician, {}],
      [ofClinic, { clinicianId: secondaryId }],
    ] as const) {
      expect(await find(path, { ...query, name: 'joanna' })).toEqual(both)
      expect(await find(path, { ...query, name: 'smith' })).toEqual(['Joanna Smith'])
      expect(await find(path, { ...query, status: 'awaiting_invite' })).toEqual(both)
      expect(await find(path, { ...query, status: 'archived' })).toEqual([])
    }
    // Ignored where the path names one.
    expect(await find(ofClinician, { clinicianId: partner.clinicianId })).toEqual(both)
  })

  it('an empty value is no filter, and unknown parameters change nothing', async () => {
    const all = await find(ofClinic, {})
    expect(all).toHaveLength(5)
    const empty = {
      externalId: '',
      firstName: '',
      lastName: '',
      name: '',
      email: '',
      phoneNumber: '',
      dateOfBirth: '',
      status: '',
      clinicianId: '',
      page: '',
      limit: '1',
    }
    expect(await find(ofClinic, empty)).toEqual(all)
    expect(await find(ofClinic, { name: '  ' })).toEqual(all)
  })

  it('a filter given twice matches nothing', async () => {
    const { data } = await caller.list(`${ofClinic}?firstName=Joanna&firstName=Joanna`)
    expect(data).toEqual([])
  })

  it('400 only for page, status and dateOfBirth', async () => {
    for (const path of [ofClinic, ofClinician]) {
      expect(await caller.get(`${path}?page=0&status=gone&dateOfBirth=1985-02-30`)).toMatchObject(
        invalid(
          'page must not be less than 1',
          'dateOfBirth must be a valid ISO 8601 date string',
          `status must be one of the following values: ${CLIENT_STATUSES.join(', ')}`,
        ),
      )
    }
  })

  it('a page above the last is empty and still tells the total', async () => {
    for (const query of ['', 'name=o&', 'dateOfBirth=1985-05-05&', 'status=archived&']) {
      const first = await caller.list(`${ofClinic}?${query}`)
      const { data, meta } = await caller.list(`${ofClinic}?${query}page=9007199254740991`)
      expect([data, meta]).toEqual([[], { ...first.meta, currentPage: 9_007_199_254_740_991 }])
    }
  })

  it("another tenant's clients are in no list and no search", async () => {
    const other = await service.addPartner()
    const theirs = makeCaller(service, other)
    expect((await theirs.list(`/clinics/${other.clinicId}/clients?name=joanna`)).data).toEqual([])
    const rows = await service.db.read(
      { tenantId: other.partnerId },
      {
        text: `select * from casenote.search_clients($1, null, '{%joanna%}', '{}', '{}', 0, 10)`,
        values: [partner.clinicId],
      },
    )
    expect(rows).toEqual([{ total: 0, client_ids: [] }])
    const [none] = await service.db.throughDoor<{ total: number }>({
      text: `select * from casenote.search_clients($1, null, '{%joanna%}', '{}', '{}', 0, 10)`,
      values: [partner.clinicId],
    })
    expect(none?.total).toBe(0)
  })
})

it('words that other words contain are not searched for', () => {
  expect(splitWords('  Ann JOANN smi ann s ')).toEqual(['joann', 'smi'])
  expect(splitWords(' \t ')).toEqual([])
  expect(splitWords('ﬁne Ω')).toEqual(['fine', 'ω'])
})

it('a name of thousands of words is answered rightly and leaves the loop to the others', async () => {
  const other = Array.from({ length: 3_600 }, (_, number) => number.toString(36).padStart(3, '0'))
  const ask = (words: readonly string[]) => caller.list(`${ofClinic}?name=${words.join('+')}`)
  const delayMs = await findDelayMs(loopDelayMaxMs, async () => {
    expect((await ask([...other, 'smith'])).data).toEqual([])
  })
  expect(delayMs).toBeLessThan(loopDelayMaxMs)
  // None within another, and more than an index is asked for.
  const parts = ['jo', 'oa', 'an', 'nn', 'na', 'sm', 'mi', 'it', 'th']
  expect((await ask(parts)).data.map(({ id }) => id)).toContain(joanna.id)
  expect((await ask([...parts, 'xq'])).data).toEqual([])
})

describe('pages', () => {
  it('are stable while clients are created: each seen once, the new ones last', async () => {
    const busy = await service.addPartner()
    const theirs = makeCaller(service, busy)
    const path = `/clinics/${busy.clinicId}/clients`
    const before: string[] = [busy.clientId]
    for (let index = 0; index < 24; index += 1) before.push((await theirs.createClient()).id)
    const seen: string[] = []
    const created: string[] = []
    for (let page = 1; ; page += 1) {
      const { data, meta } = await theirs.list(`${path}?page=${page}`)
      expect(data.length).toBeLessThanOrEqual(10)
      seen.push(...data.map(({ id }) => id))
      if (created.length < 20) {
        const more = await Promise.all(Array.from({ length: 5 }, () => theirs.createClient()))
        created.push(...more.map(({ id }) => id))
      }
      if (meta.currentPage >= meta.totalPages) break
    }
    expect(seen.slice(0, 25)).toEqual(before)
    expect(new Set(seen).size).toBe(seen.length)
    const { meta } = await theirs.list(path)
    expect(meta.totalItems).toBe(before.length + created.length)
  })

  it('a search that takes too long is refused by the name of its field', async () => {
    const slow = {
      read: () => service.db.read({ tenantId: partner.partnerId }, ...slowly),
    }
    const slowly = [
      { text: "select set_config('statement_timeout', '50', true)", values: [] },
      { text: 'select pg_sleep(5)', values: [] },
    ]
    const { listClients } = await import('../../src/features/clients/list-clients.js')
    const refusal = listClients(
      slow as unknown as Parameters<typeof listClients>[0],
      { tenantId: partner.partnerId },
      { clinicId: partner.clinicId },
      { name: 'a', page: pageOfTen() },
    )
    await expect(refusal).rejects.toMatchObject({
      statusCode: 400,
      fields: ['name must be more specific: this search takes too long'],
    })
  })
})
