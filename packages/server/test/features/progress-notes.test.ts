import { randomUUID } from 'node:crypto'
import { type NoteSection, type NoteVersion, type Page } from '@casenote/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { builtInTemplate } from '../../src/engines/writer/templates/built-in-templates.js'
import { findNoteOfSession, storeSection, type NoteRow } from '../../src/features/progress-notes/index.js'
import { reviewPlace, versionPlace } from '../../src/features/progress-notes/note-content.js'
import { noteVersionsMax } from '../../src/features/progress-notes/note-lifecycle.js'
import { insertNoteVersion } from '../../src/features/progress-notes/progress-notes.sql.js'
import { failSession } from '../../src/features/sessions/index.js'
import { sealJson } from '../../src/kernel/secrets/sealed-json.js'
import { someSections } from '../support/clinical-record.js'
import { makeNoteCalls, told, type NoteCalls } from '../support/note-calls.js'
import { listSubjects } from '../support/outcomes.js'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'

let service: TestService
let partner: TestPartner
let tenant: { tenantId: string }
let notes: NoteCalls

beforeAll(async () => {
  service = await makeTestService()
  partner = await service.addPartner()
  tenant = { tenantId: partner.partnerId }
  notes = await makeNoteCalls(service, partner)
})
afterAll(() => service.close())

const locked = [403, 'Progress note is locked']
const patchBody = { note: [{ key: 'plan', title: 'Plan', content: 'See in two weeks.' }] }

describe('writing', () => {
  it('200 isLoading with no sections before, sections one by one, then generated with its event', async () => {
    const { sessionId, generationId } = await notes.begin({ sessionExternalId: 'x-1' })
    const before = await notes.noteOf(sessionId)
    expect(before).toMatchObject({ isLoading: true, note: [], status: 'generating' })
    const [first, second] = someSections()
    for (const section of [first, { ...second!, content: 'Draft' }, second]) {
      await service.db.write(tenant, (tx) =>
        storeSection(tx, notes.context.ring, { generationId, section: section! }),
      )
    }
    expect(await notes.noteOf(sessionId)).toMatchObject({
      isLoading: true,
      note: someSections(),
      status: 'generating',
    })
    expect(await notes.complete(generationId)).toBe(true)
    const after = await notes.noteOf(sessionId)
    const { title } = builtInTemplate('soap')
    const sections = builtInTemplate('soap').sections.map((section) => ({
      key: section.key,
      title: section.title,
      holds: section.holds,
    }))
    expect(after).toEqual({
      id: before.progressNoteId,
      progressNoteId: before.progressNoteId,
      sessionId,
      noteType: 'soap',
      template: { noteType: 'soap', sessionType: null, id: 'soap', version: 1, title, sections },
      preferences: { treatmentApproaches: [], sessionSetting: null },
      status: 'generated',
      isLoading: false,
      isEmptied: false,
      note: someSections(),
      review: [],
      goals: [],
      // `test` is no writer that is known.
      writer: null,
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: expect.stringMatching(/Z$/),
      finalizedAt: null,
      signedBy: null,
      coSignedBy: null,
      coSignature: null,
      addenda: [],
    })
    expect((await notes.call('GET', `/progress-notes/${after.id}`)).json()).toEqual(after)
    expect(await notes.eventsOf(sessionId)).toEqual([
      {
        eventType: 'progress_note_generated',
        timeStamp: expect.any(String),
        payload: {
          sessionId,
          sessionExternalId: 'x-1',
          clientId: partner.clientId,
          clinicianId: partner.clinicianId,
          clinicId: partner.clinicId,
          organizationId: partner.organizationId,
          progressNoteId: after.id,
          progressNoteUrl: `http://localhost:8080/v2/sessions/${sessionId}/progress-note`,
          organization: partner.organizationId,
        },
      },
    ])
    // A retry after the commit finds the fence.
    expect(await notes.complete(generationId)).toBe(false)
    expect(await notes.fail(generationId)).toBe(false)
    const late = { generationId, section: someSections()[0]! }
    expect(await service.db.write(tenant, (tx) => storeSection(tx, notes.context.ring, late))).toBe(false)
  })

  it('a first writing that failed may be regenerated, and then counts as generated', async () => {
    const { sessionId, generationId } = await notes.begin()
    expect(await notes.fail(generationId)).toBe(true)
    const failed = await notes.noteOf(sessionId)
    expect(failed).toMatchObject({ isLoading: false, note: [], status: 'failed' })
    for (const answer of [
      await notes.call('PATCH', `/progress-notes/${failed.id}`, patchBody),
      await notes.call('POST', `/progress-notes/${failed.id}/magic-edit`, { userInstructions: 'x' }),
      await notes.call('POST', `/progress-notes/${failed.id}/finalize`),
    ]) {
      expect(told(answer)).toEqual([409, 'Progress note has not been generated'])
    }
    expect((await notes.call('POST', `/progress-notes/${failed.id}/regenerate`)).statusCode).toBe(202)
    await notes.fail(await notes.activeOf(sessionId))
    expect(await notes.noteOf(sessionId)).toMatchObject({ isLoading: false, note: [], status: 'failed' })
    await notes.call('POST', `/progress-notes/${failed.id}/regenerate`)
    await notes.complete(await notes.activeOf(sessionId))
    expect(await notes.noteOf(sessionId)).toMatchObject({
      id: failed.id,
      status: 'generated',
      note: someSections(),
    })
    expect((await notes.eventsOf(sessionId)).map(({ eventType }) => eventType)).toEqual([
      'progress_note_generated',
    ])
  })

  it('a session that fails while its note is written fails the note, which no event of a note tells', async () => {
    const { sessionId, generationId } = await notes.begin()
    await service.db.write(tenant, (tx) =>
      failSession(tx, notes.context, { sessionId, failure: 'processing_failed' }),
    )
    expect(await notes.complete(generationId)).toBe(false)
    const note = await notes.noteOf(sessionId)
    expect(note).toMatchObject({ isLoading: false, status: 'failed' })
    expect((await notes.eventsOf(sessionId)).map(({ eventType }) => eventType)).toEqual(['session_failed'])
    expect(told(await notes.call('POST', `/progress-notes/${note.id}/regenerate`))).toEqual([
      409,
      'Session has no transcript',
    ])
  })
})

