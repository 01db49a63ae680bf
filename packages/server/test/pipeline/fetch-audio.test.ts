import type { RequestListener } from 'node:http'
import { Readable } from 'node:stream'
import type { Session } from '@casenote/contract'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { setRequiresConsent } from '../../src/features/partners/index.js'
import { dropLeftDownloads, startTranscribing } from '../../src/features/sessions/index.js'
import { SESSION_FAILURES } from '../../src/features/sessions/session-lifecycle.js'
import { updateAudio } from '../../src/features/sessions/sessions.sql.js'
import { JobLost } from '../../src/jobs/enqueue-job.js'
import { JobRunner } from '../../src/jobs/job-runner.js'
import type { JobOf } from '../../src/jobs/jobs.sql.js'
import { purgeBlobs, writeBlob } from '../../src/kernel/blobs/index.js'
import { fetchAudio } from '../../src/pipeline/fetch-audio.js'
import { LANES, makeJobHandlers } from '../../src/pipeline/pipeline.js'
import { hash } from '../blobs/blobs-fixture.js'
import { waitUntil } from '../support/casenote-process.js'
import { listEvents } from '../support/outcomes.js'
import { countFile, makeFile, openFetchRun, type CountedFile, type FetchRun } from './fetch-fixture.js'

const partBytes = 4 * 1_024 * 1_024
const never = new AbortController().signal

let run: FetchRun
let paths = 0

beforeAll(async () => {
  run = await openFetchRun()
})
afterAll(() => run.close())

const serve = (listener: RequestListener): string => {
  const path = `/recording-${(paths += 1)}`
  run.files.serve(path, listener)
  return run.files.urlOf(path)
}

const fetchOnce = (job: JobOf<'fetch_audio'>, signal = never): Promise<void> =>
  fetchAudio.run(run.parts, job, signal)

const partsOf = (sessionId: string): Promise<{ status: string; count: number }[]> =>
  run.rows(
    `select b.status, count(p.*)::int as count from casenote.recording_downloads d
     join casenote.blobs b on b.tenant_id = d.tenant_id and b.blob_id = d.blob_id
     left join casenote.blob_parts p on p.tenant_id = b.tenant_id and p.blob_id = b.blob_id
     where d.tenant_id = $1 and d.session_id = $2 group by b.status`,
    sessionId,
  )

const hasParts = async (sessionId: string, count: number): Promise<boolean> =>
  ((await partsOf(sessionId))[0]?.count ?? 0) >= count

interface JobRow {
  status: string
  attempts: number
  dueInMs: number | null
}

const jobOf = async (sessionId: string): Promise<JobRow | undefined> => {
  const [job] = await run.rows<JobRow>(
    `select status, attempts, extract(epoch from due_at - now())::float * 1000 as "dueInMs"
     from casenote.jobs where tenant_id = $1 and subject_id = $2 and kind = 'fetch_audio'`,
    sessionId,
  )
  return job
}

const statusOf = async (sessionId: string): Promise<string> =>
  (await run.call<{ status: string }>('GET', `/sessions/${sessionId}`)).body.status

/** A session whose download stands still behind its third part. */
async function begin(file: CountedFile): Promise<{ sessionId: string; job: JobOf<'fetch_audio'> }> {
  file.stallAt(3 * partBytes + 1_000_000)
  const sessionId = await run.createSession({ fileUrl: serve(file.listener) })
  return { sessionId, job: await run.claim(sessionId) }
}

/** A runner of fetches as a worker has it. */
function startFetching(): void {
  const { db, log } = run.parts
  const lanes = LANES.filter(({ kinds }) => kinds.includes('fetch_audio'))
  const listenUrl = run.service.database.databaseUrl
  const runner = new JobRunner({ db, listenUrl, log, lanes, handlers: makeJobHandlers(run.parts) })
  runner.start()
  onTestFinished(() => runner.close())
}

