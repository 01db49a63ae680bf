import {
  noContext,
  type DangerItem,
  type Mdm,
  type OpenDanger,
  type ProgressNote,
  type SessionCreate,
  type Summary,
  type TranscriptItem,
} from '@casenote/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { nameClient } from '../../src/engines/reader/name-client.js'
import type { Reader } from '../../src/engines/reader/reading.js'
import { failGeneration, findNoteOfSession, signNote } from '../../src/features/progress-notes/index.js'
import { findReading, findUnreadWords, getTranscriptItems } from '../../src/features/transcripts/index.js'
import { enqueueJob } from '../../src/jobs/enqueue-job.js'
import { claimJob, type JobOf, type OneOf } from '../../src/jobs/jobs.sql.js'
import { deriveMdm } from '../../src/pipeline/derive-mdm.js'
import { readCorrectedWords } from '../../src/pipeline/read-corrected.js'
import type { PipelineParts } from '../../src/pipeline/pipeline-parts.js'
import { summarize } from '../../src/pipeline/summarize.js'
import { writeNote } from '../../src/pipeline/write-note.js'
import { makePagesFixture } from '../client-pages/pages-fixture.js'
import { dangerOf, makeRulesReader, readByRules, toTranscript } from '../engines/session-fixtures.js'
import { makeQuotingWriter } from '../engines/writer/quoting-writer.js'
import { asPipeline, startRecord } from '../support/clinical-record.js'
import { listSubjects } from '../support/outcomes.js'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'
import { signIn, type SignedIn } from '../widget/widget-fixture.js'
import { openNoteParts, type NoteParts } from './note-parts.js'

let service: TestService
let partner: TestPartner
let clinician: SignedIn
let stage: NoteParts

beforeAll(async () => {
  service = await makeTestService()
  partner = await service.addPartner()
  clinician = await signIn(service, partner)
  stage = openNoteParts(service)
})
afterAll(async () => {
  await stage.close()
  await service.close()
})

const never = new AbortController().signal
const tenantOf = () => ({ tenantId: partner.partnerId })
type Kind = 'write_note' | 'read_transcript' | 'derive_mdm' | 'summarize'

/** Corrections are read after a pause; here at once. */
async function claim<One extends Kind>(subjectId: string, kind: One): Promise<OneOf<One>> {
  await service.owner.write(tenantOf(), (tx) =>
    tx.run({
      text: `update casenote.jobs set due_at = now() where tenant_id = $1 and subject_id = $2 and status = 'waiting'`,
      values: [partner.partnerId, subjectId],
    }),
  )
  const [job] = await service.db.throughDoor(claimJob([kind], 20_000))
  if (job === undefined) throw new Error('nothing was due')
  return job.subjectId === subjectId ? job : claim(subjectId, kind)
}

const jobOf = async (sessionId: string): Promise<unknown> => {
  const [row] = await service.owner.write(tenantOf(), (tx) =>
    tx.run({
      text: `select status, attempts from casenote.jobs
        where tenant_id = $1 and subject_id = $2 and kind = 'read_transcript'`,
      values: [partner.partnerId, sessionId],
    }),
  )
  return row
}

const readAgain = async (sessionId: string, given: Partial<PipelineParts> = {}): Promise<void> =>
  readCorrectedWords.run(stage.partsWith(given), await claim(sessionId, 'read_transcript'), never)

const talkOf = (...answers: string[]): TranscriptItem[] =>
  toTalk('Have you had thoughts of suicide?', ...answers)

const toTalk = (question: string, ...answers: string[]): TranscriptItem[] =>
  toTranscript([
    ['clinician', question],
    ...answers.map((answer) => ['client', answer] as const),
    ['client', 'We cooked together on Sunday.'],
  ])

async function write(
  items: TranscriptItem[],
  given: Partial<SessionCreate> = {},
): Promise<{ sessionId: string; clientId: string }> {
  const clientId = await makePagesFixture(service, partner).addClient()
  const context = asPipeline(await service.keys.get(tenantOf()))
  const { sessionId, generationId } = await startRecord(service.db, context, { clientId, given, items })
  await writeNote.run(stage.partsWith(), await claim(generationId, 'write_note'), never)
  return { sessionId, clientId }
}

