import { randomUUID } from 'node:crypto'
import {
  NOTE_TEMPLATES,
  type NoteVersion,
  type MagicEdit,
  type Page,
  type PartnerApiError,
  type ProgressNote,
} from '@casenote/contract'
import type { LightMyRequestResponse } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  completeGeneration,
  failGeneration,
  findPendingGeneration,
  storeSection,
} from '../../src/features/progress-notes/index.js'
import { failSession } from '../../src/features/sessions/index.js'
import type { ChangeContext } from '../../src/kernel/change-context.js'
import { asPipeline, someSections, startRecord } from '../support/clinical-record.js'
import { listEvents, listSubjects } from '../support/outcomes.js'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'

let service: TestService
let partner: TestPartner
let tenant: { tenantId: string }
let context: ChangeContext

beforeAll(async () => {
  service = await makeTestService()
  partner = await service.addPartner()
  tenant = { tenantId: partner.partnerId }
  context = asPipeline(await service.keys.get(tenant))
})
afterAll(() => service.close())

const call = (
  method: 'GET' | 'PATCH' | 'POST',
  path: string,
  payload?: unknown,
  headers: Record<string, string> = {},
): Promise<LightMyRequestResponse> =>
  service.call({
    method,
    url: `/v2${path}`,
    headers: { ...partner.headers, 'content-type': 'application/json', ...headers },
    ...(payload === undefined ? {} : { payload: JSON.stringify(payload) }),
  })

const told = (answer: LightMyRequestResponse): [number, unknown] => [
  answer.statusCode,
  answer.json<PartnerApiError>().error.message,
]

const noteOf = async (sessionId: string): Promise<ProgressNote> =>
  (await call('GET', `/sessions/${sessionId}/progress-note`)).json<ProgressNote>()

const begin = (given = {}) => startRecord(service.db, context, { clientId: partner.clientId, given })

const complete = (generationId: string, text?: string): Promise<boolean> =>
  service.db.write(tenant, (tx) =>
    completeGeneration(tx, context, { generationId, sections: someSections(text) }),
  )

const fail = (generationId: string): Promise<boolean> =>
  service.db.write(tenant, (tx) =>
    failGeneration(tx, context, { generationId, reason: 'The writer gave up' }),
  )

const activeOf = async (sessionId: string): Promise<string> => {
  const [row] = await service.db.read(tenant, {
    text: `select active_generation_id as id from casenote.progress_notes where tenant_id = $1 and session_id = $2`,
    values: [tenant.tenantId, sessionId],
  })
  return (row as { id: string }).id
}

/** A generated note of its own. */
async function written(): Promise<ProgressNote> {
  const { sessionId, generationId } = await begin()
  await complete(generationId)
  return noteOf(sessionId)
}

const eventsOf = async (sessionId: string) =>
  (await listEvents(service, tenant, sessionId)).filter(({ eventType }) => eventType !== 'transcript_ready')

const locked = [403, 'Progress note is locked']
const busy = [409, 'Progress note is being generated']
const patchBody = { note: [{ key: 'plan', title: 'Plan', content: 'See in two weeks.' }] }

