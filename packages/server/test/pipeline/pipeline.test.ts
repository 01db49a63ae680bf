import type {
  MagicEdit,
  Mdm,
  NoteSection,
  Page,
  ProgressNote,
  Session,
  Summary,
  Transcript,
} from '@casenote/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { waitUntil } from '../support/casenote-process.js'
import { listEvents } from '../support/outcomes.js'
import { makeReceiver, type Receiver } from '../webhooks/dispatch-fixture.js'
import { openPipelineRun, visit, type PipelineRun } from './pipeline-fixture.js'

let run: PipelineRun
let receiver: Receiver

beforeAll(async () => {
  run = await openPipelineRun('start')
  receiver = await makeReceiver()
  await run.call('POST', '/webhook-endpoints', { url: receiver.url })
  run.files.serve('/visit.ogg', visit('mood and doses'))
  run.files.serve('/plan.ogg', visit('a higher dose'))
})
afterAll(async () => {
  await run.close()
  await receiver.close()
})

const eventTypesOf = async (sessionId: string): Promise<string[]> =>
  (await listEvents(run.service, { tenantId: run.partner.partnerId }, sessionId)).map(
    ({ eventType }) => eventType,
  )

const deliveredAbout = (sessionId: string): string[] =>
  receiver.received
    .map(({ body }) => JSON.parse(body.toString()) as { eventType: string; payload: { sessionId?: string } })
    .filter(({ payload }) => payload.sessionId === sessionId)
    .map(({ eventType }) => eventType)

const noteOf = async (sessionId: string): Promise<ProgressNote> =>
  (await run.call<ProgressNote>('GET', `/sessions/${sessionId}/progress-note`)).body

const transcriptOf = async (sessionId: string): Promise<Transcript> =>
  (await run.call<Transcript>('GET', `/sessions/${sessionId}/transcript`)).body

const evidenceOf = (sections: readonly NoteSection[]): NoteSection['evidence'] =>
  sections.flatMap(({ evidence }) => evidence)

const wordsOf = ({ transcriptItems }: Transcript): string =>
  transcriptItems
    .map(({ transcript }) => transcript)
    .join(' ')
    .toLowerCase()

