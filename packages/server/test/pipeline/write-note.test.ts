import { Writable } from 'node:stream'
import type { NoteSection, ProgressNote, Summary, TranscriptItem } from '@casenote/contract'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { NoteChecker } from '../../src/engines/checker/note-checker.js'
import { EngineFault } from '../../src/engines/engine-fault.js'
import type { Reader } from '../../src/engines/reader/reading.js'
import type { JudgedSentence, WriterEngine } from '../../src/engines/writer/writer-engine.js'
import {
  changeNote,
  findNoteOfSession,
  makeRecheckPlaces,
  restoreNote,
} from '../../src/features/progress-notes/index.js'
import { keepPad } from '../../src/features/session-pads/index.js'
import { findTalk } from '../../src/features/transcripts/index.js'
import { claimJob, releaseJobs, type Job, type JobKind, type OneOf } from '../../src/jobs/jobs.sql.js'
import { describeFault } from '../../src/kernel/log.js'
import { openExtractWriter } from '../../src/main/open-writer.js'
import type { PipelineParts } from '../../src/pipeline/pipeline-parts.js'
import { summarize } from '../../src/pipeline/summarize.js'
import { writeNote } from '../../src/pipeline/write-note.js'
import { dangerOf, makeRulesReader, therapySession, toTranscript } from '../engines/session-fixtures.js'
import { ProseStage } from '../engines/writer/prose-fixture.js'
import { makeQuotingWriter } from '../engines/writer/quoting-writer.js'
import { startRecord } from '../support/clinical-record.js'
import { makeNoteCalls, told as refusalOf, type NoteCalls } from '../support/note-calls.js'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'
import { signIn } from '../widget/widget-fixture.js'
import { openNoteParts, type NoteParts } from './note-parts.js'

let service: TestService
let partner: TestPartner
let notes: NoteCalls
let stage: NoteParts
let logged: unknown[] = []

beforeAll(async () => {
  service = await makeTestService()
  partner = await service.addPartner()
  notes = await makeNoteCalls(service, partner)
  const stream = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      logged.push(JSON.parse(chunk.toString()))
      done()
    },
  })
  stage = openNoteParts(service, pino({ serializers: { err: describeFault } }, stream))
})
afterAll(async () => {
  await stage.close()
  await service.close()
})

const never = new AbortController().signal

/** The partner has other notes to be written: their jobs stay claimed. */
async function claim<Kind extends JobKind>(subjectId: string, kind: Kind): Promise<OneOf<Kind>> {
  const [job] = await service.db.throughDoor(claimJob([kind], 20_000))
  if (job === undefined) throw new Error('nothing was due')
  return job.subjectId === subjectId ? job : claim(subjectId, kind)
}

async function write(generationId: string, given: Partial<PipelineParts> = {}): Promise<void> {
  logged = []
  await writeNote.run(stage.partsWith(given), await claim(generationId, 'write_note'), never)
}

/** The process that had the job is gone. */
async function release(job: Job): Promise<void> {
  const tenant = { tenantId: partner.partnerId }
  await service.owner.write(tenant, (tx) =>
    tx.run({
      text: `update casenote.jobs set leased_until = now() - interval '1 second' where tenant_id = $1 and job_id = $2`,
      values: [tenant.tenantId, job.jobId],
    }),
  )
  await service.db.throughDoor(releaseJobs())
}

const crisis = toTranscript([
  ['clinician', 'How was the week?'],
  ['client', 'Bad. Most nights I think about killing myself.'],
  ['clinician', 'And your sister?'],
  ['client', 'We cooked together on Sunday.'],
])

const begin = (items: TranscriptItem[] = crisis) =>
  startRecord(service.db, notes.context, { clientId: partner.clientId, items })

const sentence = (text: string, ...transcriptItems: number[]): JudgedSentence => ({
  text,
  transcriptItems,
  judgement: 'verified',
  reason: null,
})