describe('writing', () => {
  it('200 isLoading with no sections before, sections one by one, then generated with its event', async () => {
    const { sessionId, generationId } = await begin({ sessionExternalId: 'x-1' })
    const before = await noteOf(sessionId)
    expect(before).toMatchObject({ isLoading: true, note: [], status: 'generating' })
    const [first, second] = someSections()
    for (const section of [first, { ...second!, content: 'Draft' }, second]) {
      await service.db.write(tenant, (tx) =>
        storeSection(tx, context.ring, { generationId, section: section! }),
      )
    }
    expect(await noteOf(sessionId)).toMatchObject({
      isLoading: true,
      note: someSections(),
      status: 'generating',
    })
    expect(await complete(generationId)).toBe(true)
    const after = await noteOf(sessionId)
    const { sections, title } = NOTE_TEMPLATES.soap
    expect(after).toEqual({
      id: before.progressNoteId,
      progressNoteId: before.progressNoteId,
      sessionId,
      noteType: 'soap',
      template: { noteType: 'soap', sessionType: null, title, sections },
      preferences: { treatmentApproaches: [], sessionSetting: null },
      status: 'generated',
      isLoading: false,
      note: someSections(),
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: expect.stringMatching(/Z$/),
      finalizedAt: null,
    })
    expect((await call('GET', `/progress-notes/${after.id}`)).json()).toEqual(after)
    expect(await eventsOf(sessionId)).toEqual([
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
    expect(await complete(generationId)).toBe(false)
    expect(await fail(generationId)).toBe(false)
    const late = { generationId, section: someSections()[0]! }
    expect(await service.db.write(tenant, (tx) => storeSection(tx, context.ring, late))).toBe(false)
  })

  it('a first writing that failed may be regenerated, and then counts as generated', async () => {
    const { sessionId, generationId } = await begin()
    expect(await fail(generationId)).toBe(true)
    const failed = await noteOf(sessionId)
    expect(failed).toMatchObject({ isLoading: false, note: [], status: 'failed' })
    for (const answer of [
      await call('PATCH', `/progress-notes/${failed.id}`, patchBody),
      await call('POST', `/progress-notes/${failed.id}/magic-edit`, { userInstructions: 'x' }),
      await call('POST', `/progress-notes/${failed.id}/finalize`),
    ]) {
      expect(told(answer)).toEqual([409, 'Progress note has not been generated'])
    }
    expect((await call('POST', `/progress-notes/${failed.id}/regenerate`)).statusCode).toBe(202)
    await fail(await activeOf(sessionId))
    expect(await noteOf(sessionId)).toMatchObject({ isLoading: false, note: [], status: 'failed' })
    await call('POST', `/progress-notes/${failed.id}/regenerate`)
    await complete(await activeOf(sessionId))
    expect(await noteOf(sessionId)).toMatchObject({
      id: failed.id,
      status: 'generated',
      note: someSections(),
    })
    expect((await eventsOf(sessionId)).map(({ eventType }) => eventType)).toEqual(['progress_note_generated'])
  })

  it('a session that fails while its note is written fails the note, without an event', async () => {
    const { sessionId, generationId } = await begin()
    await service.db.write(tenant, (tx) =>
      failSession(tx, context, { sessionId, failure: 'processing_failed' }),
    )
    expect(await complete(generationId)).toBe(false)
    const note = await noteOf(sessionId)
    expect(note).toMatchObject({ isLoading: false, status: 'failed' })
    expect(await eventsOf(sessionId)).toEqual([])
    expect(told(await call('POST', `/progress-notes/${note.id}/regenerate`))).toEqual([
      409,
      'Session has no transcript',
    ])
  })
})

describe('magic edit and regenerate', () => {
  for (const [action, payload, origin] of [
    ['magic-edit', { userInstructions: '  Shorten the plan.\n' }, 'magic_edit'],
    ['regenerate', undefined, 'regeneration'],
  ] as const) {
    it(`${action}: 202 loading under the old id, then a new id; every old one leads to it`, async () => {
      const note = await written()
      const answer = await call('POST', `/progress-notes/${note.id}/${action}`, payload)
      expect(answer.statusCode).toBe(202)
      expect(answer.json()).toMatchObject({ id: note.id, isLoading: true, note: [], status: 'generating' })
      const generationId = await activeOf(note.sessionId)
      expect(
        await service.db.write(tenant, (tx) => findPendingGeneration(tx, context.ring, generationId)),
      ).toEqual({
        kind: origin,
        sessionId: note.sessionId,
        noteType: 'soap',
        sections: someSections(),
        userInstructions: action === 'magic-edit' ? 'Shorten the plan.' : null,
      })
      await complete(generationId, 'Client slept.')
      const current = await noteOf(note.sessionId)
      expect(current).toMatchObject({
        status: 'regenerated',
        isLoading: false,
        note: someSections('Client slept.'),
      })
      expect(current.id).not.toBe(note.id)
      for (const path of [`/progress-notes/${note.id}`, `/progress-notes/${current.id}`]) {
        expect((await call('GET', path)).json()).toEqual(current)
      }
      const events = await eventsOf(note.sessionId)
      expect(
        events.map(({ eventType, payload: { ...told } }) => [
          eventType,
          'progressNoteId' in told && told.progressNoteId,
        ]),
      ).toEqual([
        ['progress_note_generated', note.id],
        ['progress_note_regenerated', current.id],
      ])
      const versions = (await call('GET', `/progress-notes/${note.id}/versions`)).json<Page<NoteVersion>>()
      expect(versions.data).toEqual([
        expect.objectContaining({
          version: 1,
          origin: 'generation',
          progressNoteId: note.id,
          note: someSections(),
        }),
        {
          id: expect.any(String),
          version: 2,
          origin,
          progressNoteId: current.id,
          note: someSections('Client slept.'),
          createdAt: expect.stringMatching(/Z$/),
        },
      ])
      // An old id works in every path.
      expect((await call('POST', `/progress-notes/${note.id}/finalize`)).json()).toMatchObject({
        id: current.id,
      })
      expect(told(await call('POST', `/progress-notes/${note.id}/regenerate`))).toEqual(locked)
    })
  }

  it('a failure restores note, status, id and tag, and sends no event', async () => {
    const note = await written()
    const { etag } = (await call('GET', `/progress-notes/${note.id}`)).headers
    await call('POST', `/progress-notes/${note.id}/regenerate`)
    const loading = await call('GET', `/progress-notes/${note.id}`)
    expect(loading.headers.etag).not.toBe(etag)
    await fail(await activeOf(note.sessionId))
    const restored = await call('GET', `/progress-notes/${note.id}`)
    expect([restored.json(), restored.headers.etag]).toEqual([note, etag])
    expect(await eventsOf(note.sessionId)).toHaveLength(1)
  })

  it('409 for everything that changes the note while one is under way', async () => {
    const note = await written()
    await call('POST', `/progress-notes/${note.id}/regenerate`)
    for (const answer of [
      // Step 6 comes before the body: none of these is 400.
      await call('PATCH', `/progress-notes/${note.id}`, {}),
      await call('POST', `/progress-notes/${note.id}/magic-edit`, {}),
      await call('POST', `/progress-notes/${note.id}/regenerate`),
      await call('POST', `/progress-notes/${note.id}/finalize`),
    ]) {
      expect(told(answer)).toEqual(busy)
    }
  })

  it('two at once: one 202, one 409', async () => {
    for (let round = 0; round < 5; round += 1) {
      const note = await written()
      const answers = await Promise.all([
        call('POST', `/progress-notes/${note.id}/regenerate`),
        call('POST', `/progress-notes/${note.id}/regenerate`),
      ])
      expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([202, 409])
    }
  })

  for (const [payload, problem] of [
    [{}, 'userInstructions should not be empty'],
    [{ userInstructions: ' \n\t\u00a0 ' }, 'userInstructions should not be empty'],
    [{ userInstructions: 7 }, 'userInstructions must be a string'],
    [{ userInstructions: ['x'] }, 'userInstructions must be a string'],
    [
      { userInstructions: '👩'.repeat(5001) },
      'userInstructions must be shorter than or equal to 5000 characters',
    ],
    [{ userInstructions: 'a\u0000b' }, 'userInstructions must not contain null characters'],
  ] as const) {
    it(`400 ${problem}`, async () => {
      const answer = await call('POST', `/progress-notes/${partner.progressNoteId}/magic-edit`, payload)
      expect(told(answer)).toEqual([400, { message: [problem], error: 'Bad Request', statusCode: 400 }])
    })
  }

  it('5000 characters count as code points, after trimming', async () => {
    const note = await written()
    const userInstructions = ` ${'👩'.repeat(5000)} `
    expect(
      (await call('POST', `/progress-notes/${note.id}/magic-edit`, { userInstructions })).statusCode,
    ).toBe(202)
  })

  it("a clinician's magic edits are listed, oldest first", async () => {
    const other = await service.addPartner()
    const by = asPipeline(await service.keys.get({ tenantId: other.partnerId }))
    const request = (method: 'GET' | 'POST', url: string, payload?: object) =>
      service.call({ method, url: `/v2${url}`, headers: other.headers, ...(payload ? { payload } : {}) })
    for (const userInstructions of ['one', 'two', 'three']) {
      await request('POST', `/progress-notes/${other.progressNoteId}/magic-edit`, { userInstructions })
      const [row] = await service.db.read(
        { tenantId: other.partnerId },
        {
          text: `select active_generation_id as id from casenote.progress_notes where tenant_id = $1`,
          values: [other.partnerId],
        },
      )
      const generationId = (row as { id: string }).id
      if (userInstructions === 'three') continue
      await service.db.write({ tenantId: other.partnerId }, (tx) =>
        userInstructions === 'one'
          ? completeGeneration(tx, by, { generationId, sections: someSections() })
          : failGeneration(tx, by, { generationId, reason: 'The writer gave up' }),
      )
    }
    const url = `/clinicians/${other.clinicianId}/magic-edit`
    const { data, meta } = (await request('GET', url)).json<Page<MagicEdit>>()
    expect(meta.totalItems).toBe(3)
    expect(data.map((edit) => [edit.userInstructions, edit.status, edit.failureReason])).toEqual([
      ['one', 'completed', null],
      ['two', 'failed', 'The writer gave up'],
      ['three', 'pending', null],
    ])
    expect(data[0]).toEqual({
      id: expect.any(String),
      progressNoteId: other.progressNoteId,
      sessionId: other.sessionId,
      clientId: other.clientId,
      clinicianId: other.clinicianId,
      userInstructions: 'one',
      status: 'completed',
      failureReason: null,
      createdAt: expect.stringMatching(/Z$/),
      completedAt: expect.stringMatching(/Z$/),
    })
  })
})

describe('PATCH', () => {
  it('replaces the sections under the same id and status, without an event, as a new version', async () => {
    const note = await written()
    const answer = await call('PATCH', `/progress-notes/${note.id}`, {
      note: [
        { key: 'plan', content: 'See in two weeks.' },
        {
          key: 'subjective',
          title: 'What was said',
          content: 'Client reports improved sleep. And more.',
          evidence: [{ sentence: 'And more.', transcriptItems: [0], supported: true }],
        },
      ],
    })
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      {
        ...note,
        note: [
          { key: 'plan', title: 'Plan', content: 'See in two weeks.', evidence: [] },
          {
            key: 'subjective',
            title: 'What was said',
            content: 'Client reports improved sleep. And more.',
            evidence: [{ sentence: 'Client reports improved sleep.', transcriptItems: [1], supported: true }],
          },
        ],
        updatedAt: expect.any(String),
      },
    ])
    expect((await call('GET', `/progress-notes/${note.id}`)).json()).toEqual(answer.json())
    expect(await eventsOf(note.sessionId)).toHaveLength(1)
    const { data } = (await call('GET', `/progress-notes/${note.id}/versions`)).json<Page<NoteVersion>>()
    expect(data.map(({ version, origin, progressNoteId }) => [version, origin, progressNoteId])).toEqual([
      [1, 'generation', note.id],
      [2, 'edit', note.id],
    ])
    const subjects = await listSubjects(service, tenant, 'progressNote.change', note.id)
    expect(subjects).toEqual([[note.id, note.sessionId, partner.clientId]])
  })

  it('If-Match with the ETag of the last read refuses a lost update', async () => {
    const note = await written()
    const path = `/progress-notes/${note.id}`
    const { etag } = (await call('GET', `/sessions/${note.sessionId}/progress-note`)).headers
    expect(etag).toMatch(/^"[\w-]{27}"$/)
    const first = await call('PATCH', path, patchBody, { 'if-match': String(etag) })
    expect(first.statusCode).toBe(200)
    expect(first.headers.etag).toBe((await call('GET', path)).headers.etag)
    const stale = [409, 'Progress note has changed since it was read']
    for (const header of [String(etag), '"x"', 'x', '']) {
      expect(told(await call('PATCH', path, patchBody, { 'if-match': header }))).toEqual(stale)
    }
    const list = `"x", W/${String(first.headers.etag)}`
    expect((await call('PATCH', path, patchBody, { 'if-match': list })).statusCode).toBe(200)
    expect((await call('PATCH', path, patchBody, { 'if-match': '*' })).statusCode).toBe(200)
    expect((await call('PATCH', path, patchBody)).statusCode).toBe(200)
  })

  it('of two with the same If-Match one wins', async () => {
    const note = await written()
    const { etag } = (await call('GET', `/progress-notes/${note.id}`)).headers
    const patch = () => call('PATCH', `/progress-notes/${note.id}`, patchBody, { 'if-match': String(etag) })
    const answers = await Promise.all([patch(), patch(), patch()])
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409, 409])
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
      const note = await written()
      expect(told(await call('PATCH', `/progress-notes/${note.id}`, payload))).toEqual([
        400,
        { message: problems, error: 'Bad Request', statusCode: 400 },
      ])
    })
  }
})