const correct = async (sessionId: string, item: number, before: string, after: string): Promise<void> => {
  const path = `/sessions/${sessionId}/transcript/corrections`
  expect((await clinician.call('POST', path, { item, before, after })).statusCode).toBe(200)
}
const notePath = (sessionId: string) => `/sessions/${sessionId}/progress-note`
const noteOf = async (sessionId: string) =>
  (await clinician.call('GET', notePath(sessionId))).json<ProgressNote>()
const type = async (sessionId: string, content: string): Promise<ProgressNote> =>
  (
    await clinician.call('PATCH', notePath(sessionId), { note: [{ key: 'subjective', content }] })
  ).json<ProgressNote>()
const judgementsOf = ({ note }: ProgressNote) =>
  note.flatMap(({ evidence }) => evidence.map(({ sentence, judgement }) => [sentence, judgement]))
const openOf = async (sessionId: string): Promise<DangerItem[]> =>
  (await clinician.call('GET', `/sessions/${sessionId}/danger`)).json<OpenDanger>().items
const wordsOf = (items: readonly DangerItem[]) => items.map(({ words, standing }) => [words, standing])

it('opens danger that is said in corrected words, and compares the note with them instead of the words of before', async () => {
  const misheard = "No, I don't have thoughts of suicide."
  const said = 'Yes, I do have thoughts of suicide.'
  const { sessionId } = await write(talkOf(misheard))
  const typed = 'Client reports suicidal thoughts.'
  const before = await type(sessionId, typed)
  expect(judgementsOf(before)).toEqual([[typed, 'refused']])
  const tag = (await clinician.call('GET', notePath(sessionId))).headers['etag']
  await correct(sessionId, 1, misheard, said)
  expect(await openOf(sessionId)).toEqual([])

  await readAgain(sessionId)
  const after = await noteOf(sessionId)
  expect(judgementsOf(after)).toEqual([[typed, 'clinicians_words']])
  expect(after.review.filter(({ kind }) => kind === 'danger')).toEqual([])
  expect(wordsOf(await openOf(sessionId))).toEqual([[said, 'in_note']])
  // Who shows the note is told; its text, version and id are the same.
  expect((await clinician.call('GET', notePath(sessionId))).headers['etag']).not.toBe(tag)
  expect([after.progressNoteId, after.updatedAt]).toEqual([before.progressNoteId, before.updatedAt])
  expect(await listSubjects(service, tenantOf(), 'progressNote.judgeAgain', sessionId)).toHaveLength(1)
  expect(await jobOf(sessionId)).toMatchObject({ status: 'done' })
  // What is typed from now on goes with the words of now, too.
  const denied = 'Client denies suicidal thoughts.'
  expect(judgementsOf(await type(sessionId, denied))).toEqual([[denied, 'refused']])
})

it('refuses what the writer took from words that were put right, and leaves the other sentences as they were', async () => {
  const { sessionId } = await write(talkOf('No, never.'))
  const before = judgementsOf(await noteOf(sessionId))
  await correct(sessionId, 2, 'We cooked together on Sunday.', 'We looked at the river on Monday.')
  await readAgain(sessionId)
  const after = new Map(
    (await noteOf(sessionId)).note.flatMap(({ evidence }) => evidence).map((one) => [one.sentence, one]),
  )
  const cooked = [...after.values()].filter(({ sentence }) => sentence.includes('cooked'))
  expect(cooked).not.toEqual([])
  for (const one of cooked) expect([one.judgement, one.reason]).toEqual(['refused', 'quote'])
  for (const [sentence = '', judgement] of before)
    if (!sentence.includes('cooked')) expect(after.get(sentence)?.judgement).toBe(judgement)
})

