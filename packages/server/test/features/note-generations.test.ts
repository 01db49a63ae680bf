import type { MagicEdit, NoteVersion, Page } from '@casenote/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  completeGeneration,
  failGeneration,
  findPendingGeneration,
  storeSection,
} from '../../src/features/progress-notes/index.js'
import { builtInTemplate } from '../../src/engines/writer/templates/built-in-templates.js'
import { asPipeline, someSections } from '../support/clinical-record.js'
import { makeNoteCalls, told, type NoteCalls } from '../support/note-calls.js'
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
const busy = [409, 'Progress note is being generated']

describe('magic edit and regenerate', () => {
  for (const [action, payload, origin] of [
    ['magic-edit', { userInstructions: '  Shorten the plan.\n' }, 'magic_edit'],
    ['regenerate', undefined, 'regeneration'],
  ] as const) {
    it(`${action}: 202 loading under the old id, then a new id; every old one leads to it`, async () => {
      const note = await notes.written()
      const answer = await notes.call('POST', `/progress-notes/${note.id}/${action}`, payload)
      expect(answer.statusCode).toBe(202)
      expect(answer.json()).toMatchObject({ id: note.id, isLoading: true, note: [], status: 'generating' })
      const generationId = await notes.activeOf(note.sessionId)
      expect(
        await service.db.write(tenant, (tx) => findPendingGeneration(tx, notes.context.ring, generationId)),
      ).toEqual({
        kind: origin,
        isTemplateChange: false,
        review: [],
        sessionId: note.sessionId,
        clinicianId: partner.clinicianId,
        template: builtInTemplate('soap'),
        treatmentApproaches: [],
        sections: someSections(),
        userInstructions: action === 'magic-edit' ? 'Shorten the plan.' : null,
      })
      await notes.complete(generationId, 'Client slept.')
      const current = await notes.noteOf(note.sessionId)
      expect(current).toMatchObject({
        status: 'regenerated',
        isLoading: false,
        note: someSections('Client slept.'),
      })
      expect(current.id).not.toBe(note.id)
      for (const path of [`/progress-notes/${note.id}`, `/progress-notes/${current.id}`]) {
        expect((await notes.call('GET', path)).json()).toEqual(current)
      }
      const events = await notes.eventsOf(note.sessionId)
      expect(
        events.map(({ eventType, payload: about }) => [
          eventType,
          'progressNoteId' in about && about.progressNoteId,
        ]),
      ).toEqual([
        ['progress_note_generated', note.id],
        ['progress_note_regenerated', current.id],
      ])
      const versions = (await notes.call('GET', `/progress-notes/${note.id}/versions`)).json<
        Page<NoteVersion>
      >()
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
      expect((await notes.call('POST', `/progress-notes/${note.id}/finalize`)).json()).toMatchObject({
        id: current.id,
      })
      expect(told(await notes.call('POST', `/progress-notes/${note.id}/regenerate`))).toEqual(locked)
    })
  }

  it('a failure restores note, status, id and tag, and sends no event', async () => {
    const note = await notes.written()
    const { etag } = (await notes.call('GET', `/progress-notes/${note.id}`)).headers
    await notes.call('POST', `/progress-notes/${note.id}/regenerate`)
    const loading = await notes.call('GET', `/progress-notes/${note.id}`)
    expect(loading.headers.etag).not.toBe(etag)
    await notes.fail(await notes.activeOf(note.sessionId))
    const restored = await notes.call('GET', `/progress-notes/${note.id}`)
    expect([restored.json(), restored.headers.etag]).toEqual([note, etag])
    expect(await notes.eventsOf(note.sessionId)).toHaveLength(1)
  })

  it('every section that is stored gives the note another tag', async () => {
    const note = await notes.written()
    await notes.call('POST', `/progress-notes/${note.id}/regenerate`)
    const generationId = await notes.activeOf(note.sessionId)
    const tags = new Set<unknown>()
    for (const section of [null, ...someSections()]) {
      if (section !== null)
        await service.db.write(tenant, (tx) =>
          storeSection(tx, notes.context.ring, { generationId, section }),
        )
      tags.add((await notes.call('GET', `/progress-notes/${note.id}`)).headers.etag)
    }
    expect(tags.size).toBe(someSections().length + 1)
  })

  it('409 for everything that changes the note while one is under way', async () => {
    const note = await notes.written()
    await notes.call('POST', `/progress-notes/${note.id}/regenerate`)
    for (const answer of [
      // Step 6 comes before the body: none of these is 400.
      await notes.call('PATCH', `/progress-notes/${note.id}`, {}),
      await notes.call('POST', `/progress-notes/${note.id}/magic-edit`, {}),
      await notes.call('POST', `/progress-notes/${note.id}/regenerate`),
      await notes.call('POST', `/progress-notes/${note.id}/finalize`),
    ]) {
      expect(told(answer)).toEqual(busy)
    }
  })

  it('two at once: one 202, one 409', async () => {
    for (let round = 0; round < 5; round += 1) {
      const note = await notes.written()
      const answers = await Promise.all([
        notes.call('POST', `/progress-notes/${note.id}/regenerate`),
        notes.call('POST', `/progress-notes/${note.id}/regenerate`),
      ])
      expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([202, 409])
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
      const answer = await notes.call('POST', `/progress-notes/${partner.progressNoteId}/magic-edit`, payload)
      expect(told(answer)).toEqual([400, { message: [problem], error: 'Bad Request', statusCode: 400 }])
    })
  }

  it('5000 characters count as code points, after trimming', async () => {
    const note = await notes.written()
    const userInstructions = ` ${'👩'.repeat(5000)} `
    expect(
      (await notes.call('POST', `/progress-notes/${note.id}/magic-edit`, { userInstructions })).statusCode,
    ).toBe(202)
  })

  it("a clinician's magic edits are listed, oldest first", async () => {
    const other = await service.addPartner()
    const by = asPipeline(await service.keys.get({ tenantId: other.partnerId }))
    const request = (method: 'GET' | 'POST', url: string, payload?: object) =>
      service.ask(other, method, url, payload)
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
          ? completeGeneration(tx, by, { madeBy: 'test', generationId, sections: someSections(), review: [] })
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