describe('a recording becomes a note, in the program itself', () => {
  let sessionId: string

  beforeAll(async () => {
    sessionId = await run.createSession({ fileUrl: run.files.urlOf('/visit.ogg'), noteType: 'soap' })
    await run.sessionEnded(sessionId)
  })

  it('the session is completed', async () => {
    const { body } = await run.call<Session>('GET', `/sessions/${sessionId}`)
    expect(body).toMatchObject({ status: 'completed', noteType: 'soap' })
  })

  it('the transcript says what was said, by two speakers, in the order of time', async () => {
    const transcript = await transcriptOf(sessionId)
    expect(wordsOf(transcript)).toMatch(/sertraline.*breakfast.*doses.*nausea/s)
    expect(new Set(transcript.transcriptItems.map(({ speaker }) => speaker)).size).toBe(2)
    const starts = transcript.transcriptItems.map(({ startTime }) => startTime)
    expect(starts).toEqual(starts.toSorted((a, b) => a - b))
    expect(transcript.transcriptItems.every(({ endTime }) => endTime <= 31)).toBe(true)
  })

  it('the note has every section of its template, and each sentence its evidence', async () => {
    const note = await noteOf(sessionId)
    const { transcriptItems } = await transcriptOf(sessionId)
    expect(note).toMatchObject({ status: 'generated', isLoading: false })
    expect(note.note.map(({ key }) => key)).toEqual(note.template.sections.map(({ key }) => key))
    const evidence = evidenceOf(note.note)
    // Without a model nothing is called verified.
    expect(new Set(evidence.map(({ judgement }) => judgement))).toEqual(new Set(['exact_checks_only']))
    // "… not asked" rests on the whole session; at least one other sentence is about what was said.
    expect(evidence.filter(({ transcriptItems: items }) => items.length > 0).length).toBeGreaterThan(0)
    expect(note.note.map(({ content }) => content).join('\n')).toMatch(/“[^”]*missed (?:two|2) doses/)
    for (const { transcriptItems: items } of evidence) {
      expect(items.filter((index) => transcriptItems[index] === undefined)).toEqual([])
    }
    for (const { content, evidence: own } of note.note) {
      for (const { sentence } of own) expect(content).toContain(sentence)
    }
  })

  it('the note says that it holds quotes, and lists what it leaves out', async () => {
    const { writer, review } = await noteOf(sessionId)
    expect(writer).toMatchObject({ engine: 'extract', isExtract: true })
    const { transcriptItems } = await transcriptOf(sessionId)
    for (const { words, transcriptItems: items } of review) {
      expect(items.map((item) => transcriptItems[item]?.transcript).join(' ')).toContain(words)
    }
  })

  it('there is a summary', async () => {
    const { status, body } = await run.call<Summary>('GET', `/sessions/${sessionId}/summary`)
    expect([status, body.sessionId]).toEqual([200, sessionId])
    expect(body.summary).toMatch(/\w+ \w+ \w+/)
  })

  it('exactly two events, each delivered once, and no MDM elements', async () => {
    const expected = ['transcript_ready', 'progress_note_generated']
    expect(await eventTypesOf(sessionId)).toEqual(expected)
    await waitUntil(async () => deliveredAbout(sessionId).length >= 2, 'both events are delivered')
    expect(deliveredAbout(sessionId).toSorted()).toEqual(expected.toSorted())
    expect((await run.call('GET', `/sessions/${sessionId}/mdm`)).body).toMatchObject({
      error: { message: 'MDM elements have not been generated' },
    })
  })

  it('says what made each of them', async () => {
    const made = await run.rows<{ madeBy: string }>(
      `select made_by as "madeBy" from casenote.transcripts where tenant_id = $1 and session_id = $2
       union all select made_by from casenote.summaries where tenant_id = $1 and session_id = $2`,
      sessionId,
    )
    expect(made).toHaveLength(2)
    for (const { madeBy } of made) expect(madeBy).toMatch(/\w+ \S+/)
  })

  it('keeps how long the recording was, for usage', async () => {
    const [row] = await run.rows<{ audioMs: number }>(
      `select audio_ms as "audioMs" from casenote.sessions where tenant_id = $1 and session_id = $2`,
      sessionId,
    )
    const { transcriptItems } = await transcriptOf(sessionId)
    const lastMs = Math.max(...transcriptItems.map(({ endTime }) => endTime * 1_000))
    expect(row?.audioMs).toBeGreaterThanOrEqual(Math.floor(lastMs) - 500)
    expect(row?.audioMs).toBeLessThan(40_000)
  })
})

describe('a prescriber note type', () => {
  it('also gets MDM elements, with evidence, and their event', async () => {
    const { clientId } = await run.addPrescriber()
    const fileUrl = run.files.urlOf('/plan.ogg')
    const given = { fileUrl, noteType: 'medication_management' as const }
    const sessionId = await run.createSession(given, clientId)
    expect(await run.sessionEnded(sessionId)).toMatchObject({ status: 'completed' })
    expect((await eventTypesOf(sessionId)).toSorted()).toEqual([
      'mdm_elements_identified',
      'progress_note_generated',
      'transcript_ready',
    ])
    const { status, body } = await run.call<Mdm>('GET', `/sessions/${sessionId}/mdm`)
    expect(status).toBe(200)
    const { transcriptItems } = await transcriptOf(sessionId)
    const items = [...body.problemsAddressed, body.riskOfComplications].flatMap(({ evidence }) => evidence)
    expect(items.length).toBeGreaterThan(0)
    expect(items.filter((index) => transcriptItems[index] === undefined)).toEqual([])
    expect((await run.call('GET', `/sessions/${sessionId}/summary`)).status).toBe(200)
  })
})