describe('finalizing', () => {
  it('200, locked, one event; again: 200, the same, no second event', async () => {
    const note = await written()
    const answers = [
      await call('POST', `/progress-notes/${note.id}/finalize`),
      await call('POST', `/progress-notes/${note.id}/finalize`),
      ...(await Promise.all([1, 2].map(() => call('POST', `/progress-notes/${note.id}/finalize`)))),
    ]
    for (const answer of answers) {
      expect([answer.statusCode, answer.json()]).toEqual([
        200,
        {
          ...note,
          status: 'finalized',
          updatedAt: expect.any(String),
          finalizedAt: expect.stringMatching(/Z$/),
        },
      ])
    }
    expect((await eventsOf(note.sessionId)).map(({ eventType }) => eventType)).toEqual([
      'progress_note_generated',
      'progress_note_finalized',
    ])
  })

  it('403 Progress note is locked for every change after it, before the body is looked at', async () => {
    const note = await written()
    await call('POST', `/progress-notes/${note.id}/finalize`)
    for (const answer of [
      await call('PATCH', `/progress-notes/${note.id}`),
      await call('PATCH', `/progress-notes/${note.id}`, patchBody),
      await call('POST', `/progress-notes/${note.id}/magic-edit`, {}),
      await call('POST', `/progress-notes/${note.id}/regenerate`),
    ]) {
      expect(told(answer)).toEqual(locked)
    }
  })

  it('against the end of a regeneration: either it is too early, or it locks the new text', async () => {
    for (let round = 0; round < 8; round += 1) {
      const note = await written()
      await call('POST', `/progress-notes/${note.id}/regenerate`)
      const generationId = await activeOf(note.sessionId)
      const [answer, completed] = await Promise.all([
        call('POST', `/progress-notes/${note.id}/finalize`),
        complete(generationId, 'New.'),
      ])
      expect(completed).toBe(true)
      const current = await noteOf(note.sessionId)
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
    expect((await call(method, `/progress-notes/${randomUUID()}${action}`, {})).statusCode).toBe(404)
  }
})
