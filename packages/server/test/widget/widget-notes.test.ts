import type { MagicEdit, NoteVersion, Page, ProgressNote, Transcript } from '@casenote/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  completeGeneration,
  failGeneration,
  findPendingGeneration,
} from '../../src/features/progress-notes/index.js'
import { changeTemplate } from '../../src/features/sessions/index.js'
import { asPipeline, someSections, startRecord } from '../support/clinical-record.js'
import { listEvents } from '../support/outcomes.js'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'
import { signIn, type SignedIn } from './widget-fixture.js'

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

/** A session with a written note. */
async function writeNote(): Promise<string> {
  const context = await openContext()
  const { sessionId, generationId } = await startRecord(service.db, context, { clientId: partner.clientId })
  await service.db.write(tenantOf(), (tx) =>
    completeGeneration(tx, context, { generationId, sections: someSections(), review: [], madeBy: 'test' }),
  )
  return sessionId
}

/** What the pipeline does with what was asked for. */
async function endGeneration(sessionId: string, text: string | null): Promise<void> {
  const context = await openContext()
  await service.db.write(tenantOf(), async (tx) => {
    const [row] = await tx.run<{ id: string }>({
      text: `select active_generation_id as id from casenote.progress_notes
        where tenant_id = $1 and session_id = $2`,
      values: [partner.partnerId, sessionId],
    })
    const generationId = row?.id ?? ''
    if (text === null) {
      await failGeneration(tx, context, { generationId, reason: 'The instruction is not clear' })
      return
    }
    const pending = await findPendingGeneration(tx, context.ring, generationId)
    if (pending?.isTemplateChange === true) await changeTemplate(tx, sessionId, pending.template)
    await completeGeneration(tx, context, {
      generationId,
      sections: someSections(text),
      review: [],
      madeBy: 'test',
    })
  })
}

const noteOf = (sessionId: string) => `/sessions/${sessionId}/progress-note`
const read = async (sessionId: string): Promise<{ note: ProgressNote; etag: string }> => {
  const answer = await clinician.call('GET', noteOf(sessionId))
  return { note: answer.json<ProgressNote>(), etag: String(answer.headers.etag) }
}
const textOf = ({ note }: ProgressNote): string | undefined => note[0]?.content

describe('the note of a session', () => {
  it('is changed once for each reading: of two tabs that edit the same text one is told 409', async () => {
    const sessionId = await writeNote()
    const { etag } = await read(sessionId)
    const save = (content: string) =>
      clinician.call(
        'PATCH',
        noteOf(sessionId),
        { note: [{ key: 'subjective', content }] },
        { 'if-match': etag },
      )
    const answers = await Promise.all([save('One tab.'), save('Another tab.')])
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200, 409]))
    const winner = answers.find(({ statusCode }) => statusCode === 200)
    const { note, etag: next } = await read(sessionId)
    expect(textOf(note)).toBe(textOf(winner?.json<ProgressNote>() as ProgressNote))
    expect(winner?.headers.etag).toBe(next)
  })

  it('is again what an earlier version was, as a new version, without an event', async () => {
    const sessionId = await writeNote()
    await clinician.call('PATCH', noteOf(sessionId), { note: [{ key: 'plan', content: 'Something else.' }] })
    const restored = await clinician.call('POST', `${noteOf(sessionId)}/restore`, { version: 1 })
    expect(restored.statusCode).toBe(200)
    expect(restored.json<ProgressNote>().note.map(({ content }) => content)).toEqual(
      someSections().map(({ content }) => content),
    )
    const { data } = (await clinician.call('GET', `${noteOf(sessionId)}/versions`)).json<Page<NoteVersion>>()
    expect(data.map(({ version, origin }) => [version, origin])).toEqual([
      [1, 'generation'],
      [2, 'edit'],
      [3, 'edit'],
    ])
    expect(await listEvents(service, tenantOf(), sessionId)).toHaveLength(2)
    expect((await clinician.call('POST', `${noteOf(sessionId)}/restore`, { version: 9 })).statusCode).toBe(
      400,
    )
  })

  it('written as another type, it keeps its own until that succeeds, and goes back with its version', async () => {
    const sessionId = await writeNote()
    const regenerate = () => clinician.call('POST', `${noteOf(sessionId)}/regenerate`, { noteType: 'dap' })
    expect((await regenerate()).json<ProgressNote>()).toMatchObject({ isLoading: true, noteType: 'dap' })
    await endGeneration(sessionId, null)
    expect((await read(sessionId)).note).toMatchObject({ noteType: 'soap', isLoading: false })
    await regenerate()
    await endGeneration(sessionId, 'Written anew.')
    expect((await read(sessionId)).note).toMatchObject({ noteType: 'dap', status: 'regenerated' })
    const restored = await clinician.call('POST', `${noteOf(sessionId)}/restore`, { version: 1 })
    expect(restored.json<ProgressNote>()).toMatchObject({ noteType: 'soap', template: { noteType: 'soap' } })
  })

  it('400 for a prescriber type of a clinician who is none', async () => {
    const sessionId = await writeNote()
    const answer = await clinician.call('POST', `${noteOf(sessionId)}/regenerate`, {
      noteType: 'psychiatric_evaluation',
    })
    expect(answer.statusCode).toBe(400)
  })

  it('a magic edit that failed says why, newest first', async () => {
    const sessionId = await writeNote()
    for (const [userInstructions, text] of [
      ['Shorten it.', 'Shorter.'],
      ['Do something.', null],
    ] as const) {
      const asked = await clinician.call('POST', `${noteOf(sessionId)}/magic-edit`, { userInstructions })
      expect(asked.statusCode).toBe(202)
      await endGeneration(sessionId, text)
    }
    const { data } = (await clinician.call('GET', `${noteOf(sessionId)}/magic-edits`)).json<Page<MagicEdit>>()
    expect(data).toMatchObject([
      { userInstructions: 'Do something.', status: 'failed', failureReason: 'The instruction is not clear' },
      { userInstructions: 'Shorten it.', status: 'completed', failureReason: null },
    ])
    expect(textOf((await read(sessionId)).note)).toBe('Shorter.')
  })

  it('once finalized it is locked for everything', async () => {
    const sessionId = await writeNote()
    expect((await clinician.call('POST', `${noteOf(sessionId)}/finalize`)).json<ProgressNote>().status).toBe(
      'finalized',
    )
    for (const [method, path, body] of [
      ['PATCH', '', { note: [{ key: 'plan', content: 'x' }] }],
      ['POST', '/magic-edit', { userInstructions: 'x' }],
      ['POST', '/regenerate', {}],
      ['POST', '/restore', { version: 1 }],
    ] as const) {
      const answer = await clinician.call(method, `${noteOf(sessionId)}${path}`, body)
      expect([answer.statusCode, answer.body]).toEqual([
        403,
        expect.stringContaining('Progress note is locked'),
      ])
    }
  })

  it('speakers are swapped in the transcript', async () => {
    const sessionId = await writeNote()
    const answer = await clinician.call('PATCH', `/sessions/${sessionId}/transcript`, {
      speakers: { speaker_1: 'clinician', speaker_2: 'client' },
    })
    expect(answer.json<Transcript>().transcriptItems.map(({ speaker }) => speaker)).toEqual([
      'clinician',
      'client',
    ])
    const summary = await clinician.call('GET', `/sessions/${partner.sessionId}/summary`)
    expect(summary.json()).toMatchObject({ summary: 'Better sleep.' })
  })
})