describe('a download whose worker stops', () => {
  it('goes on with the byte where it was', async () => {
    const bytes = makeFile()
    const file = countFile(bytes)
    const { sessionId, job } = await begin(file)
    const stop = new AbortController()
    const first = fetchOnce(job, stop.signal)
    first.catch(() => {})
    await waitUntil(() => hasParts(sessionId, 3), 'three parts are sealed')
    await waitUntil(async () => file.sentBytes() === 3 * partBytes + 1_000_000, 'the server has stopped')
    stop.abort(new Error('the worker is stopping'))
    await expect(first).rejects.toThrow('the worker is stopping')
    file.stallAt(Infinity)
    await fetchOnce(await run.takeOver(job))
    expect(hash((await run.recordingOf(sessionId)) ?? Buffer.alloc(0))).toBe(hash(bytes))
    expect(file.asked).toEqual([null, expect.any(Number)])
    expect(file.asked[1]).toBeGreaterThanOrEqual(3 * partBytes)
    expect(await statusOf(sessionId)).toBe('transcribing')
    expect(await partsOf(sessionId)).toEqual([])
  })

  it.each([
    ['the file is another one by then', true],
    ['the server ignores what it is asked for', false],
  ])('starts over when %s, and is never a mixture', async (_why, honoursRange) => {
    const file = countFile(makeFile(), { honoursRange })
    const { sessionId, job } = await begin(file)
    const stop = new AbortController()
    const first = fetchOnce(job, stop.signal)
    first.catch(() => {})
    await waitUntil(() => hasParts(sessionId, 3), 'three parts are sealed')
    stop.abort(new Error('the worker is stopping'))
    await expect(first).rejects.toThrow('the worker is stopping')
    const other = makeFile(9_000_000)
    file.replace(other, '"two"')
    file.stallAt(Infinity)
    await fetchOnce(await run.takeOver(job))
    expect(hash((await run.recordingOf(sessionId)) ?? Buffer.alloc(0))).toBe(hash(other))
    const blobs = await run.rows(
      `select status from casenote.blobs where tenant_id = $1 and status in ('open', 'deleting')`,
    )
    expect(blobs).toEqual([])
  })

  it('is not touched by the one that comes back after its lease', async () => {
    const bytes = makeFile()
    const file = countFile(bytes)
    const { sessionId, job } = await begin(file)
    const late = fetchOnce(job)
    late.catch(() => {})
    await waitUntil(() => hasParts(sessionId, 3), 'three parts are sealed')
    const next = await run.takeOver(job)
    const second = fetchOnce(next)
    await waitUntil(async () => file.asked.length === 2, 'the next worker asks for the rest')
    file.stallAt(Infinity)
    await second
    await expect(late).rejects.toBeInstanceOf(JobLost)
    expect(hash((await run.recordingOf(sessionId)) ?? Buffer.alloc(0))).toBe(hash(bytes))
    expect(await statusOf(sessionId)).toBe('transcribing')
  })

  it('between its last byte and its commit is not fetched again', async () => {
    const bytes = makeFile(5_000_000)
    const file = countFile(bytes)
    const sessionId = await run.createSession({ fileUrl: serve(file.listener) })
    const job = await run.claim(sessionId)
    const isKilled = new Error('killed before the commit')
    const db = Object.assign(Object.create(run.parts.db) as typeof run.parts.db, {
      read: run.parts.db.read.bind(run.parts.db),
      write: () => Promise.reject(isKilled),
    })
    await expect(fetchAudio.run({ ...run.parts, db }, job, never)).rejects.toBe(isKilled)
    await fetchOnce(await run.takeOver(job))
    expect(hash((await run.recordingOf(sessionId)) ?? Buffer.alloc(0))).toBe(hash(bytes))
    expect(file.asked).toEqual([null])
  })
})