it('keeps one item for a stretch that is put right, also one that was closed, and opens what is another matter', async () => {
  const heard = 'Most nights I think about kill in myself, and killing myself.'
  const said = 'Most nights I think about killing myself, and killing myself.'
  const { sessionId, clientId } = await write(toTalk('How was the week?', heard))
  const [first] = await openOf(sessionId)
  expect(first?.words).toBe(heard)
  await correct(sessionId, 1, heard, said)
  await readAgain(sessionId)
  const [second, ...more] = await openOf(sessionId)
  expect([second?.id, second?.words, more]).toEqual([first?.id, said, []])

  const closing = { itemIds: [first?.id], reason: 'Spoken about at length' }
  expect((await clinician.call('POST', `/clients/${clientId}/danger/close`, closing)).statusCode).toBe(204)
  const shorter = 'Most nights I think about killing myself.'
  await correct(sessionId, 1, said, shorter)
  await readAgain(sessionId)
  expect(await openOf(sessionId)).toEqual([])
  const other = 'My husband hits me when he drinks.'
  await correct(sessionId, 1, shorter, other)
  await readAgain(sessionId)
  expect((await openOf(sessionId)).map(({ words }) => words)).toEqual([other])
})

it('has the summary made anew of the words of now, also of those that are put right while it is written', async () => {
  const { sessionId } = await write(talkOf('No, never.'))
  const summarizeOnce = async (given: Partial<PipelineParts> = {}): Promise<void> =>
    summarize.run(stage.partsWith(given), await claim(sessionId, 'summarize'), never)
  const summaryOf = async (): Promise<string> =>
    (await clinician.call('GET', `/sessions/${sessionId}/summary`)).json<Summary>().summary
  const quoting = makeQuotingWriter({
    summarize: async ({ transcript }) => transcript.map((item) => item.transcript).join(' '),
  })
  await summarizeOnce({ writer: quoting })
  expect(await summaryOf()).toContain('cooked')
  await correct(sessionId, 2, 'We cooked together on Sunday.', 'We looked at the river on Monday.')
  await readAgain(sessionId)
  const slow = makeQuotingWriter({
    summarize: async ({ transcript }) => {
      await correct(sessionId, 1, 'No, never.', 'No, not ever.')
      return transcript.map((item) => item.transcript).join(' ')
    },
  })
  await summarizeOnce({ writer: slow })
  expect(await summaryOf()).toMatch(/No, never\. We looked at the river/)
  await summarizeOnce({ writer: quoting })
  expect(await summaryOf()).toContain('No, not ever.')
})

it('leaves a signed note and its summary as they were signed, and opens what is said all the same', async () => {
  const { sessionId } = await write(talkOf('No, never.'))
  await service.db.throughDoor(claimJob(['summarize'], 20_000))
  await clinician.call('POST', `${notePath(sessionId)}/finalize`)
  const before = await noteOf(sessionId)
  expect(before.status).toBe('finalized')
  const said = 'Yes, I think about killing myself.'
  await correct(sessionId, 1, 'No, never.', said)
  await readAgain(sessionId)
  expect(await noteOf(sessionId)).toEqual(before)
  expect(wordsOf(await openOf(sessionId))).toEqual([[said, 'not_in_note']])
  await expect(claim(sessionId, 'summarize')).rejects.toThrow('nothing was due')
})

