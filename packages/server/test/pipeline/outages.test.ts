import { tmpdir } from 'node:os'
import type { ProgressNote } from '@casenote/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { makeNoteChecker } from '../../src/engines/checker/note-checker.js'
import { makeOpenAiSpeechEngine } from '../../src/engines/speech/openai-engine.js'
import { openSpeechPool } from '../../src/engines/speech/speech-pool.js'
import { openVoiceModel } from '../../src/engines/speech/voices/index.js'
import { ChatModel } from '../../src/engines/models/openai/chat-model.js'
import { OpenAiClient } from '../../src/engines/openai-protocol/openai-client.js'
import { makeProseWriter } from '../../src/engines/writer/prose/prose-writer.js'
import { JobRunner } from '../../src/jobs/job-runner.js'
import { claimJob, releaseJobs } from '../../src/jobs/jobs.sql.js'
import { findStanding } from '../../src/features/sessions/index.js'
import { metrics } from '../../src/http/metrics.js'
import { fetchAudio } from '../../src/pipeline/fetch-audio.js'
import { makeJobHandlers } from '../../src/pipeline/pipeline.js'
import { observeClaim, observeShared } from '../../src/pipeline/pipeline-metrics.js'
import type { PipelineParts } from '../../src/pipeline/pipeline-parts.js'
import { OpenAiTestServer } from '../engines/openai-server.js'
import { makeRulesReader } from '../engines/session-fixtures.js'
import { transcribeWords, writeAsModel } from '../engines/scripted-models.js'
import { decoder } from '../engines/speech/speech-fixture.js'
import { waitUntil } from '../support/casenote-process.js'
import { makeNoteCalls, type NoteCalls } from '../support/note-calls.js'
import { openFetchRun, type FetchRun } from './fetch-fixture.js'
import { visit } from './pipeline-fixture.js'

const minuteMs = 60_000

let run: FetchRun
let notes: NoteCalls
let server: OpenAiTestServer
let parts: PipelineParts
let closeEngines: () => Promise<void>

beforeAll(async () => {
  run = await openFetchRun()
  notes = await makeNoteCalls(run.service, run.partner)
  server = new OpenAiTestServer({ apiKey: 'sk', writeAsModel, transcribe: transcribeWords })
  const settings = { url: await server.start(), model: 'local', apiKey: 'sk' }
  const checker = makeNoteChecker()
  const client = new OpenAiClient(
    { name: 'writer server', ...settings },
    { timeoutMs: 600_000, concurrencyMax: 4 },
  )
  const model = new ChatModel(client, { model: 'local', contextTokens: 32_768, extraBody: {} })
  const writer = makeProseWriter(model, checker)
  const engine = makeOpenAiSpeechEngine(settings)
  const pool = openSpeechPool()
  const voices = await openVoiceModel()
  const speech = { engine, pool, openVoices: async () => voices, decoder, scratchFolder: tmpdir() }
  const reader = makeRulesReader()
  parts = { ...run.parts, reader, writer, fallbackWriter: null, checker, speech }
  closeEngines = async () => {
    await Promise.all([
      writer.close(),
      checker.close(),
      engine.close(),
      pool.close(),
      voices.close(),
      server.close(),
    ])
  }
})
afterAll(async () => {
  await closeEngines()
  await run.close()
})

beforeEach(async () => {
  server.mischief.length = 0
  await run.rows(
    `update casenote.jobs set status = 'done', ended_at = now(), due_at = null, leased_until = null
     where tenant_id = $1 and status in ('waiting', 'running')`,
  )
})

/** With one place. */
function start(kind: 'transcribe' | 'write_note'): void {
  const { db, log } = parts
  const listenUrl = run.service.database.databaseUrl
  const lanes = [{ kinds: [kind], places: 1 }]
  const runner = new JobRunner({
    db,
    listenUrl,
    log,
    lanes,
    handlers: makeJobHandlers(parts),
    onClaimEnd: observeClaim,
  })
  runner.start()
  onTestFinished(() => runner.close())
}

/** The next calls find the server so, and the client does not ask again by itself. */
function answer(status: number, count = 1, headers: Record<string, string> = {}): void {
  for (let call = 0; call < count; call += 1)
    server.mischief.push({ kind: 'status', status, headers: { 'x-should-retry': 'false', ...headers } })
}