/** Behind a server, and without a word on danger. */
const forgetful = makeQuotingWriter({
  name: 'openai',
  versions: { engine: 'openai', model: 'some model', prompt: 'p1', templates: 't1' },
  async *writeNote({ reading: { findings } }) {
    const sections = ['subjective', 'objective', 'assessment', 'plan'].map((key) => ({
      key,
      layout: 'paragraph' as const,
      sentences: key === 'subjective' ? [sentence('Client cooked with family on Sunday.', 3)] : [],
    }))
    yield { kind: 'end', note: { sections, findings } }
  },
})

const patch = async (note: ProgressNote, content: string): Promise<ProgressNote> => {
  const answer = await notes.call('PATCH', `/progress-notes/${note.id}`, {
    note: [{ key: 'subjective', content }],
  })
  expect(answer.statusCode).toBe(200)
  return answer.json<ProgressNote>()
}

const dangerIn = ({ review }: ProgressNote) =>
  review
    .filter(({ kind }) => kind === 'danger')
    .map(({ reason, words, transcriptItems }) => [reason, words, transcriptItems.at(-1)])

const said = 'Most nights I think about killing myself.'
const told = 'Client reports thinking about killing themselves most nights.'

const evidenceOf = (sections: readonly NoteSection[]) =>
  sections.flatMap(({ evidence }) => evidence.map((one) => [one.sentence, one.judgement, one.supported]))

