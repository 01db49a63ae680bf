import type { NoteSection } from '@casenote/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ChunkResult } from '../../src/engines/speech/chunk-result.js'
import type { WriterEngine, WritingEvent } from '../../src/engines/writer/writer-engine.js'
import { makeCheckpoints } from '../../src/features/transcripts/index.js'
import { enqueueJob, JobLost } from '../../src/jobs/enqueue-job.js'
import {
  claimJob,
  releaseJobs,
  selectAttempts,
  type JobKind,
  type JobOf,
  type OneOf,
} from '../../src/jobs/jobs.sql.js'
import { writeNote } from '../../src/pipeline/write-note.js'
import { makeQuotingWriter } from '../engines/writer/quoting-writer.js'
import { makeNoteCalls, type NoteCalls } from '../support/note-calls.js'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'
import { openNoteParts, type NoteParts } from './note-parts.js'

let service: TestService
let partner: TestPartner
let tenant: { tenantId: string }
let notes: NoteCalls
let parts: NoteParts

beforeAll(async () => {
  service = await makeTestService()
  partner = await service.addPartner()
  tenant = { tenantId: partner.partnerId }
  notes = await makeNoteCalls(service, partner)
  parts = openNoteParts(service)
})
afterAll(async () => {
  await parts.close()
  await service.close()
})

/** The job of this subject; other jobs of the kind are put out of the way. */
async function claimFor<Kind extends JobKind>(kind: Kind, subjectId: string): Promise<OneOf<Kind>> {
  await service.owner.write(tenant, (tx) =>
    tx.run({
      text: `update casenote.jobs set due_at = 'infinity' where tenant_id = $1 and kind = $2 and status = 'waiting'
        and subject_id <> $3`,
      values: [tenant.tenantId, kind, subjectId],
    }),
  )
  const [job] = await service.db.throughDoor(claimJob([kind], 20_000))
  if (job?.subjectId !== subjectId) throw new Error('another job was claimed')
  return job
}

/** As for a worker that was stopped for longer than its lease: another one has the job now. */
async function takeOver<Kind extends JobKind>(job: JobOf<Kind>): Promise<OneOf<Kind>> {
  await service.owner.write(tenant, (tx) =>
    tx.run({
      text: `update casenote.jobs set leased_until = now() - interval '1 second' where tenant_id = $1 and job_id = $2`,
      values: [tenant.tenantId, job.jobId],
    }),
  )
  await service.db.throughDoor(releaseJobs())
  return claimFor(job.kind, job.subjectId)
}

const draft = (key: string, text: string): WritingEvent => ({
  kind: 'section',
  section: {
    key,
    sentences: [{ text, transcriptItems: [1], judgement: 'exact_checks_only', reason: null }],
    layout: 'paragraph',
  },
})

/** Sections come as the test lets them. */
const writerOf = (writing: () => AsyncIterable<WritingEvent>): { writer: WriterEngine } => ({
  writer: makeQuotingWriter({ writeNote: writing }),
})

const contentOf = (sections: readonly NoteSection[]): [string, string][] =>
  sections.map(({ key, content }) => [key, content])

const never = new AbortController().signal

describe('a worker that was stopped for longer than its lease', () => {
  it('stores no further section of a note that another worker writes', async () => {
    const { sessionId, generationId } = await notes.begin()
    const job = await claimFor('write_note', generationId)
    const late = writeNote.run(
      parts.partsWith(
        writerOf(async function* () {
          yield draft('subjective', 'Slept well, says the first.')
          const next = await takeOver(job)
          const isBroken = new Error('the second worker breaks off here')
          const second = writerOf(async function* () {
            yield draft('subjective', 'Slept well, says the second.')
            throw isBroken
          })
          await expect(writeNote.run(parts.partsWith(second), next, never)).rejects.toBe(isBroken)
          yield draft('subjective', 'Slept badly, says the first.')
          yield draft('plan', 'Continue, says the first.')
        }),
      ),
      job,
      never,
    )
    await expect(late).rejects.toBeInstanceOf(JobLost)
    const note = await notes.noteOf(sessionId)
    expect(contentOf(note.note)).toEqual([['subjective', 'Slept well, says the second.']])
  })

  it('keeps nothing of what it hears of a recording that another worker transcribes', async () => {
    const { sessionId } = await notes.begin()
    await service.db.write(tenant, (tx) => enqueueJob(tx, 'transcribe', sessionId))
    const job = await claimFor('transcribe', sessionId)
    const chunk = (index: number): ChunkResult => ({ index }) as Partial<ChunkResult> as ChunkResult
    const of = { sessionId, clientId: partner.clientId }
    const late = makeCheckpoints(service, job, of)
    await late.save(chunk(0))
    const next = makeCheckpoints(service, await takeOver(job), of)
    await expect(late.save(chunk(1))).rejects.toBeInstanceOf(JobLost)
    expect((await next.load()).map(({ index }) => index)).toEqual([0])
    await next.save(chunk(1))
    expect((await next.load()).map(({ index }) => index)).toEqual([0, 1])
  })
})

it('a job’s attempts count anew with a minute that was never heard before, and with no other', async () => {
  const { sessionId } = await notes.begin()
  await service.db.write(tenant, (tx) => enqueueJob(tx, 'hear_live', sessionId))
  const again = await takeOver(await claimFor('hear_live', sessionId))
  expect(again.attempts).toBe(2)
  const attempts = async (): Promise<unknown> => (await service.db.read(tenant, selectAttempts(again)))[0]
  const checkpoints = makeCheckpoints(service, again, { sessionId, clientId: partner.clientId })
  const first = { index: 0 } as Partial<ChunkResult> as ChunkResult
  await checkpoints.save(first)
  expect(await attempts()).toEqual({ attempts: 1 })
  const next = await takeOver(again)
  const heardAnew = makeCheckpoints(service, next, { sessionId, clientId: partner.clientId })
  await heardAnew.save(first)
  expect([next.attempts, await attempts()]).toEqual([2, { attempts: 2 }])
})