interface JobRow {
  status: string
  attempts: number
  fence: number
  /** From when the server was first found away: exact, however slow the machine that runs the tests. */
  dueAfterMs: number
}

async function jobAbout(subjectId: string): Promise<JobRow> {
  const [row] = await run.rows(
    `select status, attempts, fence::int as fence,
       round(extract(epoch from due_at - outage_since) * 1000)::int as "dueAfterMs"
     from casenote.jobs where tenant_id = $1 and subject_id = $2 and kind in ('transcribe', 'write_note')`,
    subjectId,
  )
  return row as JobRow
}

/** Waits until this claim has been given back. */
async function givenBack(subjectId: string, fence: number): Promise<JobRow> {
  const isGivenBack = async (): Promise<boolean> => {
    const job = await jobAbout(subjectId)
    return job.fence === fence && job.status === 'waiting'
  }
  await waitUntil(isGivenBack, `claim ${fence} is given back`)
  return jobAbout(subjectId)
}

/** The time of the next attempt comes, so long after the server was found away. */
const passTime = (subjectId: string, awayForMs: number): Promise<unknown> =>
  run.rows(
    `update casenote.jobs set due_at = now(), outage_since = now() - $3 * interval '1 millisecond'
     where tenant_id = $1 and subject_id = $2`,
    subjectId,
    awayForMs,
  )

/** What passes between the change of the row and the fault adds to it. */
function expectFrom(ms: number, expectedMs: number): void {
  expect(ms).toBeGreaterThanOrEqual(expectedMs)
  expect(ms).toBeLessThan(expectedMs + minuteMs)
}

const noteWritten = async (sessionId: string): Promise<ProgressNote> => {
  await waitUntil(async () => !(await notes.noteOf(sessionId)).isLoading, 'nobody writes it any more')
  return notes.noteOf(sessionId)
}

describe('a note whose writer server is away', () => {
  it.each([429, 500, 503])(
    'with %i waits at no cost of an attempt, and is written within the hour',
    async (status) => {
      const { sessionId, generationId } = await notes.begin()
      answer(status, 5)
      start('write_note')
      expect((await givenBack(generationId, 1)).dueAfterMs).toBe(5_000)
      const waits = [
        [2 * minuteMs, 3 * minuteMs],
        [8 * minuteMs, 12 * minuteMs],
        [30 * minuteMs, 35 * minuteMs],
        [57 * minuteMs, 60 * minuteMs],
      ] as const
      for (const [index, [awayForMs, dueAfterMs]] of waits.entries()) {
        await passTime(generationId, awayForMs)
        const job = await givenBack(generationId, index + 2)
        expect(job.attempts).toBe(0)
        expectFrom(job.dueAfterMs, dueAfterMs)
        expect(await notes.noteOf(sessionId)).toMatchObject({ isLoading: true, status: 'generating' })
      }
      await passTime(generationId, 60 * minuteMs)
      expect(await noteWritten(sessionId)).toMatchObject({ status: 'generated' })
    },
  )

  it('fails after the hour and the usual attempts', async () => {
    const { sessionId, generationId } = await notes.begin()
    answer(503, 6)
    start('write_note')
    await givenBack(generationId, 1)
    for (let attempts = 1; attempts <= 4; attempts += 1) {
      await passTime(generationId, 61 * minuteMs)
      expect((await givenBack(generationId, attempts + 1)).attempts).toBe(attempts)
    }
    await passTime(generationId, 64 * minuteMs)
    expect(await noteWritten(sessionId)).toMatchObject({ status: 'failed', note: [] })
    expect(server.mischief).toEqual([])
  })

  it.each([
    ['1', 5_000],
    ['1200', 20 * minuteMs],
    ['86400', 60 * minuteMs],
  ])('waits as long as the server asks for, at most its hour: %s s', async (asked, waitMs) => {
    const { generationId } = await notes.begin()
    answer(429, 1, { 'retry-after': asked })
    start('write_note')
    expect((await givenBack(generationId, 1)).dueAfterMs).toBe(waitMs)
  })

  it('holds no place: the next note is written meanwhile', async () => {
    const first = await notes.begin()
    const second = await notes.begin()
    answer(503)
    start('write_note')
    expect(await noteWritten(second.sessionId)).toMatchObject({ status: 'generated' })
    expect(await jobAbout(first.generationId)).toMatchObject({ status: 'waiting', attempts: 0 })
  })

  it('goes on with its hour after a worker was killed, which costs an attempt', async () => {
    const { generationId } = await notes.begin()
    await run.rows(
      `update casenote.jobs set outage_since = now() - interval '30 minutes' where tenant_id = $1 and subject_id = $2`,
      generationId,
    )
    await run.service.db.throughDoor(claimJob(['write_note'], 0))
    await waitUntil(async () => {
      await run.service.db.throughDoor(releaseJobs())
      return (await jobAbout(generationId)).status === 'waiting'
    }, 'the lease of the dead is over')
    answer(503)
    start('write_note')
    const job = await givenBack(generationId, 2)
    expect(job.attempts).toBe(1)
    expectFrom(job.dueAfterMs, 35 * minuteMs)
  })

  it('is given back to its clinician after minutes if it is only written again', async () => {
    const { progressNoteId, sessionId } = await notes.written()
    await notes.call('POST', `/progress-notes/${progressNoteId}/regenerate`)
    const generationId = await notes.activeOf(sessionId)
    answer(503, 3)
    start('write_note')
    expect((await givenBack(generationId, 1)).attempts).toBe(0)
    await passTime(generationId, 4 * minuteMs)
    const job = await givenBack(generationId, 2)
    expect(job.attempts).toBe(0)
    expect(job.dueAfterMs).toBe(5 * minuteMs)
    await passTime(generationId, 6 * minuteMs)
    expect((await givenBack(generationId, 3)).attempts).toBe(1)
  })

  it.each([400, 401])('fails at once when the server refuses it: %i', async (status) => {
    const { sessionId, generationId } = await notes.begin()
    answer(status, 3)
    start('write_note')
    expect(await noteWritten(sessionId)).toMatchObject({ status: 'failed' })
    expect(await jobAbout(generationId)).toMatchObject({ status: 'done', fence: 1 })
  })
})