it('leaves MDM elements and summary to a signature that comes after a correction was read, and makes what is wanting', async () => {
  await service.owner.write(tenantOf(), (tx) =>
    tx.run({
      text: 'update casenote.clinicians set prescriber = true where tenant_id = $1',
      values: [partner.partnerId],
    }),
  )
  const { sessionId } = await write(talkOf('No, never.'), { noteType: 'medication_management' })
  const saidIn = (items: readonly TranscriptItem[]) => items.map((item) => item.transcript).join(' ')
  const sign = async (): Promise<void> => {
    const signed = await clinician.call('POST', `${notePath(sessionId)}/finalize`)
    expect(signed.json<ProgressNote>().status).toBe('finalized')
  }
  let beforeItIsKept = async (): Promise<void> => {}
  const quoting = makeQuotingWriter()
  const writer = makeQuotingWriter({
    deriveMdm: async (request, signal) => {
      const findings = await quoting.deriveMdm(request, signal)
      const rationale = saidIn(request.transcript)
      await beforeItIsKept()
      return { ...findings, riskOfComplications: { level: 'low', rationale, evidence: [] } }
    },
    summarize: async ({ transcript }) => saidIn(transcript),
  })
  const run = async (kind: 'derive_mdm' | 'summarize'): Promise<void> => {
    const step = kind === 'derive_mdm' ? deriveMdm : summarize
    await step.run(stage.partsWith({ writer }), await claim(sessionId, kind), never)
  }
  const read = (what: 'mdm' | 'summary') =>
    service.call({ method: 'GET', url: `/v2/sessions/${sessionId}/${what}`, headers: partner.headers })
  const besideNote = async () => ({
    mdm: (await read('mdm')).json<Mdm>(),
    summary: (await read('summary')).json<Summary>(),
  })
  await run('derive_mdm')
  const { mdm } = await besideNote()
  expect(mdm.riskOfComplications.rationale).toContain('cooked')
  await correct(sessionId, 2, 'We cooked together on Sunday.', 'We looked at the river on Monday.')
  await readAgain(sessionId)
  // The signature comes while the writer is at work.
  beforeItIsKept = sign
  await run('derive_mdm')
  expect((await besideNote()).mdm).toEqual(mdm)
  expect(await listSubjects(service, tenantOf(), 'mdm.save', sessionId)).toHaveLength(1)
  // It had no summary when it was signed.
  await run('summarize')
  const { summary } = await besideNote()
  expect(summary.summary).toContain('river')
  await service.db.write(tenantOf(), (tx) => enqueueJob(tx, 'summarize', sessionId))
  await correct(sessionId, 1, 'No, never.', 'No, not ever.')
  await run('summarize')
  expect((await besideNote()).summary).toEqual(summary)
})

it('opens danger that turns out to be the client’s when speakers are put right, and judges the note by it', async () => {
  const said = 'I want to kill myself, I have thought about it all week.'
  const { sessionId } = await write(
    toTranscript([
      ['client', 'How was the week?'],
      ['clinician', said],
      ['clinician', 'We cooked together on Sunday.'],
    ]),
  )
  await type(sessionId, 'We cooked together on Sunday.')
  expect(await openOf(sessionId)).toEqual([])
  const swap = { speakers: { client: 'clinician', clinician: 'client' } }
  const path = `/sessions/${sessionId}/transcript`
  expect((await clinician.call('PATCH', path, swap)).statusCode).toBe(200)
  let swaps = 0
  const slow: Reader = {
    ...makeRulesReader(),
    read: async (items) => {
      swaps += 1
      if (swaps === 1) for (let times = 0; times < 2; times++) await clinician.call('PATCH', path, swap)
      return readByRules(items)
    },
  }
  await readAgain(sessionId, { reader: slow })
  expect(wordsOf(await openOf(sessionId))).toEqual([[said, 'not_in_note']])
  expect(await listSubjects(service, tenantOf(), 'progressNote.judgeAgain', sessionId)).toHaveLength(1)
  // What was changed while it read is looked at once more, and there is nothing to judge by then.
  expect(await jobOf(sessionId)).toMatchObject({ status: 'waiting', attempts: 0 })
  await readAgain(sessionId)
  expect(await jobOf(sessionId)).toMatchObject({ status: 'done' })
  expect(await listSubjects(service, tenantOf(), 'progressNote.judgeAgain', sessionId)).toHaveLength(1)
})

it('reads it anew when somebody says that who was taken for the client is a parent, and when they take it back', async () => {
  const { sessionId } = await write(
    toTranscript([
      ['clinician', 'How was the week?'],
      ['speaker_2', 'I was worried about school.'],
    ]),
  )
  const readAs: string[][] = []
  const reader: Reader = {
    ...makeRulesReader(),
    read: async (items) => {
      readAs.push(nameClient(items).map(({ speaker }) => speaker))
      return readByRules(items)
    },
  }
  for (const role of ['parent', null]) {
    const body = { speakers: [{ voice: 2, role }] }
    expect((await clinician.call('PATCH', `/sessions/${sessionId}/speakers`, body)).statusCode).toBe(200)
    await readAgain(sessionId, { reader })
    expect(await jobOf(sessionId)).toMatchObject({ status: 'done' })
  }
  expect(readAs).toEqual([
    ['clinician', 'speaker_2'],
    ['clinician', 'client'],
  ])
})

