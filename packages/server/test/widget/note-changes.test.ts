import type {
  NoteSection,
  NoteVersion,
  OpenRewriting,
  Page,
  ProgressNote,
  ReviewItem,
} from '@casenote/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeNoteChecker } from '../../src/engines/checker/note-checker.js'
import {
  completeGeneration,
  failGeneration,
  findNoteOfSession,
  restoreNote,
  makeRecheckPlaces,
} from '../../src/features/progress-notes/index.js'
import { waitUntil } from '../support/casenote-process.js'
import { asPipeline, startRecord } from '../support/clinical-record.js'
import { listEvents, listSubjects } from '../support/outcomes.js'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'
import { addColleague, signIn, type SignedIn } from './widget-fixture.js'

let service: TestService
let partner: TestPartner
let clinician: SignedIn
const checker = makeNoteChecker()

beforeAll(async () => {
  service = await makeTestService()
  partner = await service.addPartner()
  clinician = await signIn(service, partner)
})
afterAll(async () => {
  await checker.close()
  await service.close()
})

const tenantOf = () => ({ tenantId: partner.partnerId })
const openContext = async () => asPipeline(await service.keys.get(tenantOf()))

const toSections = (texts: Record<string, string>): NoteSection[] =>
  Object.entries(texts).map(([key, content]) => ({
    key,
    title: key === 'plan' ? 'Plan' : 'Subjective',
    content,
    evidence: [
      { sentence: content, transcriptItems: [1], supported: true, judgement: 'verified', reason: null },
    ],
  }))

const first = { subjective: 'Client sleeps better.', plan: 'Brother keeps the hunting rifle locked.' }

async function writeNote(review: ReviewItem[] = []): Promise<string> {
  const context = await openContext()
  const { sessionId, generationId } = await startRecord(service.db, context, { clientId: partner.clientId })
  await complete(generationId, first, review)
  return sessionId
}

const complete = async (generationId: string, texts: Record<string, string>, review: ReviewItem[] = []) => {
  const context = await openContext()
  const writing = { generationId, sections: toSections(texts), review, madeBy: 'test' }
  await service.db.write(tenantOf(), (tx) => completeGeneration(tx, context, writing))
}

async function magicEdit(
  sessionId: string,
  texts: Record<string, string>,
  review: ReviewItem[] = [],
): Promise<void> {
  await clinician.call('POST', `${noteOf(sessionId)}/magic-edit`, { userInstructions: 'Shorten it.' })
  const [row] = (await service.db.read(tenantOf(), {
    text: 'select active_generation_id as id from casenote.progress_notes where tenant_id = $1 and session_id = $2',
    values: [partner.partnerId, sessionId],
  })) as { id: string }[]
  await complete(row?.id ?? '', texts, review)
}

const noteOf = (sessionId: string) => `/sessions/${sessionId}/progress-note`
const type = (sessionId: string, texts: Record<string, string>) =>
  clinician.call('PATCH', noteOf(sessionId), {
    note: Object.entries(texts).map(([key, content]) => ({ key, content })),
  })
const readChange = async (sessionId: string) =>
  (await clinician.call('GET', `${noteOf(sessionId)}/rewriting`)).json<OpenRewriting>().rewriting
const restore = (sessionId: string, body: object) =>
  clinician.call('POST', `${noteOf(sessionId)}/restore`, body)