describe('a note that is written', () => {
  it('shows who wrote it, and what was said and is not in it', async () => {
    const { sessionId, generationId } = await begin()
    await write(generationId, { writer: forgetful })
    const note = await notes.noteOf(sessionId)
    expect(note).toMatchObject({
      status: 'generated',
      writer: { engine: 'openai', model: 'some model', isExtract: false },
    })
    expect(dangerIn(note)).toEqual([['not_written', said, 1]])
    expect(evidenceOf(note.note)).toEqual([['Client cooked with family on Sunday.', 'verified', true]])
  })

  it('lists what a refused sentence about danger was replaced by, and what could not be, through every edit', async () => {
    const prose = await ProseStage.open(stage.checker)
    try {
      const items = toTranscript([
        ['clinician', 'How are the evenings?'],
        ['client', 'I put my papers in order. We cooked on Sunday.'],
      ])
      const { sessionId, generationId } = await begin(items)
      const draft = (...sentences: { text: string; items: number[] }[]) => ({
        layout: 'paragraph',
        sentences,
      })
      prose.script
        .next('progress_note', {
          subjective: draft({ text: 'Client cooked on Sunday.', items: [1] }),
          objective: draft(),
          assessment: draft(
            { text: 'Client ordered their papers in preparation for suicide.', items: [1] },
            { text: 'Client keeps a gun in the house.', items: [] },
          ),
          plan: draft(),
        })
        .next('verification', {
          verdicts: [
            { n: 1, verdict: 'borne_out', reason: null, items: [] },
            { n: 2, verdict: 'refused', reason: 'not_said', items: [1] },
          ],
        })
      await write(generationId, { writer: prose.openWriter() })
      const note = await notes.noteOf(sessionId)
      const quote = 'Client said: “I put my papers in order.”'
      expect(evidenceOf(note.note)).toContainEqual([quote, 'exact_checks_only', true])
      const listed = ({ review }: ProgressNote) =>
        review.map(({ kind, label, words, reason }) => [kind, label, words, reason])
      const open = [
        ['danger', 'Danger', 'I put my papers in order.', 'quoted_instead'],
        ['danger', 'Access to means of suicide', '', 'left_out'],
      ]
      expect(listed(note)).toEqual(open)
      const answer = await notes.call('PATCH', `/progress-notes/${note.id}`, {
        note: [
          { key: 'subjective', content: 'Client cooked.' },
          { key: 'assessment', content: quote },
        ],
      })
      expect(listed(answer.json<ProgressNote>())).toEqual(open)
      const reworded = await patch(note, 'Client cooked.')
      expect(listed(reworded)).toEqual(open.slice(1))
    } finally {
      await prose.close()
    }
  })

  it('says who of two people said what is not in it', async () => {
    const { sessionId, generationId } = await begin(
      toTranscript([
        ['clinician', 'Any thoughts of suicide, either of you?'],
        ['speaker_2', 'No, never.'],
        ['clinician', 'And you?'],
        ['speaker_3', said],
      ]),
    )
    await write(generationId, { writer: forgetful })
    const { review } = await notes.noteOf(sessionId)
    expect(review.map(({ words, speaker }) => [words, speaker])).toContainEqual([said, 'speaker_3'])
  })

  it('says who said what, by the names that somebody gave before it was written', async () => {
    const { sessionId, generationId } = await begin(
      toTranscript([
        ['clinician', 'Any thoughts of suicide, either of you?'],
        ['speaker_2', 'No, never.'],
        ['clinician', 'And you?'],
        ['speaker_3', said],
      ]),
    )
    const named = await notes.call('PATCH', `/sessions/${sessionId}/speakers`, {
      speakers: [
        { voice: 2, name: 'Ana', role: 'client' },
        { voice: 3, name: 'Ben', role: 'partner' },
      ],
    })
    expect(named.statusCode).toBe(200)
    let heard: unknown
    const writer = makeQuotingWriter()
    const listening: WriterEngine = {
      ...writer,
      writeNote: (request, signal) => {
        heard = request.transcript.map(({ speaker, person }) => [speaker, person?.label])
        return writer.writeNote(request, signal)
      },
    }
    await write(generationId, { writer: listening })
    expect(heard).toEqual([
      ['clinician', undefined],
      ['client', 'Ana, client'],
      ['clinician', undefined],
      ['speaker_3', 'Ben, partner'],
    ])
  })

  it('says that it holds quotes when it does', async () => {
    const { sessionId, generationId } = await begin()
    await write(generationId)
    const note = await notes.noteOf(sessionId)
    expect(note.writer).toEqual({ engine: 'extract', model: 'stand-in', isExtract: true })
    expect(dangerIn(note)).toEqual([])
  })

  it('PATCH is checked against the kept reading, and the list changes with the text', async () => {
    const { sessionId, generationId } = await begin()
    await write(generationId, { writer: forgetful })
    const note = await notes.noteOf(sessionId)
    const kept = 'Client cooked with family on Sunday.'
    const better = await patch(note, `${kept} ${told}`)
    expect(dangerIn(better)).toEqual([])
    expect(evidenceOf(better.note)).toEqual([
      [kept, 'verified', true],
      [told, 'clinicians_words', true],
    ])
    expect(better.writer).toEqual(note.writer)
    const worse = await patch(note, `${kept} Client denies suicidal ideation.`)
    expect(evidenceOf(worse.note).at(-1)).toEqual(['Client denies suicidal ideation.', 'refused', false])
    expect(dangerIn(worse)).toEqual([[expect.any(String), said, 1]])
    expect(dangerIn(await patch(note, kept))).toEqual([['not_written', said, 1]])
  })

  it('what a model found is kept with the reading, and later edits are held against it', async () => {
    const words = 'We cooked together on Sunday.'
    const found = { ...dangerOf(crisis, 3, words), id: 'danger-model', foundBy: 'model' as const }
    const finder = makeQuotingWriter({
      async *writeNote(request, signal) {
        for await (const event of forgetful.writeNote(request, signal))
          if (event.kind === 'end')
            yield { kind: 'end', note: { ...event.note, findings: [...event.note.findings, found] } }
      },
    })
    const { sessionId, generationId } = await begin()
    await write(generationId, { writer: finder })
    const note = await notes.noteOf(sessionId)
    expect(dangerIn(await patch(note, told))).toEqual([['not_written', words, 3]])
  })
})

