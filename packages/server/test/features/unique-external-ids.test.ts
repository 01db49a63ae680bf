import { randomUUID } from 'node:crypto'
import type { Session } from '@casenote/contract'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setNothingTwice } from '../../src/features/partners/index.js'
import { failSession, type SessionFailure } from '../../src/features/sessions/index.js'
import { readConfig } from '../../src/kernel/config.js'
import { readTenantKeys } from '../../src/kernel/secrets/tenant-keys.js'
import { retryOne, type Retry } from '../../src/main/commands/retry-sessions.js'
import { waitUntil } from '../support/casenote-process.js'
import { asPipeline } from '../support/clinical-record.js'
import { isWaitingForLock, openSuperuser } from '../support/test-database.js'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'
import { signIn } from '../widget/widget-fixture.js'
import { makeCaller, refused, type Caller } from './people-fixture.js'

let service: TestService
let partner: TestPartner
let caller: Caller
/** Holds what a call waits for; who watches is another, for a transaction sees one state of the activity. */
let superuser: pg.Client
let watcher: pg.Client

beforeAll(async () => {
  service = await makeTestService()
  partner = await service.addPartner()
  caller = makeCaller(service, partner)
  await switchOn(partner)
  superuser = await openSuperuser(service.database)
  watcher = await openSuperuser(service.database)
})
afterAll(async () => {
  for (const client of [superuser, watcher]) await client.end()
  await service.close()
})

async function switchOn({ partnerId }: TestPartner, uniqueExternalIds = true): Promise<void> {
  await setNothingTwice(service.owner, { tenantId: partnerId }, { uniqueExternalIds })
  await service.watch.poll()
}

const fileUrl = 'https://recordings.example.com/a.mp3'
const sessions = (): string => `/clients/${partner.clientId}/sessions`

const createSession = async (sessionExternalId: string): Promise<Session> => {
  const { status, body } = await caller.post(sessions(), { fileUrl, sessionExternalId })
  expect(status).toBe(201)
  return body as Session
}

const lockName = (externalId: string): string => `external_id/${partner.partnerId}/session/${externalId}`

const retryAsOperator = (sessionId: string): Promise<Retry> =>
  retryOne(
    { owner: service.owner, masterKeys: service.masterKeys, config: readConfig({}) },
    { tenantId: partner.partnerId },
    sessionId,
  )

async function fail(sessionId: string, failure: SessionFailure = 'processing_failed'): Promise<void> {
  const tenant = { tenantId: partner.partnerId }
  const ring = await readTenantKeys(service.owner, service.masterKeys, tenant)
  await service.owner.write(tenant, (tx) => failSession(tx, asPipeline(ring), { sessionId, failure }))
}