describe('a recording that kills its worker', () => {
  it('and then came from a worker that knows no downloads leaves nothing of it', async () => {
    const file = countFile(makeFile())
    const { sessionId, job } = await begin(file)
    const stop = new AbortController()
    const attempt = fetchOnce(job, stop.signal)
    attempt.catch(() => {})
    await waitUntil(() => hasParts(sessionId, 2), 'two parts are sealed')
    stop.abort(new Error('killed'))
    await expect(attempt).rejects.toThrow('killed')
    const begun = await run.rows<{ blobId: string }>(
      'select blob_id as "blobId" from casenote.recording_downloads where tenant_id = $1 and session_id = $2',
      sessionId,
    )
    // As the version before ended a fetch: with a blob of its own, and no word about a download.
    const { db, blobs } = run.parts
    const whole = makeFile(100_000)
    const { blobId } = await writeBlob(blobs, job, 'audio', Readable.from([whole]))
    await db.write(job, async (tx) => {
      await startTranscribing(tx, sessionId)
      await tx.run(updateAudio(tx.tenant, sessionId, blobId))
    })
    await dropLeftDownloads(db, 100)
    await purgeBlobs(blobs)
    expect(await partsOf(sessionId)).toEqual([])
    const [left] = await run.rows(
      'select status from casenote.blobs where tenant_id = $1 and blob_id = $2',
      begun[0]?.blobId,
    )
    expect(left).toEqual({ status: 'deleted' })
    expect(hash((await run.recordingOf(sessionId)) ?? Buffer.alloc(0))).toBe(hash(whole))
  })

  it('is parked after five times, with its sentence, and nothing of it stays', async () => {
    const file = countFile(makeFile())
    const { sessionId, job } = await begin(file)
    const stop = new AbortController()
    const attempt = fetchOnce(job, stop.signal)
    attempt.catch(() => {})
    await waitUntil(() => hasParts(sessionId, 3), 'three parts are sealed')
    stop.abort(new Error('killed'))
    await expect(attempt).rejects.toThrow('killed')
    const [download] = await run.rows<{ blobId: string }>(
      'select blob_id as "blobId" from casenote.recording_downloads where tenant_id = $1 and session_id = $2',
      sessionId,
    )
    await run.rows(
      `update casenote.jobs set attempts = 5, status = 'waiting', due_at = now(), leased_until = null
       where tenant_id = $1 and job_id = $2`,
      job.jobId,
    )
    startFetching()
    const isParked = async (): Promise<boolean> => (await jobOf(sessionId))?.status === 'parked'
    await waitUntil(isParked, 'it is parked')
    expect(await statusOf(sessionId)).toBe('failed')
    const events = await listEvents(run.service, { tenantId: run.partner.partnerId }, sessionId)
    expect(events).toMatchObject([
      { eventType: 'session_transcript_error', payload: { error: SESSION_FAILURES.processing_failed } },
    ])
    const [blob] = await run.rows(
      `select status, (select count(*)::int from casenote.blob_parts p where p.tenant_id = b.tenant_id
         and p.blob_id = b.blob_id) as parts from casenote.blobs b where tenant_id = $1 and blob_id = $2`,
      download?.blobId,
    )
    expect(blob).toEqual({ status: 'deleted', parts: 0 })
    expect(await partsOf(sessionId)).toEqual([])
  })
})

describe('a file server that is out of order', () => {
  it('holds no place and costs no attempt while it is waited for, and ends the session after an hour', async () => {
    const sessionId = await run.createSession({
      fileUrl: serve((_request, response) => response.writeHead(503, { 'retry-after': '1900' }).end()),
    })
    await fetchOnce(await run.claim(sessionId))
    const job = await jobOf(sessionId)
    expect(job).toMatchObject({ status: 'waiting', attempts: 0 })
    expect(job?.dueInMs).toBeGreaterThan(1_890_000)
    expect(await statusOf(sessionId)).toBe('fetching')

    await fetchOnce(await run.claim(sessionId))
    expect(await jobOf(sessionId)).toMatchObject({ status: 'done' })
    expect(await statusOf(sessionId)).toBe('failed')
    const events = await listEvents(run.service, { tenantId: run.partner.partnerId }, sessionId)
    expect(events).toMatchObject([
      { eventType: 'session_transcript_error', payload: { error: SESSION_FAILURES.fetch_unavailable } },
    ])
  })

  it('loses nothing that it sent: what it broke off is resumed', async () => {
    const bytes = makeFile(3_000_000)
    const file = countFile(bytes)
    let times = 0
    const sessionId = await run.createSession({
      fileUrl: serve((request, response) => {
        times += 1
        file.listener(request, response)
        if (times === 1) response.socket?.setTimeout(200, () => response.socket?.destroy())
      }),
    })
    file.stallAt(1_000_000)
    await fetchOnce(await run.claim(sessionId))
    expect(await jobOf(sessionId)).toMatchObject({ status: 'waiting', attempts: 0 })
    file.stallAt(Infinity)
    await fetchOnce(await run.claim(sessionId))
    expect(hash((await run.recordingOf(sessionId)) ?? Buffer.alloc(0))).toBe(hash(bytes))
    expect(file.asked).toEqual([null, 1_000_000])
  })
})