describe('a recording whose speech server is away', () => {
  let recordingCount = 0

  /** A session that is to be transcribed. */
  async function record(): Promise<string> {
    const path = `/recording-${(recordingCount += 1)}`
    run.files.serve(path, visit('missed doses'))
    const sessionId = await run.createSession({ fileUrl: run.files.urlOf(path) })
    await fetchAudio.run(parts, await run.claim(sessionId), new AbortController().signal)
    return sessionId
  }

  const statusOf = async (sessionId: string): Promise<string> =>
    (await run.call<{ status: string }>('GET', `/sessions/${sessionId}`)).body.status

  it('waits for it', async () => {
    const sessionId = await record()
    answer(503, 20)
    start('transcribe')
    const job = await givenBack(sessionId, 1)
    expect(job.attempts).toBe(0)
    expect(job.dueAfterMs).toBe(5_000)
    expect(await statusOf(sessionId)).toBe('transcribing')
  })

  it('is seen waiting by its operator: when it is tried again, and how many wait', async () => {
    const sessionId = await record()
    expect(
      await findStanding(run.service.owner, { tenantId: run.partner.partnerId }, sessionId),
    ).toMatchObject({ nextTryAt: null })
    answer(503, 20)
    start('transcribe')
    await givenBack(sessionId, 1)
    const standing = await findStanding(run.service.owner, { tenantId: run.partner.partnerId }, sessionId)
    expect(standing).toMatchObject({ status: 'transcribing', nextTryAt: expect.any(Date) })
    observeShared({ db: run.service.db, log: parts.log })
    const text = await metrics.metrics()
    expect(text).toMatch(/^casenote_jobs\{kind="transcribe",state="away"\} 1$/m)
    expect(text).toMatch(/^casenote_jobs\{kind="transcribe",state="due"\} 0$/m)
    expect(text).toMatch(/^casenote_job_oldest_due_seconds\{kind="transcribe"\} 0$/m)
    expect(text).toMatch(/^casenote_job_claims_total\{kind="transcribe",end="ended"\} \d+$/m)
    expect(text).not.toContain(sessionId)
  })

  it('fails at once when the server refuses the key', async () => {
    const sessionId = await record()
    answer(401, 20)
    start('transcribe')
    await waitUntil(async () => (await statusOf(sessionId)) === 'failed', 'the session has failed')
    expect(await jobAbout(sessionId)).toMatchObject({ status: 'done', fence: 1 })
  })
})