describe('a note of another type by a magic edit', () => {
  it('has none of the words unmarked that its clinician never wants to read, and keeps the template as it is', async () => {
    const other = await service.addPartner()
    const own = await makeNoteCalls(service, other)
    const given = { clientId: other.clientId, given: { noteType: 'soap' as const }, items: therapySession }
    const { sessionId, generationId } = await startRecord(service.db, own.context, given)
    await write(generationId)
    const { id, note } = await own.noteOf(sessionId)
    const phrase = 'ending your life'
    expect(JSON.stringify(note)).toContain(phrase)
    const path = `/clinicians/${other.clinicianId}/writing-preferences`
    expect((await own.call('PATCH', path, { avoidedPhrases: [phrase] })).statusCode).toBe(200)
    const edit = { userInstructions: 'Change it to a DAP note.' }
    expect((await own.call('POST', `/progress-notes/${id}/magic-edit`, edit)).statusCode).toBe(202)
    const writer = openExtractWriter()
    try {
      await write(await own.activeOf(sessionId), { writer })
    } finally {
      await writer.close()
    }
    const edited = await own.noteOf(sessionId)
    expect([edited.noteType, edited.template.id, edited.isLoading]).toEqual(['dap', 'dap', false])
    const marked = edited.note
      .flatMap(({ evidence }) => evidence)
      .filter((one) => one.sentence.includes(phrase))
    expect(marked.length).toBeGreaterThan(0)
    for (const one of marked) expect(one).toMatchObject({ judgement: 'refused', reason: 'must_not' })
    expect(JSON.stringify(edited.template)).not.toContain(phrase)
  })
})

describe('reading', () => {
  /** Counts, and remembers who spoke. */
  const countingReader = (version = 'rules'): { reader: Reader; reads: string[][] } => {
    const reads: string[][] = []
    const rules = makeRulesReader(version)
    const read: Reader['read'] = (transcript, signal) => {
      reads.push([...new Set(transcript.map(({ speaker }) => speaker))])
      return rules.read(transcript, signal)
    }
    return { reader: { ...rules, read }, reads }
  }

  const regenerate = async (sessionId: string, given: Partial<PipelineParts>): Promise<void> => {
    const { id } = await notes.noteOf(sessionId)
    expect((await notes.call('POST', `/progress-notes/${id}/regenerate`)).statusCode).toBe(202)
    await write(await notes.activeOf(sessionId), given)
  }

  it('is done once, again by a newer reader, and again when speakers were corrected', async () => {
    const { reader, reads } = countingReader()
    const { sessionId, generationId } = await begin()
    await write(generationId, { reader, writer: forgetful })
    await regenerate(sessionId, { reader, writer: forgetful })
    expect(reads).toEqual([['clinician', 'client']])
    const newer = countingReader('rules 2')
    await regenerate(sessionId, { reader: newer.reader, writer: forgetful })
    expect(newer.reads).toHaveLength(1)
    const speakers = { clinician: 'client', client: 'clinician' }
    const corrected = await notes.call('PATCH', `/sessions/${sessionId}/transcript`, { speakers })
    expect(corrected.statusCode).toBe(200)
    await regenerate(sessionId, { reader: newer.reader, writer: forgetful })
    expect(newer.reads).toEqual([
      ['clinician', 'client'],
      ['client', 'clinician'],
    ])
  })

  it('by a newer reader keeps what only a model found, also where the next writer is none', async () => {
    const words = 'How was the week?'
    const found = { ...dangerOf(crisis, 0, words), id: 'danger-model', foundBy: 'model' as const }
    const finder = makeQuotingWriter({
      async *writeNote(request, signal) {
        for await (const event of forgetful.writeNote(request, signal))
          if (event.kind === 'end')
            yield { kind: 'end', note: { ...event.note, findings: [...event.note.findings, found] } }
      },
    })
    const { sessionId, generationId } = await begin()
    await write(generationId, { writer: finder })
    await regenerate(sessionId, { reader: makeRulesReader('rules 3'), writer: forgetful })
    expect(dangerIn(await notes.noteOf(sessionId))).toContainEqual(['not_written', words, 0])
  })

  it('an edit between the correction of speakers and the next writing loses nothing from the list', async () => {
    const { sessionId, generationId } = await begin()
    await write(generationId, { writer: forgetful })
    const speakers = { clinician: 'client', client: 'clinician' }
    await notes.call('PATCH', `/sessions/${sessionId}/transcript`, { speakers })
    const note = await notes.noteOf(sessionId)
    expect(dangerIn(await patch(note, 'Client cooked with family.'))).toEqual([['not_written', said, 1]])
  })

  it('a kill within the reading reads once more, one after it reads no more, and nothing is lost', async () => {
    const { reader, reads } = countingReader()
    const { sessionId, generationId } = await begin()
    const isKilled = new Error('the process is killed')
    const dying: Reader = {
      ...reader,
      read: async (transcript, signal) => {
        await reader.read(transcript, signal)
        throw isKilled
      },
    }
    const first = await claim(generationId, 'write_note')
    await expect(writeNote.run(stage.partsWith({ reader: dying }), first, never)).rejects.toBe(isKilled)
    await release(first)
    const second = await claim(generationId, 'write_note')
    const breaking = makeQuotingWriter({
      writeNote: () => {
        throw isKilled
      },
    })
    const parts = stage.partsWith({ reader, writer: breaking })
    await expect(writeNote.run(parts, second, never)).rejects.toBe(isKilled)
    expect(reads).toHaveLength(2)
    await release(second)
    await write(generationId, { reader, writer: forgetful })
    expect(reads).toHaveLength(2)
    const note = await notes.noteOf(sessionId)
    expect(note).toMatchObject({ status: 'generated', isLoading: false })
    expect(dangerIn(note)).toEqual([['not_written', said, 1]])
    expect((await notes.eventsOf(sessionId)).map(({ eventType }) => eventType)).toEqual([
      'progress_note_generated',
    ])
  })
})