const theirs = (sentence: string, ...transcriptItems: number[]): NoteSection['evidence'][number] => ({
  sentence,
  transcriptItems,
  supported: true,
  judgement: 'clinicians_words',
  reason: null,
})

describe('PATCH', () => {
  it('replaces the sections under the same id and status, without an event, as a new version', async () => {
    const note = await notes.written()
    const answer = await notes.call('PATCH', `/progress-notes/${note.id}`, {
      note: [
        { key: 'plan', content: 'See in two weeks.' },
        {
          key: 'subjective',
          title: 'What was said',
          content: 'Client reports improved sleep. Slept better this week. And more.',
          evidence: [{ sentence: 'And more.', transcriptItems: [0], supported: true }],
        },
      ],
    })
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      {
        ...note,
        note: [
          {
            key: 'plan',
            title: 'Plan',
            content: 'See in two weeks.',
            evidence: [theirs('See in two weeks.')],
          },
          {
            key: 'subjective',
            title: 'What was said',
            content: 'Client reports improved sleep. Slept better this week. And more.',
            // What stayed keeps its judgement; what is new is the clinician's, with the items where it was said, if it was.
            evidence: [
              ...(someSections()[0]?.evidence ?? []),
              theirs('Slept better this week.', 1),
              theirs('And more.'),
            ],
          },
        ],
        updatedAt: expect.any(String),
      },
    ])
    expect((await notes.call('GET', `/progress-notes/${note.id}`)).json()).toEqual(answer.json())
    expect(await notes.eventsOf(note.sessionId)).toHaveLength(1)
    const { data } = (await notes.call('GET', `/progress-notes/${note.id}/versions`)).json<
      Page<NoteVersion>
    >()
    expect(data.map(({ version, origin, progressNoteId }) => [version, origin, progressNoteId])).toEqual([
      [1, 'generation', note.id],
      [2, 'edit', note.id],
    ])
    const subjects = await listSubjects(service, tenant, 'progressNote.change', note.id)
    expect(subjects).toEqual([[note.id, note.sessionId, partner.clientId]])
  })

  it('409 for more versions than a note may have, by hand, rewritten or edited by an instruction; it can be signed', async () => {
    const note = await notes.written()
    const path = `/progress-notes/${note.id}`
    const ring = await service.keys.get(tenant)
    const { noteId } = (await findNoteOfSession(service.db, tenant, note.sessionId)) as NoteRow
    const version = noteVersionsMax - 1
    await service.owner.write(tenant, async (tx) => {
      await tx.run(
        insertNoteVersion(tenant, {
          noteId,
          version,
          versionId: randomUUID(),
          progressNoteId: note.id,
          origin: 'edit',
          generationId: null,
          sealedSections: sealJson(ring, versionPlace(noteId, version), someSections()),
          sealedReview: sealJson(ring, reviewPlace(noteId, version), []),
          madeBy: null,
          template: builtInTemplate('soap'),
        }),
      )
      await tx.run({
        text: 'update casenote.progress_notes set version = $3 where tenant_id = $1 and note_id = $2',
        values: [tenant.tenantId, noteId, version],
      })
    })
    expect((await notes.call('PATCH', path, patchBody)).statusCode).toBe(200)
    const full = [
      409,
      `A progress note has at most ${noteVersionsMax} versions. Sign it, and add what is missing as an addendum.`,
    ]
    expect(told(await notes.call('PATCH', path, patchBody))).toEqual(full)
    expect(told(await notes.call('POST', `${path}/regenerate`, {}))).toEqual(full)
    expect(told(await notes.call('POST', `${path}/magic-edit`, { userInstructions: 'Shorter.' }))).toEqual(
      full,
    )
    expect((await notes.call('POST', `${path}/finalize`, {})).statusCode).toBe(200)
  })

  it('If-Match with the ETag of the last read refuses a lost update', async () => {
    const note = await notes.written()
    const path = `/progress-notes/${note.id}`
    const { etag } = (await notes.call('GET', `/sessions/${note.sessionId}/progress-note`)).headers
    expect(etag).toMatch(/^"[\w-]{27}"$/)
    const first = await notes.call('PATCH', path, patchBody, { 'if-match': String(etag) })
    expect(first.statusCode).toBe(200)
    expect(first.headers.etag).toBe((await notes.call('GET', path)).headers.etag)
    const stale = [409, 'Progress note has changed since it was read']
    for (const header of [String(etag), '"x"', 'x', '']) {
      expect(told(await notes.call('PATCH', path, patchBody, { 'if-match': header }))).toEqual(stale)
    }
    const list = `"x", W/${String(first.headers.etag)}`
    expect((await notes.call('PATCH', path, patchBody, { 'if-match': list })).statusCode).toBe(200)
    expect((await notes.call('PATCH', path, patchBody, { 'if-match': '*' })).statusCode).toBe(200)
    expect((await notes.call('PATCH', path, patchBody)).statusCode).toBe(200)
  })

  it('of two with the same If-Match one wins', async () => {
    const note = await notes.written()
    const { etag } = (await notes.call('GET', `/progress-notes/${note.id}`)).headers
    const patch = () =>
      notes.call('PATCH', `/progress-notes/${note.id}`, patchBody, { 'if-match': String(etag) })
    const answers = await Promise.all([patch(), patch(), patch()])
    expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 409, 409])
  })

  for (const [payload, problems] of [
    [{}, ['note should not be empty']],
    [{ note: [] }, ['note should not be empty']],
    [{ note: 'text' }, ['note must be an array']],
    [{ note: ['text'] }, ['note.0 must be an object']],
    [{ note: [{}] }, ['note.0.key should not be empty', 'note.0.content should not be empty']],
    [{ note: [{ key: 'plan', content: 5 }] }, ['note.0.content must be a string']],
    [{ note: [{ key: 'plan', title: '', content: '' }] }, ['note.0.title should not be empty']],
    [
      { note: [{ key: 'plan', content: 'x'.repeat(50_001) }] },
      ['note.0.content must be shorter than or equal to 50000 characters'],
    ],
    [
      {
        note: [
          { key: 'data', content: '' },
          { key: 'plan', content: '' },
          { key: 'plan', content: '' },
        ],
      },
      [
        'note.0.key must be one of the following values: subjective, objective, assessment, plan',
        'note.2.key must be unique',
      ],
    ],
  ] as [unknown, string[]][]) {
    it(`400 for ${JSON.stringify(payload).slice(0, 70)}`, async () => {
      const note = await notes.written()
      expect(told(await notes.call('PATCH', `/progress-notes/${note.id}`, payload))).toEqual([
        400,
        { message: problems, error: 'Bad Request', statusCode: 400 },
      ])
    })
  }
})

