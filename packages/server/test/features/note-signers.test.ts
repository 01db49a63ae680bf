import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { ProgressNote } from '@casenote/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chainAudit } from '../../src/kernel/audit/index.js'
import { systemClock } from '../../src/kernel/clock.js'
import { makeNoteCalls, type NoteCalls } from '../support/note-calls.js'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'
import { signIn, type SignedIn } from '../widget/widget-fixture.js'

let service: TestService
let partner: TestPartner
let notes: NoteCalls
let clinician: SignedIn

beforeAll(async () => {
  service = await makeTestService()
  partner = await service.addPartner()
  notes = await makeNoteCalls(service, partner)
  clinician = await signIn(service, partner)
})
afterAll(() => service.close())

async function signAsPartner(): Promise<ProgressNote> {
  const { id } = await notes.written()
  return (await notes.call('POST', `/progress-notes/${id}/finalize`)).json<ProgressNote>()
}

async function signAsClinician(): Promise<ProgressNote> {
  const { sessionId } = await notes.written()
  return (await clinician.call('POST', `/sessions/${sessionId}/progress-note/finalize`)).json<ProgressNote>()
}

describe('who signed a note', () => {
  it('a partner that finalized it, with the moment', async () => {
    const signed = await signAsPartner()
    expect(signed.signedBy).toEqual({
      kind: 'partner',
      id: partner.partnerId,
      name: null,
      at: signed.finalizedAt,
    })
  })

  it('a clinician with their name, for the widget and the partner alike; finalizing again changes nothing', async () => {
    const signed = await signAsClinician()
    const signedBy = {
      kind: 'clinician',
      id: partner.clinicianId,
      name: 'Ada Example',
      at: signed.finalizedAt,
    }
    expect(signed.signedBy).toEqual(signedBy)
    const again = await notes.call('POST', `/progress-notes/${signed.id}/finalize`)
    expect(again.json<ProgressNote>().signedBy).toEqual(signedBy)
    expect((await notes.noteOf(signed.sessionId)).signedBy).toEqual(signedBy)
  })

  it('null until then, and the event tells no more than the contract', async () => {
    const { sessionId } = await notes.written()
    expect((await notes.noteOf(sessionId)).signedBy).toBeNull()
    await clinician.call('POST', `/sessions/${sessionId}/progress-note/finalize`)
    const event = (await notes.eventsOf(sessionId)).find(
      ({ eventType }) => eventType === 'progress_note_finalized',
    )
    expect(Object.keys(event?.payload ?? {}).toSorted()).toEqual([
      'clientId',
      'clinicId',
      'clinicianId',
      'organization',
      'organizationId',
      'progressNoteId',
      'progressNoteUrl',
      'sessionId',
    ])
  })

  it('of notes that were finalized before, the upgrade takes it from the audit log', async () => {
    const sealed = [await signAsPartner(), await signAsClinician()]
    const { db, keys } = service
    await chainAudit({ db, keys, clock: systemClock, writerId: randomUUID(), anchors: null })
    const all = [...sealed, await signAsClinician()]
    await service.owner.throughDoor({
      text: 'update casenote.progress_notes set signed_by_kind = null, signed_by_id = null',
      values: [],
    })
    const [one] = all as [ProgressNote]
    expect((await notes.noteOf(one.sessionId)).signedBy).toBeNull()
    const migration = await readFile(
      new URL('../../migrations/0025_who_did_what.sql', import.meta.url),
      'utf8',
    )
    const backfill = migration.slice(migration.indexOf('update casenote.progress_notes n'))
    await service.owner.throughDoor({ text: backfill, values: [] })
    for (const { sessionId, signedBy } of all)
      expect((await notes.noteOf(sessionId)).signedBy).toEqual(signedBy)
  })
})