describe('externalId', () => {
  it('409 that names the client who has it, on create and change; nothing is changed', async () => {
    const { id } = await caller.createClient({ externalId: 'c-1' })
    const other = await caller.createClient({ externalId: 'c-2', firstName: 'Before' })
    const taken = refused(409, `externalId is taken by client ${id}`)
    const payload = { lastName: 'Sample', dateOfBirth: '1990-01-31', externalId: 'c-1' }
    expect(await caller.post(`/clinicians/${partner.clinicianId}/clients`, payload)).toMatchObject(taken)
    const patch = { externalId: 'c-1', firstName: 'After' }
    expect(await caller.patch(`/clients/${other.id}`, patch)).toMatchObject(taken)
    expect(await caller.get(`/clients/${other.id}`)).toMatchObject({
      body: { externalId: 'c-2', firstName: 'Before' },
    })
  })

  it('one’s own is no conflict, none is free, and one that was given up can be taken', async () => {
    const first = await caller.createClient({ externalId: 'own' })
    for (const patch of [{ externalId: 'own' }, { firstName: 'Sam' }, { externalId: null }])
      expect((await caller.patch(`/clients/${first.id}`, patch)).status).toBe(200)
    expect((await caller.createClient({ externalId: 'own' })).externalId).toBe('own')
    await caller.createClient({ externalId: null })
    await caller.createClient()
  })

  it('409 that names the clinician who has it, on create and change', async () => {
    const { id } = await caller.createClinician({ externalId: 'd-1' })
    const other = await caller.createClinician({ externalId: 'd-2' })
    const taken = refused(409, `externalId is taken by clinician ${id}`)
    const payload = { firstName: 'A', lastName: 'B', email: 'a.b@example.com', externalId: 'd-1' }
    expect(await caller.post(`/clinics/${partner.clinicId}/clinicians`, payload)).toMatchObject(taken)
    expect(await caller.patch(`/clinicians/${other.id}`, { externalId: 'd-1' })).toMatchObject(taken)
    expect((await caller.patch(`/clinicians/${id}`, { externalId: 'd-1' })).status).toBe(200)
  })

  it('is apart for clients, clinicians and partners, and case counts', async () => {
    await caller.createClient({ externalId: 'apart' })
    await caller.createClient({ externalId: 'APART' })
    await caller.createClinician({ externalId: 'apart' })
    const other = await service.addPartner()
    await switchOn(other)
    expect((await makeCaller(service, other).createClient({ externalId: 'apart' })).externalId).toBe('apart')
  })

  it('of many at once over two processes one gets it, and the others its id', async () => {
    const peer = await service.makePeer()
    try {
      const payload = { lastName: 'Sample', dateOfBirth: '1990-01-31', externalId: randomUUID() }
      const answers = await Promise.all(
        Array.from({ length: 16 }, (_, index) =>
          (index % 2 === 0 ? service.api : peer.api).app.inject({
            method: 'POST',
            url: `/v2/clinicians/${partner.clinicianId}/clients`,
            headers: partner.headers,
            payload,
          }),
        ),
      )
      const made = answers.filter(({ statusCode }) => statusCode === 201)
      expect(made).toHaveLength(1)
      const id = made[0]?.json<{ id: string }>().id ?? ''
      for (const answer of answers.filter((one) => one !== made[0]))
        expect([answer.statusCode, answer.body]).toEqual([409, expect.stringContaining(`client ${id}`)])
    } finally {
      await peer.close()
    }
  })

  it('what exists twice stays, and can be changed otherwise', async () => {
    const other = await service.addPartner()
    const before = makeCaller(service, other)
    const [one, two] = [
      await before.createClient({ externalId: 'twice' }),
      await before.createClient({ externalId: 'twice' }),
    ]
    await switchOn(other)
    for (const { id } of [one, two])
      expect((await before.patch(`/clients/${id}`, { externalId: 'twice', firstName: 'X' })).status).toBe(200)
    const payload = { lastName: 'Sample', dateOfBirth: '1990-01-31', externalId: 'twice' }
    const third = await before.post(`/clinicians/${other.clinicianId}/clients`, payload)
    expect(third).toMatchObject(refused(409, `externalId is taken by client ${one.id}`))
    await switchOn(other, false)
    expect((await before.createClient({ externalId: 'twice' })).externalId).toBe('twice')
  })
})