describe('finalizing', () => {
  it('200, locked, one event; again: 200, the same, no second event', async () => {
    const note = await notes.written()
    const answers = [
      await notes.call('POST', `/progress-notes/${note.id}/finalize`),
      await notes.call('POST', `/progress-notes/${note.id}/finalize`),
      ...(await Promise.all([1, 2].map(() => notes.call('POST', `/progress-notes/${note.id}/finalize`)))),
    ]
    for (const answer of answers) {
      expect([answer.statusCode, answer.json()]).toEqual([
        200,
        {
          ...note,
          status: 'finalized',
          updatedAt: expect.any(String),
          finalizedAt: expect.stringMatching(/Z$/),
          signedBy: {
            kind: 'partner',
            id: expect.any(String),
            name: null,
            at: answers[0]?.json().finalizedAt,
          },
        },
      ])
    }
    expect((await notes.eventsOf(note.sessionId)).map(({ eventType }) => eventType)).toEqual([
      'progress_note_generated',
      'progress_note_finalized',
    ])
  })

  it('403 Progress note is locked for every change after it, before the body is looked at', async () => {
    const note = await notes.written()
    await notes.call('POST', `/progress-notes/${note.id}/finalize`)
    for (const answer of [
      await notes.call('PATCH', `/progress-notes/${note.id}`),
      await notes.call('PATCH', `/progress-notes/${note.id}`, patchBody),
      await notes.call('POST', `/progress-notes/${note.id}/magic-edit`, {}),
      await notes.call('POST', `/progress-notes/${note.id}/regenerate`),
    ]) {
      expect(told(answer)).toEqual(locked)
    }
  })

  it('against the end of a regeneration: either it is too early, or it locks the new text', async () => {
    for (let round = 0; round < 8; round += 1) {
      const note = await notes.written()
      await notes.call('POST', `/progress-notes/${note.id}/regenerate`)
      const generationId = await notes.activeOf(note.sessionId)
      const [answer, completed] = await Promise.all([
        notes.call('POST', `/progress-notes/${note.id}/finalize`),
        notes.complete(generationId, 'New.'),
      ])
      expect(completed).toBe(true)
      const current = await notes.noteOf(note.sessionId)
      expect(current).toMatchObject({ note: someSections('New.'), isLoading: false })
      expect([answer.statusCode, current.status]).toEqual(
        answer.statusCode === 200 ? [200, 'finalized'] : [409, 'regenerated'],
      )
    }
  })
})

it('404 before the state and the body, for an id that no note ever had', async () => {
  for (const [method, action] of [
    ['PATCH', ''],
    ['POST', '/magic-edit'],
    ['POST', '/regenerate'],
    ['POST', '/finalize'],
  ] as const) {
    expect((await notes.call(method, `/progress-notes/${randomUUID()}${action}`, {})).statusCode).toBe(404)
  }
})