it('reads speakers once more who were changed back while a note was written that failed', async () => {
  const said = 'I want to kill myself, I have thought about it all week.'
  const { sessionId } = await write(
    toTranscript([
      ['client', 'How was the week?'],
      ['clinician', said],
    ]),
  )
  const swap = async (): Promise<void> => {
    const body = { speakers: { client: 'clinician', clinician: 'client' } }
    const answer = await clinician.call('PATCH', `/sessions/${sessionId}/transcript`, body)
    expect(answer.statusCode).toBe(200)
  }
  await clinician.call('POST', `${notePath(sessionId)}/regenerate`, {})
  await swap()
  await readAgain(sessionId)
  expect((await openOf(sessionId)).map(({ words }) => words)).toEqual([said])
  await swap()
  const context = asPipeline(await service.keys.get(tenantOf()))
  const loading = await findNoteOfSession(service.db, tenantOf(), sessionId)
  const generationId = loading?.activeGenerationId ?? ''
  await service.db.write(tenantOf(), (tx) => failGeneration(tx, context, { generationId, reason: 'gone' }))
  await readAgain(sessionId)
  expect(await listSubjects(service, tenantOf(), 'progressNote.judgeAgain', sessionId)).toHaveLength(1)
  const talk = await getTranscriptItems(service.db, context.ring, sessionId)
  expect(await findReading(service.db, context.ring, sessionId, talk)).toMatchObject({ isCurrent: true })
  expect(await jobOf(sessionId)).toMatchObject({ status: 'done' })
})

it('keeps what a model found in other lines', async () => {
  const { sessionId } = await write(talkOf('No, never.', 'I sorted all my papers for them.'))
  const transcript = talkOf('No, never.', 'I sorted all my papers for them.')
  const found = { ...dangerOf(transcript, 2), foundBy: 'model' as const }
  const finder: Reader = {
    ...makeRulesReader(),
    read: async (items) => ({ ...readByRules(items), findings: [...readByRules(items).findings, found] }),
  }
  await correct(sessionId, 3, 'We cooked together on Sunday.', 'We cooked on Sunday.')
  await readAgain(sessionId, { reader: finder })
  await correct(sessionId, 3, 'We cooked on Sunday.', 'We cooked on Monday.')
  await readAgain(sessionId)
  // Without it the item would point to nothing, and count as left out of the note.
  expect(wordsOf(await openOf(sessionId))).toEqual([[found.words, 'in_note']])
})

it('reads once more what is put right while it reads, and waits for a note that is being written', async () => {
  const { sessionId } = await write(talkOf('No, never.'))
  await correct(sessionId, 1, 'No, never.', 'No, not ever.')
  let reads = 0
  const slow: Reader = {
    ...makeRulesReader(),
    read: async (items) => {
      reads += 1
      if (reads === 1) await correct(sessionId, 1, 'No, not ever.', 'I think about killing myself.')
      return readByRules(items)
    },
  }
  await readAgain(sessionId, { reader: slow })
  expect(await jobOf(sessionId)).toMatchObject({ status: 'waiting', attempts: 0 })
  expect(await openOf(sessionId)).toEqual([])
  await clinician.call('POST', `${notePath(sessionId)}/regenerate`, {})
  await readAgain(sessionId, { reader: slow })
  // Danger does not wait for the note.
  expect((await openOf(sessionId)).map(({ words }) => words)).toEqual(['I think about killing myself.'])
  expect(await jobOf(sessionId)).toMatchObject({ status: 'waiting', attempts: 0 })
})

it('reads what is put right while a run that found nothing put right is about to end', async () => {
  const { sessionId } = await write(talkOf('No, never.'))
  await service.db.write(tenantOf(), (tx) => enqueueJob(tx, 'read_transcript', sessionId))
  let isPutRight = false
  const db = new Proxy(service.db, {
    get: (target, name) => {
      const own: unknown = Reflect.get(target, name, target)
      if (name !== 'read') return typeof own === 'function' ? (own.bind(target) as unknown) : own
      return async (...args: Parameters<typeof target.read>) => {
        const rows = await target.read(...args)
        // The last that it looks at before it ends.
        if (isPutRight || !args.some((one) => 'text' in one && one.text.includes('session_readings')))
          return rows
        isPutRight = true
        await correct(sessionId, 1, 'No, never.', 'I think about killing myself.')
        return rows
      }
    },
  })
  await readAgain(sessionId, { db })
  expect(await openOf(sessionId)).toEqual([])
  expect(await jobOf(sessionId)).toMatchObject({ status: 'waiting', attempts: 0 })
  await readAgain(sessionId)
  expect(await openOf(sessionId)).toHaveLength(1)
})

