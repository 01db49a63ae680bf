import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'
import { makeCaller, provisionMore, type Caller } from './people-fixture.js'

let service: TestService
let partner: TestPartner
let caller: Caller
let clinicianIds: string[]
let clinicIds: string[]

beforeAll(async () => {
  service = await makeTestService()
  partner = await service.addPartner()
  caller = makeCaller(service, partner)
  const more = await provisionMore(service, partner)
  clinicIds = [partner.clinicId, more.clinicId]
  clinicianIds = [partner.clinicianId]
  for (const clinicId of clinicIds) clinicianIds.push((await caller.createClinician({}, clinicId)).id)
})
afterAll(() => service.close())

const inSql = (text: string): Promise<Record<string, unknown>[]> =>
  service.owner.throughDoor({ text, values: [] })

/** Where the counters and the clients differ. */
const listDifferences = (): Promise<Record<string, unknown>[]> =>
  inSql(`
    select * from (
      select 'count' as kind, list_id::text || status as key, sum(clients)::int as n
      from casenote.client_counts group by 1, 2
      union all
      select 'bucket', clinic_id::text || bucket, sum(clients)::int from casenote.client_buckets group by 1, 2
    ) counted full join (
      select 'count' as kind, l.id::text || c.status as key, count(*)::int as n
      from casenote.clients c cross join lateral (values (c.clinic_id), (c.clinician_id)) l (id) group by 1, 2
      union all
      select 'bucket', clinic_id::text || seq / 2000, count(*)::int from casenote.clients group by 1, 2
    ) real using (kind, key)
    where coalesce(counted.n, 0) <> coalesce(real.n, 0)`)

describe('the counters', () => {
  it('equal what is there after any actions at once', async () => {
    const action = fc.tuple(
      fc.constantFrom('create', 'archive', 'unarchive', 'transfer', 'invite', 'change'),
      fc.nat(),
      fc.nat(2),
    )
    const ids: string[] = [partner.treatedClientId]
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 10, maxLength: 30 }), async (actions) => {
        const statuses = await Promise.all(
          actions.map(async ([kind, which, to]) => {
            const clinicianId = clinicianIds[to] ?? ''
            const path = `/clients/${ids[which % ids.length]}`
            if (kind === 'create') {
              const { id } = await caller.createClient({ email: 'a@example.com' }, clinicianId)
              ids.push(id)
              return 201
            }
            if (kind === 'change') return (await caller.patch(path, { firstName: 'x' })).status
            return (await caller.post(`${path}/${kind}`, kind === 'transfer' ? { clinicianId } : undefined))
              .status
          }),
        )
        expect(statuses.filter((status) => ![200, 201, 409].includes(status))).toEqual([])
        expect(await listDifferences()).toEqual([])
      }),
      { numRuns: 12 },
    )
    for (const clinicId of clinicIds) {
      const [real] = await inSql(
        `select count(*)::int as n from casenote.clients where clinic_id = '${clinicId}'`,
      )
      expect((await caller.list(`/clinics/${clinicId}/clients`)).meta.totalItems).toBe(real?.n)
    }
  })

  it('stay as they were when a transaction fails', async () => {
    const write = service.db.write({ tenantId: partner.partnerId }, async (tx) => {
      const text = "update casenote.clients set status = 'unknown', status_before_archive = null"
      await tx.run({ text, values: [] })
      throw new Error('on purpose')
    })
    await expect(write).rejects.toThrow('on purpose')
    expect(await listDifferences()).toEqual([])
  })
})

describe('deep pages', () => {
  it('start where they would by counting, with holes and across buckets', async () => {
    const path = `/clinics/${partner.clinicId}/clients`
    const text = `insert into casenote.clients
        (tenant_id, client_id, clinician_id, clinic_id, last_name, name_folded, date_of_birth)
      select '${partner.partnerId}', gen_random_uuid(), clinician_id, clinic_id, 'Deep', 'deep', '2000-01-01'
      from casenote.clinicians, generate_series(1, 7000)
      where clinician_id in ('${clinicianIds[0]}', '${clinicianIds[2]}')`
    await service.owner.throughDoor({ text, values: [] })
    // A third moves to the other clinic: both have holes now.
    await inSql(`update casenote.clients c set clinician_id = k.clinician_id, clinic_id = k.clinic_id
      from casenote.clinicians k
      where c.clinic_id = '${clinicIds[0]}' and c.seq % 3 = 0 and k.clinician_id = '${clinicianIds[2]}'`)
    expect(await listDifferences()).toEqual([])
    const expected = await inSql(
      `select client_id as id from casenote.clients where clinic_id = '${partner.clinicId}' order by seq`,
    )
    const last = Math.ceil(expected.length / 10)
    for (const page of [1, 200, 201, 202, 333, 400, last - 1, last, last + 1]) {
      const { data, meta } = await caller.list(`${path}?page=${page}`)
      expect([page, data.map(({ id }) => id)]).toEqual([
        page,
        expected.slice((page - 1) * 10, page * 10).map(({ id }) => id),
      ])
      expect(meta.totalItems).toBe(expected.length)
    }
  })
})
