import { readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setQuotas } from '../../src/features/partners/index.js'
import { SESSION_FAILURES } from '../../src/features/sessions/session-lifecycle.js'
import type { JobOf } from '../../src/jobs/jobs.sql.js'
import { metrics } from '../../src/http/metrics.js'
import { purgeBlobs, writeBlob } from '../../src/kernel/blobs/index.js'
import { observeShared } from '../../src/pipeline/pipeline-metrics.js'
import { makeJobHandlers } from '../../src/pipeline/pipeline.js'
import { listEvents } from '../support/outcomes.js'
import { countFile, makeFile, openFetchRun, type FetchRun } from './fetch-fixture.js'

const never = new AbortController().signal
const mebibyte = 1_024 * 1_024

let run: FetchRun

beforeAll(async () => {
  run = await openFetchRun()
})
afterAll(() => run.close())

const attempt = (job: JobOf<'fetch_audio'>): Promise<void> => makeJobHandlers(run.parts).run(job, never)
const tenantOf = () => ({ tenantId: run.partner.partnerId })
const limit = (quotas: Parameters<typeof setQuotas>[2]) => setQuotas(run.service.owner, tenantOf(), quotas)

async function beginSession(file: Buffer): Promise<{ sessionId: string; job: JobOf<'fetch_audio'> }> {
  const path = `/recording-${Math.random()}`
  run.files.serve(path, countFile(file).listener)
  const sessionId = await run.createSessionOf(run.partner, run.files.urlOf(path))
  return { sessionId, job: await run.claim(sessionId) }
}

const readOne = async <Row>(text: string, ...values: string[]): Promise<Row> =>
  (await run.service.db.read(tenantOf(), { text, values: [run.partner.partnerId, ...values] }))[0] as Row

const jobOf = (sessionId: string) =>
  readOne<{ status: string; attempts: number; waits: boolean }>(
    `select status, attempts, outage_since is not null as waits from casenote.jobs
     where tenant_id = $1 and subject_id = $2 and kind = 'fetch_audio'`,
    sessionId,
  )
const storedBytes = async (): Promise<number> =>
  (
    await readOne<{ sum: number }>(
      'select stored_bytes as sum from casenote.tenant_usage where tenant_id = $1',
    )
  ).sum

describe('a fileUrl for which there is no room', () => {
  it('is waited for without an attempt and without what had come of it, and arrives when there is room', async () => {
    const file = makeFile(9 * mebibyte)
    await limit({ clinicianStoredBytes: 5 * mebibyte })
    const { sessionId, job } = await beginSession(file)
    await attempt(job)
    expect(await jobOf(sessionId)).toEqual({ status: 'waiting', attempts: 0, waits: true })
    expect(await storedBytes()).toBe(0)
    await limit({ clinicianStoredBytes: 10 * mebibyte })
    await attempt(await run.claim(sessionId))
    expect((await run.recordingOf(sessionId))?.equals(file)).toBe(true)
    expect(await storedBytes()).toBe(file.length)
  })

  it('fails its session after an hour, and the partner is told why', async () => {
    await limit({ storedBytes: 1 })
    const { sessionId, job } = await beginSession(makeFile(mebibyte))
    await attempt(job)
    await run.rows(
      `update casenote.jobs set outage_since = now() - interval '61 minutes' where tenant_id = $1 and subject_id = $2`,
      sessionId,
    )
    await attempt(await run.claim(sessionId))
    expect(await jobOf(sessionId)).toMatchObject({ status: 'done' })
    const [event] = await listEvents(run.service, tenantOf(), sessionId)
    expect(event).toMatchObject({
      eventType: 'session_transcript_error',
      payload: { error: SESSION_FAILURES.no_room },
    })
    await limit({ storedBytes: 100 * mebibyte, clinicianStoredBytes: 100 * mebibyte })
  })
})

describe('what is stored', () => {
  it('is counted for the operator, with what was begun and not ended', async () => {
    const now = await readOne<{ stored: number; open: number }>(
      'select stored_bytes as stored, open_uploads as open from casenote.tenant_usage where tenant_id = $1',
    )
    observeShared({ db: run.service.db, log: run.parts.log })
    const text = await metrics.metrics()
    expect(text).toMatch(new RegExp(`^casenote_stored_bytes ${now.stored}$`, 'm'))
    expect(text).toMatch(new RegExp(`^casenote_open_uploads ${now.open}$`, 'm'))
    expect(now.stored).toBeGreaterThan(0)
  })
})

describe('what was stored before there were quotas', () => {
  it('is counted by the migration, for its clinician where one is known', async () => {
    const { sessionId, job } = await beginSession(makeFile(2 * mebibyte))
    await attempt(job)
    expect((await run.recordingOf(sessionId))?.length).toBe(2 * mebibyte)
    const nobodys = await writeBlob(
      run.parts.blobs,
      tenantOf(),
      'audio',
      Readable.from([Buffer.alloc(1_000)]),
    )
    const usage = `select (select array_agg(array[stored_bytes, open_uploads]) from casenote.tenant_usage where tenant_id = $1) as t,
      (select array_agg(array[stored_bytes, open_uploads] order by clinician_id) from casenote.clinician_usage
        where tenant_id = $1 and stored_bytes + open_uploads > 0) as c`
    const before = await readOne(usage)
    const migration = readFileSync(
      new URL('../../migrations/0026_home_and_quotas.sql', import.meta.url),
      'utf8',
    )
    const counting =
      migration.match(/^(?:update casenote\.blobs|insert into casenote\.\w+_usage)[^;]*;/gm) ?? []
    expect(counting).toHaveLength(5)
    const owner = new pg.Client({ connectionString: run.service.database.migrateUrl })
    await owner.connect()
    await owner.query('delete from casenote.clinician_usage; delete from casenote.tenant_usage')
    await owner.query('update casenote.blobs set clinician_id = null')
    for (const statement of counting) await owner.query(statement)
    await owner.end()
    expect(await readOne(usage)).toEqual(before)
    // And from there on they go with their parts.
    const sum = await storedBytes()
    await run.rows(
      `update casenote.blobs set delete_after = now() - interval '1 day' where tenant_id = $1 and blob_id = $2`,
      nobodys.blobId,
    )
    await purgeBlobs(run.parts.blobs)
    expect(await storedBytes()).toBe(sum - 1_000)
  })
})