describe('sessionExternalId', () => {
  it('409 that names the session that has it; a failed one does not count', async () => {
    const first = await createSession('visit-1')
    const again = await caller.post(sessions(), { fileUrl, sessionExternalId: 'visit-1' })
    expect(again).toMatchObject(refused(409, `sessionExternalId is taken by session ${first.sessionId}`))
    await fail(first.sessionId)
    await createSession('visit-1')
  })

  it('is kept by a retry, also asked for twice; not beside another session that has it', async () => {
    const failed = await createSession('visit-2')
    await fail(failed.sessionId)
    const retry = () => caller.post(`/sessions/${failed.sessionId}/retry`)
    const [first, second] = [await retry(), await retry()]
    expect(first).toMatchObject({
      status: 200,
      body: { sessionExternalId: 'visit-2', retryOf: failed.sessionId },
    })
    expect((second.body as Session).sessionId).toBe((first.body as Session).sessionId)

    const other = await createSession('visit-3')
    await fail(other.sessionId)
    const holder = await createSession('visit-3')
    expect(await caller.post(`/sessions/${other.sessionId}/retry`)).toMatchObject(
      refused(409, `sessionExternalId is taken by session ${holder.sessionId}`),
    )
  })

  it('keeps a clinician and the operator from trying a session again beside another that has it', async () => {
    const clinician = await signIn(service, partner)
    for (const way of ['try-again', 'write-anyway', 'operator'] as const) {
      const sessionExternalId = `visit ${way}`
      const failed = await createSession(sessionExternalId)
      await fail(failed.sessionId, way === 'write-anyway' ? 'audio_not_understood' : 'processing_failed')
      const holder = await createSession(sessionExternalId)
      const ask = async (): Promise<unknown> => {
        if (way === 'operator') return (await retryAsOperator(failed.sessionId)).reason
        const answer = await clinician.call('POST', `/sessions/${failed.sessionId}/${way}`)
        return [answer.statusCode, answer.json<{ error?: { message: string } }>().error?.message]
      }
      expect([way, await ask()]).toEqual([
        way,
        way === 'operator'
          ? `sessionExternalId is taken by session ${holder.sessionId}`
          : [409, 'The session cannot be tried again'],
      ])
      await fail(holder.sessionId)
      expect([way, await ask()]).toEqual([way, way === 'operator' ? null : [200, undefined]])
    }
  })

  it('is waited for by a retry only while it holds the client, as by a create: neither stops the other', async () => {
    const failed = await createSession('visit-5')
    await fail(failed.sessionId)
    await superuser.query('begin')
    await superuser.query('select from casenote.clients where client_id = $1 for update', [partner.clientId])
    const retry = caller.post(`/sessions/${failed.sessionId}/retry`)
    await waitUntil(() => isWaitingForLock(watcher, 'clients'), 'the retry waits for the client')
    const { rows } = await watcher.query<{ held: number }>(
      `select count(*)::int as held from pg_locks where locktype = 'advisory' and granted
         and database = (select oid from pg_database where datname = current_database())
         and (classid::bigint << 32 | objid::bigint) = hashtextextended($1, 0)`,
      [lockName('visit-5')],
    )
    await superuser.query('commit')
    expect(rows).toEqual([{ held: 0 }])
    expect((await retry).status).toBe(200)
  })

  it('is held by what a clinician records, so that who comes at the same time sees it', async () => {
    const clinician = await signIn(service, partner)
    await superuser.query('begin')
    await superuser.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [lockName('visit-6')])
    const recorded = clinician.call('POST', `/clients/${partner.clientId}/typed-sessions`, {
      recordingId: randomUUID(),
      text: 'The client slept better this week and will keep the diary.',
      sessionExternalId: 'visit-6',
    })
    try {
      await waitUntil(() => isWaitingForLock(watcher, 'external_id'), 'the session waits for its id', 10_000)
    } finally {
      await superuser.query('commit')
    }
    expect((await recorded).statusCode).toBe(201)
  })

  it('of what a clinician recorded is never refused, and counts', async () => {
    const clinician = await signIn(service, partner)
    const record = () =>
      clinician.call('POST', `/clients/${partner.clientId}/typed-sessions`, {
        recordingId: randomUUID(),
        text: 'The client slept better this week and will keep the diary.',
        sessionExternalId: 'visit-4',
      })
    const [one, two] = [await record(), await record()]
    expect([one.statusCode, two.statusCode]).toEqual([201, 201])
    expect((await caller.post(sessions(), { fileUrl, sessionExternalId: 'visit-4' })).status).toBe(409)
  })
})
