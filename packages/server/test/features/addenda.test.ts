import { randomUUID } from 'node:crypto'
import { addendaMax, type Addendum, type Page, type ProgressNote } from '@casenote/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeNoteCalls, told, type NoteCalls } from '../support/note-calls.js'
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

async function signed(): Promise<ProgressNote> {
  const { id } = await notes.written()
  return (await notes.call('POST', `/progress-notes/${id}/finalize`)).json<ProgressNote>()
}

const add = (note: ProgressNote, payload: unknown) =>
  notes.call('POST', `/progress-notes/${note.id}/addenda`, payload)

const addInWidget = (note: ProgressNote, payload: unknown) =>
  clinician.call('POST', `/sessions/${note.sessionId}/progress-note/addenda`, payload)

const rowsOf = (text: string, ...more: unknown[]) =>
  service.owner.throughDoor({ text, values: [partner.partnerId, ...more] }) as Promise<
    Record<string, unknown>[]
  >

describe('addenda of a signed note', () => {
  it('409 Progress note is not finalized until it is', async () => {
    const note = await notes.written()
    const refused = [409, 'Progress note is not finalized']
    expect(told(await add(note, { text: 'Too early.' }))).toEqual(refused)
    expect(told(await addInWidget(note, { text: 'Too early.' }))).toEqual(refused)
    expect((await notes.noteOf(note.sessionId)).addenda).toEqual([])
  })

  it('201 with text, author and moment, from the widget and the partner; the signed note is as it was', async () => {
    const note = await signed()
    const inWidget = await addInWidget(note, { text: '  Called on the 4th.\n' })
    expect(inWidget.statusCode).toBe(201)
    const byPartner = await add(note, { text: 'Sent to the pharmacy.' })
    expect(byPartner.statusCode).toBe(201)
    const expected = [
      {
        id: expect.any(String),
        text: 'Called on the 4th.',
        author: { kind: 'clinician', id: partner.clinicianId, name: 'Ada Example' },
        createdAt: expect.stringMatching(/Z$/),
      },
      {
        id: expect.any(String),
        text: 'Sent to the pharmacy.',
        author: { kind: 'partner', id: partner.partnerId, name: null },
        createdAt: expect.stringMatching(/Z$/),
      },
    ]
    expect(byPartner.json()).toEqual(expected[1])
    expect(inWidget.json<ProgressNote>().addenda).toEqual(expected.slice(0, 1))
    expect(await notes.noteOf(note.sessionId)).toEqual({ ...note, addenda: expected })
    const listed = await notes.call('GET', `/progress-notes/${note.id}/addenda`)
    expect(listed.json<Page<Addendum>>()).toMatchObject({ data: expected, meta: { totalItems: 2 } })
  })

  it('changes the tag, so that whoever has the note open reads it again; no event is sent', async () => {
    const note = await signed()
    const path = `/sessions/${note.sessionId}/progress-note`
    const before = (await clinician.call('GET', path)).headers.etag
    const answer = await addInWidget(note, { text: 'Called.' })
    expect(answer.headers.etag).not.toBe(before)
    expect((await clinician.call('GET', path)).headers.etag).toBe(answer.headers.etag)
    const types = (await notes.eventsOf(note.sessionId)).map(({ eventType }) => eventType)
    expect(types).toEqual(['progress_note_generated', 'progress_note_finalized'])
  })

  it('the same id again adds nothing; with another text it is 409', async () => {
    const note = await signed()
    const one = { id: randomUUID(), text: 'Called.' }
    const first = await add(note, one)
    expect((await add(note, one)).json()).toEqual(first.json())
    expect((await addInWidget(note, one)).json<ProgressNote>().addenda).toEqual([first.json()])
    expect(told(await add(note, { ...one, text: 'Wrote.' }))).toEqual([
      409,
      'An addendum with this id says something else',
    ])
    expect((await notes.noteOf(note.sessionId)).addenda).toHaveLength(1)
  })

  it('400 for a text that is empty or longer than 5,000 characters, and an id that is none', async () => {
    const note = await signed()
    for (const body of [{}, { text: ' \n ' }, { text: 'x'.repeat(5_001) }, { text: 'x', id: 'none' }])
      expect((await add(note, body)).statusCode).toBe(400)
    const longest = '𝄞'.repeat(5_000)
    expect((await add(note, { text: longest })).json<Addendum>().text).toBe(longest)
  })

  it('several at once all stay, and no more than fifty', async () => {
    const note = await signed()
    const answers = await Promise.all(
      Array.from({ length: addendaMax + 3 }, (_, at) => add(note, { text: `Number ${at}` })),
    )
    const statuses = answers.map(({ statusCode }) => statusCode)
    expect(statuses.filter((status) => status === 201)).toHaveLength(addendaMax)
    expect(statuses.filter((status) => status === 409)).toHaveLength(3)
    const { addenda } = await notes.noteOf(note.sessionId)
    expect(new Set(addenda.map(({ text }) => text)).size).toBe(addendaMax)
    const page = (await notes.call('GET', `/progress-notes/${note.id}/addenda?page=2`)).json<Page<Addendum>>()
    expect(page.data).toEqual(addenda.slice(10, 20))
  })

  it('are in the audit log with the client, sealed in the database, and cannot be changed or removed', async () => {
    const note = await signed()
    await addInWidget(note, { text: 'Called about the tablets.' })
    const [entry] = await rowsOf(
      `select actor_id, subject_ids from casenote.audit_pending
        where tenant_id = $1 and operation = 'progressNote.addAddendum' and $2 = any(subject_ids::text[])`,
      note.id,
    )
    expect(entry?.['actor_id']).toBe(partner.clinicianId)
    expect(entry?.['subject_ids']).toEqual([note.id, note.sessionId, partner.clientId])
    const sealed = await rowsOf(
      `select encode(sealed_text, 'escape') as text from casenote.note_addenda where tenant_id = $1`,
    )
    expect(sealed.length).toBeGreaterThan(0)
    expect(JSON.stringify(sealed)).not.toContain('tablets')
    const tenant = { tenantId: partner.partnerId }
    for (const text of [
      'update casenote.note_addenda set created_at = now() where tenant_id = $1',
      'delete from casenote.note_addenda where tenant_id = $1',
    ]) {
      const attempt = service.db.write(tenant, (tx) => tx.run({ text, values: [tenant.tenantId] }))
      await expect(attempt).rejects.toMatchObject({ code: '42501' })
    }
  })
})