describe('a writer that cannot', () => {
  const refusing = (fault: EngineFault): WriterEngine => ({
    ...forgetful,
    writeNote: () => {
      throw fault
    },
    summarize: async () => {
      throw fault
    },
  })
  const refused = new EngineFault('refused', 'the writer server answered 401 (invalid_api_key)')

  it('a note that its engine refuses fails, and the log says what the engine answered', async () => {
    const { sessionId, generationId } = await begin()
    await write(generationId, { writer: refusing(refused) })
    expect(await notes.noteOf(sessionId)).toMatchObject({
      status: 'failed',
      isLoading: false,
      note: [],
      review: [],
      writer: null,
    })
    expect(logged).toEqual([
      expect.objectContaining({
        sessionId,
        msg: 'no note was written',
        err: expect.objectContaining({
          kind: 'EngineFault',
          told: 'refused: the writer server answered 401 (invalid_api_key)',
        }),
      }),
    ])
  })

  it('is replaced by quotes if the operator chose so, and the note says that they are', async () => {
    const { sessionId, generationId } = await begin()
    await write(generationId, { writer: refusing(refused), fallbackWriter: makeQuotingWriter() })
    const note = await notes.noteOf(sessionId)
    expect(note).toMatchObject({ status: 'generated', writer: { engine: 'extract', isExtract: true } })
    expect(note.note.flatMap(({ content }) => content).join()).toContain(said)
    expect(logged).toEqual([expect.objectContaining({ sessionId, msg: 'it is quoted instead of written' })])
    const parts = stage.partsWith({ writer: refusing(refused), fallbackWriter: makeQuotingWriter() })
    await summarize.run(parts, await claim(sessionId, 'summarize'), never)
    const summary = await notes.call('GET', `/sessions/${sessionId}/summary`)
    expect(summary.json<Summary>().summary).toBe('4 items were said in the session.')
  })

  it('that is only away is waited for, whatever the operator chose', async () => {
    const { sessionId, generationId } = await begin()
    const away = new EngineFault('unavailable', 'the writer server does not answer')
    const parts = stage.partsWith({ writer: refusing(away), fallbackWriter: makeQuotingWriter() })
    await expect(writeNote.run(parts, await claim(generationId, 'write_note'), never)).rejects.toBe(away)
    expect(await notes.noteOf(sessionId)).toMatchObject({ isLoading: true, status: 'generating' })
  })

  it('that was away in every attempt is replaced by quotes in the end, if the operator chose so', async () => {
    const away = new EngineFault('unavailable', 'the model was killed in its answer')
    const { sessionId, generationId } = await begin()
    const parts = stage.partsWith({ writer: refusing(away), fallbackWriter: makeQuotingWriter() })
    await writeNote.giveUp(parts, await claim(generationId, 'write_note'), never)
    const note = await notes.noteOf(sessionId)
    expect(note).toMatchObject({ status: 'generated', isLoading: false, writer: { isExtract: true } })
    expect(note.note.flatMap(({ content }) => content).join()).toContain(said)
    const other = await begin()
    await writeNote.giveUp(
      stage.partsWith({ writer: refusing(away) }),
      await claim(other.generationId, 'write_note'),
      never,
    )
    expect(await notes.noteOf(other.sessionId)).toMatchObject({ status: 'failed', note: [] })
  })

  it('that ends without a note fails it', async () => {
    const { sessionId, generationId } = await begin()
    await write(generationId, { writer: makeQuotingWriter({ async *writeNote() {} }) })
    expect(await notes.noteOf(sessionId)).toMatchObject({ status: 'failed', note: [] })
  })
})