it('gives nothing away of a run that was killed, and is parked without harm', async () => {
  const { sessionId } = await write(talkOf('No, never.'))
  await correct(sessionId, 1, 'No, never.', 'I think about killing myself.')
  const away: Reader = { ...makeRulesReader(), read: () => Promise.reject(new Error('the reader is gone')) }
  const before = await noteOf(sessionId)
  await expect(readAgain(sessionId, { reader: away })).rejects.toThrow('the reader is gone')
  expect(await noteOf(sessionId)).toEqual(before)
  const [job] = await service.owner.write(tenantOf(), (tx) =>
    tx.run<JobOf<'read_transcript'>>({
      text: `select tenant_id as "tenantId", job_id as "jobId", kind, subject_id as "subjectId", attempts, fence
        from casenote.jobs where tenant_id = $1 and subject_id = $2 and kind = 'read_transcript'`,
      values: [partner.partnerId, sessionId],
    }),
  )
  if (job === undefined) throw new Error('no job')
  await readCorrectedWords.giveUp(stage.partsWith(), job, new AbortController().signal)
  expect(await jobOf(sessionId)).toMatchObject({ status: 'parked' })
  await correct(sessionId, 2, 'We cooked together on Sunday.', 'We cooked on Sunday.')
  await readAgain(sessionId)
  expect(await openOf(sessionId)).toHaveLength(1)
})

it('keeps the note from being signed in the widget while it is read, and not when it was given up', async () => {
  const { sessionId } = await write(talkOf('No, never.'))
  const sign = (body?: object) => clinician.call('POST', `${notePath(sessionId)}/finalize`, body)
  const said = 'Yes, I think about killing myself.'
  const actor = { kind: 'clinician', id: partner.clinicianId } as const
  const context = { ...asPipeline(await service.keys.get(tenantOf())), actor }
  const note = await findNoteOfSession(service.db, tenantOf(), sessionId)
  if (note === null) throw new Error('no note was written')
  let asks = 0
  // Put right after it was asked, and before the note is locked.
  const askBefore = async () => {
    const found = await findUnreadWords(service.db, context.ring, sessionId)
    asks += 1
    if (asks === 1) await correct(sessionId, 1, 'No, never.', said)
    return found
  }
  const parts = {
    ...stage.partsWith(),
    findContext: async () => ({ context: noContext }),
    findNamedItems: async () => null,
  }
  const overtaken = signNote(parts, tenantOf(), context, note, {
    rule: { isAskedFor: true, reason: null, shownIds: [] },
    surface: 'widget',
    ifMatch: null,
    findUnreadWords: askBefore,
  })
  await expect(overtaken).rejects.toThrow('still being read')
  expect(asks).toBe(2)
  const early = await sign()
  expect([early.statusCode, early.body]).toEqual([409, expect.stringContaining('still being read')])
  const job = await claim(sessionId, 'read_transcript')
  expect((await sign()).body).toContain('still being read')
  await readCorrectedWords.run(stage.partsWith(), job, never)
  const asked = await sign()
  expect([asked.statusCode, asked.body]).toEqual([409, expect.stringContaining('Danger is open')])
  await correct(sessionId, 2, 'We cooked together on Sunday.', 'We cooked on Sunday.')
  const openDangerItemIds = (await openOf(sessionId)).map(({ id }) => id)
  const signing = { openDangerReason: 'By telephone.', openDangerItemIds }
  expect((await sign(signing)).body).toContain('still being read')
  await readCorrectedWords.giveUp(stage.partsWith(), await claim(sessionId, 'read_transcript'), never)
  expect((await sign(signing)).statusCode).toBe(200)
})
