import type { NoteSection, NoteVersion, OpenRewriting, Page, ProgressNote } from '@casenote/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { completeGeneration } from '../../src/features/progress-notes/index.js'
import { asPipeline, startRecord } from '../support/clinical-record.js'
import { listEvents, listSubjects } from '../support/outcomes.js'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'
import { addColleague, signIn, type SignedIn } from './widget-fixture.js'

let service: TestService
let partner: TestPartner
let clinician: SignedIn

beforeAll(async () => {
  service = await makeTestService()
  partner = await service.addPartner()
  clinician = await signIn(service, partner)
})
afterAll(() => service.close())

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

async function writeNote(): Promise<string> {
  const context = await openContext()
  const { sessionId, generationId } = await startRecord(service.db, context, { clientId: partner.clientId })
  await complete(generationId, first)
  return sessionId
}

const complete = async (generationId: string, texts: Record<string, string>) => {
  const context = await openContext()
  const writing = { generationId, sections: toSections(texts), review: [], madeBy: 'test' }
  await service.db.write(tenantOf(), (tx) => completeGeneration(tx, context, writing))
}

async function magicEdit(sessionId: string, texts: Record<string, string>): Promise<void> {
  await clinician.call('POST', `${noteOf(sessionId)}/magic-edit`, { userInstructions: 'Shorten it.' })
  const [row] = (await service.db.read(tenantOf(), {
    text: 'select active_generation_id as id from casenote.progress_notes where tenant_id = $1 and session_id = $2',
    values: [partner.partnerId, sessionId],
  })) as { id: string }[]
  await complete(row?.id ?? '', texts)
}

const noteOf = (sessionId: string) => `/sessions/${sessionId}/progress-note`
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
})