describe('what a clinician does with the note', () => {
  let sessionId: string

  beforeAll(async () => {
    sessionId = await run.createSession({ fileUrl: run.files.urlOf('/visit.ogg') })
    await run.sessionEnded(sessionId)
  })

  const magicEdit = async (userInstructions: string): Promise<MagicEdit> => {
    const { id } = await noteOf(sessionId)
    expect((await run.call('POST', `/progress-notes/${id}/magic-edit`, { userInstructions })).status).toBe(
      202,
    )
    await run.noteAtRest(sessionId)
    const { body } = await run.call<Page<MagicEdit>>(
      'GET',
      `/clinicians/${run.partner.clinicianId}/magic-edit?pageSize=100`,
    )
    const edit = body.data.findLast((one) => one.sessionId === sessionId)
    if (edit === undefined) throw new Error('the magic edit is not listed')
    return edit
  }

  it('regenerate writes it anew under a new id, from the same transcript', async () => {
    const before = await noteOf(sessionId)
    expect((await run.call('POST', `/progress-notes/${before.id}/regenerate`)).status).toBe(202)
    const after = await run.noteAtRest(sessionId)
    expect(after).toMatchObject({ status: 'regenerated', note: before.note })
    expect(after.id).not.toBe(before.id)
    expect((await eventTypesOf(sessionId)).at(-1)).toBe('progress_note_regenerated')
    expect(await run.sessionEnded(sessionId)).toMatchObject({ status: 'completed' })
  })

  it('a magic edit does what it is asked for', async () => {
    const before = await noteOf(sessionId)
    const edit = await magicEdit('Turn this into a DAP note.')
    expect(edit).toMatchObject({ status: 'completed', failureReason: null })
    const after = await noteOf(sessionId)
    expect(after.id).not.toBe(before.id)
    expect(after.noteType).toBe('dap')
    expect(after.note.map(({ key }) => key)).toEqual(['data', 'assessment', 'plan'])
  })

  it('a magic edit that cannot be done fails with a reason, and leaves note and events as they were', async () => {
    const before = await noteOf(sessionId)
    const events = await eventTypesOf(sessionId)
    const edit = await magicEdit('Translate it into Portuguese.')
    expect(edit.status).toBe('failed')
    expect(edit.failureReason).toMatch(/language model/)
    expect(await noteOf(sessionId)).toEqual(before)
    expect(await eventTypesOf(sessionId)).toEqual(events)
  })

  it('a prescriber note type cannot be had by a magic edit of someone who is none', async () => {
    const before = await noteOf(sessionId)
    const edit = await magicEdit('Turn this into a medication management note.')
    expect(edit).toMatchObject({
      status: 'failed',
      failureReason: 'Only a prescriber can use that note type',
    })
    expect(await noteOf(sessionId)).toEqual(before)
  })

  it("PATCH: what is new is the clinician's, with the items where it was said; a dose that was not said is refused", async () => {
    const { id } = await noteOf(sessionId)
    const { transcriptItems } = await transcriptOf(sessionId)
    const index = transcriptItems.findIndex(({ transcript }) => /nausea/i.test(transcript))
    const said = 'Nausea in the first week.'
    const added = 'Reports a brother in Lisbon.'
    const wrong = 'Takes sertraline 400 mg.'
    const { status, body } = await run.call<ProgressNote>('PATCH', `/progress-notes/${id}`, {
      note: [{ key: 'plan', content: `${said} ${added} ${wrong}` }],
    })
    expect(status).toBe(200)
    const theirs = { supported: true, judgement: 'clinicians_words', reason: null }
    expect(body.note[0]?.evidence).toEqual([
      { sentence: said, transcriptItems: [index], ...theirs },
      { sentence: added, transcriptItems: [], ...theirs },
      expect.objectContaining({ sentence: wrong, supported: false, judgement: 'refused', reason: 'dose' }),
    ])
    expect(body.review.length).toBeGreaterThan(0)
  })

  it('finalize locks it, with its event', async () => {
    const { id } = await noteOf(sessionId)
    expect((await run.call('POST', `/progress-notes/${id}/finalize`)).status).toBe(200)
    expect((await noteOf(sessionId)).status).toBe('finalized')
    expect((await eventTypesOf(sessionId)).at(-1)).toBe('progress_note_finalized')
    expect((await run.call('POST', `/progress-notes/${id}/regenerate`)).status).toBe(403)
  })
})