describe('after a stretch was struck', () => {
  const refused = new EngineFault('refused', 'the writer server answered 401 (invalid_api_key)')
  const failing = makeQuotingWriter({
    writeNote: () => {
      throw refused
    },
  })
  const sumUp = async (sessionId: string): Promise<void> =>
    summarize.run(stage.partsWith(), await claim(sessionId, 'summarize'), never)
  const readSummary = async (sessionId: string): Promise<Summary> =>
    (await notes.call('GET', `/sessions/${sessionId}/summary`)).json<Summary>()
  const change = (id: string, content: string) =>
    notes.call('PATCH', `/progress-notes/${id}`, { note: [{ key: 'subjective', content }] })
  const finalize = (id: string) => notes.call('POST', `/progress-notes/${id}/finalize`)
  const listTypes = async (sessionId: string) =>
    (await notes.eventsOf(sessionId)).map(({ eventType }) => eventType)

  /** Written and summed up, and then without its last line. */
  async function strike(): Promise<{ sessionId: string; before: ProgressNote; summaryId: string }> {
    const { sessionId, generationId } = await begin()
    await write(generationId)
    await sumUp(sessionId)
    const before = await notes.noteOf(sessionId)
    const { summaryId } = await readSummary(sessionId)
    const [start, end] = [crisis[3]?.startTime, crisis[3]?.endTime]
    const struck = await notes.call('POST', `/sessions/${sessionId}/strike`, { start, end })
    expect([struck.statusCode, struck.body]).toEqual([200, expect.stringContaining('"isStruck":true')])
    return { sessionId, before, summaryId }
  }

  it('a note that cannot be written again is not signed until it could', async () => {
    const { sessionId, before, summaryId } = await strike()
    const { id } = before
    expect(await notes.noteOf(sessionId)).toMatchObject({
      id,
      status: 'generating',
      isLoading: true,
      isEmptied: true,
    })
    expect(refusalOf(await finalize(id))).toEqual([409, 'Progress note is being generated'])
    await write(await notes.activeOf(sessionId), { writer: failing })
    const failed = { id, status: 'failed', isLoading: false, isEmptied: true, note: [], review: [] }
    expect(await notes.noteOf(sessionId)).toMatchObject(failed)
    const missing = [409, 'Progress note has not been generated']
    expect(refusalOf(await finalize(id))).toEqual(missing)
    const clinician = await signIn(service, partner)
    const signed = await clinician.call('POST', `/sessions/${sessionId}/progress-note/finalize`, {})
    expect(refusalOf(signed)).toEqual(missing)
    const edit = { userInstructions: 'Shorten it.' }
    expect(refusalOf(await notes.call('POST', `/progress-notes/${id}/magic-edit`, edit))).toEqual(missing)
    expect(refusalOf(await change(id, ' '))).toEqual(missing)
    const work = await clinician.call('GET', '/sessions?state=failed')
    expect(work.body).toContain(sessionId)
    // What else was made of the session comes all the same, under the id that it had.
    await sumUp(sessionId)
    expect(await readSummary(sessionId)).toMatchObject({ summaryId, summary: expect.any(String) })

    expect((await notes.call('POST', `/progress-notes/${id}/regenerate`)).statusCode).toBe(202)
    await write(await notes.activeOf(sessionId), { writer: failing })
    expect(await notes.noteOf(sessionId)).toMatchObject(failed)
    expect((await notes.call('POST', `/progress-notes/${id}/regenerate`)).statusCode).toBe(202)
    await write(await notes.activeOf(sessionId))
    const after = await notes.noteOf(sessionId)
    expect(after).toMatchObject({ status: 'regenerated', isLoading: false, isEmptied: false })
    expect(after.id).not.toBe(id)
    // There is no text of before that it could be compared with.
    const rewriting = await clinician.call('GET', `/sessions/${sessionId}/progress-note/rewriting`)
    expect([rewriting.statusCode, rewriting.json()]).toEqual([200, { rewriting: null }])
    expect((await finalize(after.id)).statusCode).toBe(200)
    expect(await listTypes(sessionId)).toEqual([
      'progress_note_generated',
      'progress_note_regenerated',
      'progress_note_finalized',
    ])
  })

  it('words that somebody puts there themselves are theirs to sign, and to take out again', async () => {
    const { sessionId, before } = await strike()
    const { id } = before
    // As after the last attempt, of an engine that was away.
    await writeNote.giveUp(
      stage.partsWith({ writer: failing }),
      await claim(await notes.activeOf(sessionId), 'write_note'),
      never,
    )
    expect(await notes.noteOf(sessionId)).toMatchObject({ status: 'failed', isEmptied: true })
    for (const blank of ['', ' \u00a0\n', '\u200b\u2060…'])
      expect([blank, (await change(id, blank)).statusCode]).toEqual([blank, 409])
    const written = await change(id, 'Client and sister cooked.')
    expect([written.statusCode, written.json<ProgressNote>()]).toEqual([
      200,
      expect.objectContaining({ id, status: 'regenerated', isEmptied: false }),
    ])
    const versions = await notes.call('GET', `/progress-notes/${id}/versions`)
    // The number of the one that went is not given again.
    expect(versions.json<{ data: unknown[] }>().data).toMatchObject([{ version: 2, origin: 'edit' }])
    expect((await change(id, '')).statusCode).toBe(200)
    expect((await finalize(id)).statusCode).toBe(200)
    expect(await listTypes(sessionId)).toEqual(['progress_note_generated', 'progress_note_finalized'])
  })

  it('a summary that was given up, too, is written once somebody wrote the note', async () => {
    const { sessionId, before, summaryId } = await strike()
    await write(await notes.activeOf(sessionId), { writer: failing })
    await summarize.giveUp(stage.partsWith({ writer: failing }), await claim(sessionId, 'summarize'), never)
    expect(await readSummary(sessionId)).not.toHaveProperty('summary')
    expect((await change(before.id, 'Client and sister cooked.')).statusCode).toBe(200)
    await sumUp(sessionId)
    expect(await readSummary(sessionId)).toMatchObject({ summaryId, summary: expect.any(String) })
  })

  /** What is done while a text is checked, the first time. */
  const meanwhile = (work: () => Promise<unknown>): { checker: NoteChecker; lines: number[] } => {
    const lines: number[] = []
    const recheck: NoteChecker['recheck'] = async (request, owner) => {
      if ('talk' in request) lines.push((JSON.parse(request.talk.transcript) as unknown[]).length)
      if (lines.length === 1) await work()
      return stage.checker.recheck(request, owner)
    }
    return { checker: { ...stage.checker, recheck }, lines }
  }
  const strikeFirst = async (sessionId: string): Promise<void> => {
    const [start, end] = [crisis[0]?.startTime, crisis[0]?.endTime]
    const struck = await notes.call('POST', `/sessions/${sessionId}/strike`, { start, end, dangerSeen: true })
    expect([struck.statusCode, struck.body]).toEqual([200, expect.stringContaining('"isStruck":true')])
  }
  const findTalkOf = (sessionId: string) => () => findTalk(service.db, notes.context.ring, sessionId)
  const loadNote = async (sessionId: string) => {
    const loaded = await findNoteOfSession(service.db, { tenantId: partner.partnerId }, sessionId)
    if (loaded === null) throw new Error('there is no note')
    return loaded
  }
  const rechecks = makeRecheckPlaces()

  it('words by hand that a second strike meets are checked by what it left', async () => {
    const { sessionId } = await strike()
    await write(await notes.activeOf(sessionId), { writer: failing })
    const { checker, lines } = meanwhile(async () => {
      await strikeFirst(sessionId)
      await write(await notes.activeOf(sessionId), { writer: failing })
    })
    const patched = { note: [{ key: 'subjective', content: 'Client and sister cooked.' }] }
    await changeNote(
      { db: service.db, checker, rechecks },
      { tenantId: partner.partnerId },
      notes.context,
      await loadNote(sessionId),
      { patch: patched, ifMatch: null, findTalk: findTalkOf(sessionId) },
    )
    expect(lines).toEqual([3, 2])
    expect(await notes.noteOf(sessionId)).toMatchObject({ status: 'regenerated', isEmptied: false })
  })

  it('words by hand are refused while a second strike’s note is written, and nothing of them is kept', async () => {
    const { sessionId } = await strike()
    await write(await notes.activeOf(sessionId), { writer: failing })
    const { checker } = meanwhile(() => strikeFirst(sessionId))
    const patched = { note: [{ key: 'subjective', content: 'Client and sister cooked.' }] }
    const changed = changeNote(
      { db: service.db, checker, rechecks },
      { tenantId: partner.partnerId },
      notes.context,
      await loadNote(sessionId),
      { patch: patched, ifMatch: null, findTalk: findTalkOf(sessionId) },
    )
    await expect(changed).rejects.toThrow('Progress note is being generated')
    expect(await notes.noteOf(sessionId)).toMatchObject({ status: 'generating', isEmptied: true, note: [] })
  })

  it.each([
    ['is written anew', 'Progress note is being generated', async () => {}],
    [
      'was written anew',
      'Progress note has changed since it was read',
      async (sessionId: string) => write(await notes.activeOf(sessionId)),
    ],
  ])(
    'a version that goes while it is restored does not come back, where the note %s',
    async (_state, refusal, goOn) => {
      const { sessionId, generationId } = await begin()
      await write(generationId)
      await sumUp(sessionId)
      const { checker } = meanwhile(async () => {
        await strikeFirst(sessionId)
        await goOn(sessionId)
      })
      const restored = restoreNote(
        { db: service.db, checker, rechecks },
        { tenantId: partner.partnerId },
        notes.context,
        await loadNote(sessionId),
        { version: 1, sectionKeys: null, findTalk: findTalkOf(sessionId), requireAccess: async () => {} },
      )
      await expect(restored).rejects.toThrow(refusal)
      const versions = await notes.call(
        'GET',
        `/progress-notes/${(await notes.noteOf(sessionId)).id}/versions`,
      )
      expect(versions.json<{ data: unknown[] }>().data).not.toContainEqual(
        expect.objectContaining({ origin: 'edit' }),
      )
    },
  )
})

it('of any other fault no word is told', () => {
  expect(JSON.stringify(describeFault(new Error('I slept four hours')))).not.toContain('slept')
})

it('a writer is given what the clinician jotted down, line by line', async () => {
  const { sessionId, generationId } = await begin()
  const pad = { text: 'Tearful\nPlan: call the school', markers: [] }
  await service.db.write({ tenantId: partner.partnerId }, (tx) =>
    keepPad(tx, notes.context, { sessionId, clientId: partner.clientId, pad }),
  )
  const given: (readonly string[] | undefined)[] = []
  const writer = makeQuotingWriter()
  const listening: WriterEngine = {
    ...writer,
    writeNote: (request, signal) => {
      given.push(request.jotted)
      return writer.writeNote(request, signal)
    },
  }
  await write(generationId, { writer: listening })
  expect(given).toEqual([['Tearful', 'Plan: call the school']])
})