describe('file servers that trickle', () => {
  it('keep none of the recordings of other tenants from being fetched', async () => {
    let trickling = 0
    let givenUp = 0
    const trickle = serve((_request, response) => {
      trickling += 1
      response.writeHead(200)
      const timer = setInterval(() => response.write('x'), 1_000)
      response.on('close', () => {
        clearInterval(timer)
        givenUp += 1
      })
    })
    const others = [await run.service.addPartner('sandbox'), await run.service.addPartner('sandbox')]
    for (let count = 0; count < 20; count += 1) await run.createSession({ fileUrl: trickle })
    startFetching()
    await waitUntil(async () => trickling >= 6, 'the tenant has its share of the places')
    const recording = serve((_request, response) => response.end(makeFile(100_000)))
    const areFetched = async (other: (typeof others)[number]): Promise<void> => {
      const sessionIds = [
        await run.createSessionOf(other, recording),
        await run.createSessionOf(other, recording),
      ]
      for (const sessionId of sessionIds) {
        const isFetched = async (): Promise<boolean> =>
          (
            await run.service.call({
              method: 'GET',
              url: `/v2/sessions/${sessionId}`,
              headers: other.headers,
            })
          ).json<{ status: string }>().status === 'transcribing'
        await waitUntil(isFetched, "another tenant's recording is fetched")
      }
    }
    await Promise.all(others.map(areFetched))
    // Not because the tricklers were given up meanwhile.
    expect([trickling, givenUp]).toEqual([6, 0])
  })
})

describe('where consent is required', () => {
  it('what was withdrawn since is not fetched, and what was being fetched is not kept', async () => {
    const { service, partner } = run
    const tenant = { tenantId: partner.partnerId }
    const consents = `/clients/${partner.clientId}/consents`
    const agree = async (): Promise<string> =>
      (await run.call<{ id: string }>('POST', consents, { method: 'by_word', textVersion: 'casenote-1' }))
        .body.id
    let consentId = await agree()
    const withdraw = () => run.call('POST', `${consents}/${consentId}/withdraw`)
    let asked = 0
    const fileUrl = serve((_request, response) => {
      asked += 1
      void withdraw().then(() => response.end(makeFile(100_000)))
    })
    await setRequiresConsent(service.owner, tenant, true)
    onTestFinished(() => setRequiresConsent(service.owner, tenant, false))
    for (const isBefore of [true, false]) {
      const sessionId = await run.createSession({ fileUrl })
      const job = await run.claim(sessionId)
      if (isBefore) await withdraw()
      await fetchOnce(job)
      const { body } = await run.call<Session>('GET', `/sessions/${sessionId}`)
      expect(body).toMatchObject({ status: 'failed', failure: { code: 'consent_missing', retryable: true } })
      expect(await run.recordingOf(sessionId)).toBeNull()
      expect((await partsOf(sessionId)).some(({ status }) => ['open', 'complete'].includes(status))).toBe(
        false,
      )
      expect([(await jobOf(sessionId))?.status, asked]).toEqual(['done', isBefore ? 0 : 1])
      consentId = await agree()
    }
  })

  it('withdrawn while a slow server sends, nothing more is fetched within 5 s', async () => {
    const { service, partner } = run
    const tenant = { tenantId: partner.partnerId }
    const consents = `/clients/${partner.clientId}/consents`
    const given = { method: 'by_word', textVersion: 'casenote-1' }
    const { body: consent } = await run.call<{ id: string }>('POST', consents, given)
    let withdrawnAtMs = Infinity
    const withdraw = async (): Promise<void> => {
      await run.call('POST', `${consents}/${consent.id}/withdraw`)
      withdrawnAtMs = performance.now()
    }
    const fileUrl = serve((_request, response) => {
      response.writeHead(200, { 'content-length': 100_000, etag: '"one"' })
      response.write(makeFile(50_000))
      void withdraw()
    })
    await setRequiresConsent(service.owner, tenant, true)
    onTestFinished(() => setRequiresConsent(service.owner, tenant, false))
    const sessionId = await run.createSession({ fileUrl })
    await fetchOnce(await run.claim(sessionId))
    expect(performance.now() - withdrawnAtMs).toBeLessThan(5_000)
    const { body } = await run.call<Session>('GET', `/sessions/${sessionId}`)
    expect(body).toMatchObject({ status: 'failed', failure: { code: 'consent_missing' } })
    expect((await partsOf(sessionId)).some(({ status }) => ['open', 'complete'].includes(status))).toBe(false)
    await run.call('POST', consents, given)
  })
})
