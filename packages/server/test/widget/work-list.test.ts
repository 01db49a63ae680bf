import type { WidgetWork } from '@casenote/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { failSession } from '../../src/features/sessions/index.js'
import { asPipeline } from '../support/clinical-record.js'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'
import { addColleague, openRecording, signIn, type SignedIn } from './widget-fixture.js'
import { makeWrittenSession } from './written-session.js'

let service: TestService
let partner: TestPartner
let clinician: SignedIn
let seeded: string[]
let sessions: Record<'ready' | 'underway' | 'failed' | 'signed' | 'discarded' | 'old', string>

const list = async (query = '', by = clinician): Promise<WidgetWork> =>
  (await by.call('GET', `/sessions${query}`)).json<WidgetWork>()

/** Without what the partner came with. */
const idsOf = ({ data }: WidgetWork): string[] =>
  data.map(({ sessionId }) => sessionId).filter((sessionId) => !seeded.includes(sessionId))

async function fail(sessionId: string): Promise<string> {
  const tenant = { tenantId: partner.partnerId }
  const context = asPipeline(await service.keys.get(tenant))
  await service.db.write(tenant, (tx) => failSession(tx, context, { sessionId, failure: 'audio_missing' }))
  return sessionId
}

beforeAll(async () => {
  service = await makeTestService()
  partner = await service.addPartner()
  clinician = await signIn(service, partner)
  seeded = (await list()).data.map(({ sessionId }) => sessionId)
  const open = async (): Promise<string> => (await openRecording(clinician, partner.clientId)).sessionId
  const old = await fail(await open())
  const discarded = await open()
  await clinician.call('POST', `/sessions/${discarded}/discard`)
  const signed = await makeWrittenSession(service, partner, clinician)
  await clinician.call('POST', `/sessions/${signed}/progress-note/finalize`, { openDangerReason: null })
  const failed = await fail(await open())
  const ready = await makeWrittenSession(service, partner, clinician)
  sessions = { ready, failed, signed, discarded, old, underway: await open() }
  await service.owner.write({ tenantId: partner.partnerId }, (tx) =>
    tx.run({
      text: `update casenote.sessions set created_at = now() - interval '31 days'
        where tenant_id = $1 and session_id = $2`,
      values: [partner.partnerId, old],
    }),
  )
})
afterAll(() => service.close())

describe('the work of a clinician', () => {
  it('is listed by how far it is, newest first, with what each state counts', async () => {
    const { ready, failed, signed, underway, old } = sessions
    const all = await list()
    expect(all.counts).toEqual({ ready: 1, underway: 1 + seeded.length, failed: 1 })
    expect(idsOf(all)).toEqual([underway, ready, failed, signed, old])
    expect(idsOf(await list('?state=unsigned'))).toEqual([underway, ready, failed])
    expect(idsOf(await list('?state=ready'))).toEqual([ready])
    expect(idsOf(await list('?state=underway'))).toEqual([underway])
    expect(idsOf(await list('?state=signed'))).toEqual([signed])
    const troubled = await list('?state=failed')
    expect(troubled.data).toMatchObject([{ sessionId: failed, failure: 'No recording was received' }])
    expect(troubled.meta).toMatchObject({ totalItems: 1, totalPages: 1 })
  })

  it('of long ago that was struck and could not be written again is there until somebody comes back to it', async () => {
    const struck = await makeWrittenSession(service, partner, clinician)
    const empty = (updated: string) =>
      service.owner.write({ tenantId: partner.partnerId }, async (tx) => {
        await tx.run({
          text: `update casenote.sessions set created_at = now() - interval '40 days' where tenant_id = $1 and session_id = $2`,
          values: [partner.partnerId, struck],
        })
        await tx.run({
          text: `update casenote.progress_notes set status = 'failed', versions_gone = greatest(version, versions_gone), version = 0,
              updated_at = now() - interval '${updated}' where tenant_id = $1 and session_id = $2`,
          values: [partner.partnerId, struck],
        })
      })
    await empty('1 day')
    expect(idsOf(await list('?state=failed'))).toContain(struck)
    expect(idsOf(await list('?state=unsigned'))).toContain(struck)
    await empty('31 days')
    expect(idsOf(await list('?state=failed'))).not.toContain(struck)
    await clinician.call('POST', `/sessions/${struck}/discard`)
  })

  it('is found by a part of the name, whatever its case, and by no pattern', async () => {
    const { ready } = sessions
    const { firstName, lastName } = (await list()).data[0]?.client ?? { firstName: '', lastName: '' }
    const part = encodeURIComponent(`${lastName.slice(1).toUpperCase()} ${(firstName ?? '').slice(0, 2)}`)
    expect(idsOf(await list(`?state=ready&name=${part}`))).toEqual([ready])
    for (const name of ['nobody', '%25', '_', '%5C']) expect(idsOf(await list(`?name=${name}`))).toEqual([])
    expect((await clinician.call('GET', '/sessions?state=mine')).statusCode).toBe(400)
    expect((await clinician.call('GET', `/sessions?name=${'x'.repeat(201)}`)).statusCode).toBe(400)
  })

  it('has not failed while its note is being written again', async () => {
    const sessionId = await makeWrittenSession(service, partner, clinician, {}, 'failed')
    expect(idsOf(await list('?state=failed'))).toContain(sessionId)
    const again = await clinician.call('POST', `/sessions/${sessionId}/progress-note/regenerate`, {})
    expect(again.statusCode).toBeLessThan(300)
    expect(idsOf(await list('?state=failed'))).not.toContain(sessionId)
    expect(idsOf(await list('?state=underway'))).toContain(sessionId)
  })

  it('is nobody else’s', async () => {
    const { clinicianId } = await addColleague(service, partner)
    const other = await signIn(service, partner, clinicianId)
    expect(await list('', other)).toMatchObject({
      data: [],
      counts: { ready: 0, underway: 0, failed: 0 },
    })
  })
})