describe('what a magic edit changed', () => {
  it('is shown section by section with what is gone by name, until the clinician keeps it', async () => {
    const sessionId = await writeNote()
    expect(await readChange(sessionId)).toBeNull()
    await magicEdit(sessionId, { ...first, plan: 'Continue.' })
    const change = await readChange(sessionId)
    expect(change).toMatchObject({
      kind: 'magic_edit',
      versionBefore: 1,
      isOtherType: false,
      sections: [{ key: 'plan', title: 'Plan', before: first.plan, after: 'Continue.' }],
      gone: [{ kind: 'weapon', label: null, words: first.plan }],
    })
    const kept = { generationId: change?.generationId, goneCount: 1 }
    const keep = () => clinician.call('POST', `${noteOf(sessionId)}/rewriting/keep`, kept)
    expect((await keep()).statusCode).toBe(204)
    expect((await keep()).statusCode).toBe(204)
    expect(await readChange(sessionId)).toBeNull()
    const audited = await listSubjects(service, tenantOf(), 'progressNote.keepDespiteGone', sessionId)
    expect(audited).toHaveLength(1)
  })

  it('is counted from the text that was kept last, however many edits came since', async () => {
    const sessionId = await writeNote()
    await magicEdit(sessionId, { ...first, plan: 'Continue.' })
    await magicEdit(sessionId, { subjective: 'Slept.', plan: 'Continue.' })
    expect(await readChange(sessionId)).toMatchObject({
      versionBefore: 1,
      sections: [{ key: 'subjective' }, { key: 'plan' }],
    })
    await restore(sessionId, { version: 1 })
    expect(await readChange(sessionId)).toBeNull()
  })

  it('is undone one section at a time, as a new version, with its evidence and without an event', async () => {
    const sessionId = await writeNote()
    await magicEdit(sessionId, { subjective: 'Slept.' })
    const before = (await listEvents(service, tenantOf(), sessionId)).length
    const answer = await restore(sessionId, { version: 1, sectionKeys: ['plan'] })
    expect(answer.json<ProgressNote>().note).toMatchObject([
      { key: 'subjective', content: 'Slept.' },
      // Not "typed by the clinician": it is what was written and judged before.
      { key: 'plan', content: first.plan, evidence: [{ judgement: 'verified', transcriptItems: [1] }] },
    ])
    expect(await readChange(sessionId)).toMatchObject({ sections: [{ key: 'subjective' }], gone: [] })
    const versions = (await clinician.call('GET', `${noteOf(sessionId)}/versions`)).json<Page<NoteVersion>>()
    expect(versions.data.map(({ origin }) => origin)).toEqual(['generation', 'magic_edit', 'edit'])
    expect(await listEvents(service, tenantOf(), sessionId)).toHaveLength(before)
  })

  it('is undone with what each text left out, and by sections with what both did', async () => {
    const leftOut = (id: string): ReviewItem => ({
      id,
      kind: 'danger',
      label: 'Suicide plan',
      words: '',
      transcriptItems: [],
      reason: 'left_out',
    })
    const sessionId = await writeNote([leftOut('of-first')])
    await magicEdit(sessionId, { ...first, plan: 'Continue.' }, [leftOut('of-second')])
    const undo = async (body: object): Promise<string[]> =>
      (await restore(sessionId, body))
        .json<ProgressNote>()
        .review.filter(({ reason }) => reason === 'left_out')
        .map(({ id }) => id)
    expect(await undo({ version: 1 })).toEqual(['of-first'])
    expect(await undo({ version: 2 })).toEqual(['of-second'])
    expect((await undo({ version: 1, sectionKeys: ['plan'] })).toSorted()).toEqual(['of-first', 'of-second'])
  })

  it('is not what the clinician typed since, before the undoing or after it', async () => {
    const sessionId = await writeNote()
    await magicEdit(sessionId, { ...first, plan: 'Continue.' })
    await type(sessionId, { subjective: 'Typed by hand.', plan: 'Continue.' })
    expect(await readChange(sessionId)).toMatchObject({ sections: [{ key: 'plan' }] })
    await restore(sessionId, { version: 1, sectionKeys: ['plan'] })
    expect(await readChange(sessionId)).toBeNull()
    await type(sessionId, { subjective: 'Typed by hand.', plan: 'Without the other.' })
    expect(await readChange(sessionId)).toBeNull()
    const kept = await listSubjects(service, tenantOf(), 'progressNote.keepRewriting', sessionId)
    expect(kept).toHaveLength(0)
  })

  it('is asked about again after an undoing, by the next edit and against the text that was typed', async () => {
    const sessionId = await writeNote()
    await magicEdit(sessionId, { ...first, plan: 'Continue.' })
    await restore(sessionId, { version: 1 })
    await type(sessionId, { ...first, plan: 'Typed by hand.' })
    await magicEdit(sessionId, { ...first, plan: 'Changed.' })
    expect(await readChange(sessionId)).toMatchObject({
      versionBefore: 4,
      sections: [{ key: 'plan', before: 'Typed by hand.', after: 'Changed.' }],
    })
  })

  it('of one section leaves the others in the order that the clinician chose', async () => {
    const sessionId = await writeNote()
    await type(sessionId, { plan: first.plan, subjective: first.subjective })
    await magicEdit(sessionId, { plan: 'Continue.', subjective: first.subjective })
    const undone = await restore(sessionId, { version: 2, sectionKeys: ['plan'] })
    expect(undone.json<ProgressNote>().note.map(({ key }) => key)).toEqual(['plan', 'subjective'])
    await magicEdit(sessionId, { subjective: first.subjective })
    const back = await restore(sessionId, { version: 2, sectionKeys: ['plan'] })
    expect(back.json<ProgressNote>().note.map(({ key }) => key)).toEqual(['plan', 'subjective'])
  })

  it('of one section is refused while the note is written, also where that fails meanwhile: no draft becomes the note', async () => {
    const sessionId = await writeNote()
    const tenant = tenantOf()
    const context = await openContext()
    await clinician.call('POST', `${noteOf(sessionId)}/magic-edit`, { userInstructions: 'Shorten it.' })
    const loaded = await findNoteOfSession(service.db, tenant, sessionId)
    if (loaded?.activeGenerationId == null) throw new Error('nothing is being written')
    const failure = { generationId: loaded.activeGenerationId, reason: 'It cannot be done.' }
    await service.db.write(tenant, (tx) => failGeneration(tx, context, failure))
    const asked = {
      version: 1,
      sectionKeys: ['plan'],
      findTalk: async () => null,
      requireAccess: async () => {},
    }
    const restored = restoreNote(
      { db: service.db, checker, rechecks: makeRecheckPlaces() },
      tenant,
      context,
      loaded,
      asked,
    )
    await expect(restored).rejects.toThrow('Progress note is being generated')
    const note = (await clinician.call('GET', noteOf(sessionId))).json<ProgressNote>().note
    expect(note.map(({ key }) => key)).toEqual(['subjective', 'plan'])
  })

  it('of one section is refused where the version has another note type', async () => {
    const sessionId = await writeNote()
    await service.db.write(tenantOf(), (tx) =>
      tx.run({
        text: `update casenote.sessions set note_type = 'dap' where tenant_id = $1 and session_id = $2`,
        values: [partner.partnerId, sessionId],
      }),
    )
    expect((await restore(sessionId, { version: 1, sectionKeys: ['plan'] })).statusCode).toBe(400)
  })

  it('is not asked about once the note is signed, nor shown to who does not treat the client', async () => {
    const sessionId = await writeNote()
    await magicEdit(sessionId, { ...first, plan: 'Continue.' })
    const colleague = await addColleague(service, partner)
    const other = await signIn(service, partner, colleague.clinicianId)
    expect((await other.call('GET', `${noteOf(sessionId)}/rewriting`)).statusCode).toBe(404)
    await clinician.call('POST', `${noteOf(sessionId)}/finalize`)
    expect(await readChange(sessionId)).toBeNull()
  })

  it('404 and nothing is kept for who was cut off from the client meanwhile', async () => {
    const sessionId = await writeNote()
    await magicEdit(sessionId, { ...first, plan: 'Continue.' })
    const colleague = await addColleague(service, partner)
    const path = `/v2/clients/${partner.clientId}/secondary-clinicians`
    const { headers } = partner
    const treat = (clinicianIds: string[]) =>
      service.call({ method: 'POST', url: path, headers, payload: { clinicianIds } })
    expect((await treat([colleague.clinicianId])).statusCode).toBeLessThan(300)
    const other = await signIn(service, partner, colleague.clinicianId)
    const { rewriting } = (await other.call('GET', `${noteOf(sessionId)}/rewriting`)).json<OpenRewriting>()
    const body = { generationId: rewriting?.generationId, goneCount: 0 }
    let asked: ReturnType<typeof other.call> | undefined
    await service.owner.write(tenantOf(), async (tx) => {
      await tx.run({
        text: 'select from casenote.progress_notes where tenant_id = $1 and session_id = $2 for update',
        values: [partner.partnerId, sessionId],
      })
      asked = other.call('POST', `${noteOf(sessionId)}/rewriting/keep`, body)
      await waitUntil(async () => {
        const waiting = await service.owner.throughDoor({
          text: `select 1 from pg_locks l join pg_stat_activity a on a.pid = l.pid
            where not l.granted and a.datname = current_database()`,
          values: [],
        })
        return waiting.length > 0
      }, 'the change waits for the note')
      const gone = await service.call({ method: 'DELETE', url: `${path}/${colleague.clinicianId}`, headers })
      expect(gone.statusCode).toBeLessThan(300)
    })
    expect((await asked)?.statusCode).toBe(404)
    expect(await readChange(sessionId)).not.toBeNull()
  })
})
