import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { findSession } from '../../src/features/sessions/index.js'
import { BlobStoreFault, makeFolderStore, openBlob, type BlobStore } from '../../src/kernel/blobs/index.js'
import { makeJobHandlers } from '../../src/pipeline/pipeline.js'
import { requireAdvancedJob } from '../../src/jobs/enqueue-job.js'
import type { JobOf } from '../../src/jobs/jobs.sql.js'
import { countFile, makeFile, openFetchRun, type FetchRun } from './fetch-fixture.js'

const never = new AbortController().signal
const mebibyte = 1_024 * 1_024

let run: FetchRun
let root: string
let store: BlobStore

beforeAll(async () => {
  run = await openFetchRun()
})
afterAll(() => run.close())

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'casenote-store-'))
  store = makeFolderStore(join(root, 'blobs'), 'installation')
  await store.check()
  run.parts.blobs = { ...run.parts.blobs, store }
  return () => rm(root, { recursive: true, force: true })
})

/** One claim of the job, as the runner makes it. */
const attempt = (job: JobOf<'fetch_audio'>): Promise<void> => makeJobHandlers(run.parts).run(job, never)

async function recordingOf(sessionId: string): Promise<Buffer> {
  const tenant = { tenantId: run.partner.partnerId }
  const session = await findSession(run.service.db, tenant, sessionId)
  return buffer(await openBlob(run.parts.blobs, tenant, session?.audioBlobId ?? 'none'))
}

interface JobRow {
  status: string
  attempts: number
  isOutage: boolean
}

async function jobOf(sessionId: string): Promise<JobRow> {
  const [row] = await run.rows<JobRow>(
    `select status, attempts, outage_since is not null as "isOutage" from casenote.jobs
     where tenant_id = $1 and subject_id = $2 and kind = 'fetch_audio'`,
    sessionId,
  )
  return row as JobRow
}

async function beginSession(file: Buffer): Promise<{ sessionId: string; job: JobOf<'fetch_audio'> }> {
  const path = `/recording-${Math.random()}`
  run.files.serve(path, countFile(file).listener)
  const sessionId = await run.createSessionOf(run.partner, run.files.urlOf(path))
  return { sessionId, job: await run.claim(sessionId) }
}

describe('a blob store that is away', () => {
  it('is waited for without an attempt, and the recording arrives when it is back', async () => {
    const file = makeFile(6 * mebibyte)
    const { sessionId, job } = await beginSession(file)
    await rename(join(root, 'blobs'), join(root, 'unmounted'))
    await attempt(job)
    expect(await jobOf(sessionId)).toEqual({ status: 'waiting', attempts: 0, isOutage: true })
    await rename(join(root, 'unmounted'), join(root, 'blobs'))
    await attempt(await run.claim(sessionId))
    expect(await jobOf(sessionId)).toMatchObject({ status: 'done' })
    expect((await recordingOf(sessionId)).equals(file)).toBe(true)
  })

  it('is waited for anew by a job that came further meanwhile', async () => {
    const { sessionId, job } = await beginSession(makeFile(mebibyte))
    await run.rows(
      `update casenote.jobs set outage_since = now() - interval '61 minutes' where tenant_id = $1 and job_id = $2`,
      job.jobId,
    )
    await run.service.db.write(job, (tx) => requireAdvancedJob(tx, job))
    await rename(join(root, 'blobs'), join(root, 'unmounted'))
    await attempt(job)
    expect(await jobOf(sessionId)).toEqual({ status: 'waiting', attempts: 0, isOutage: true })
  })

  it('costs attempts once it has been waited for an hour', async () => {
    const { sessionId, job } = await beginSession(makeFile(mebibyte))
    await run.rows(
      `update casenote.jobs set outage_since = now() - interval '61 minutes' where tenant_id = $1 and job_id = $2`,
      job.jobId,
    )
    await rename(join(root, 'blobs'), join(root, 'unmounted'))
    await expect(attempt(job)).rejects.toThrow(BlobStoreFault)
    expect(await jobOf(sessionId)).toMatchObject({ status: 'running', attempts: 1 })
  })

  it('never passes for one that has lost a recording, nor takes one into the place where it is mounted', async () => {
    const name = `${run.partner.partnerId}/${run.partner.partnerId}/1-0123456789abcdef`
    await store.put(name, Buffer.from('part'))
    // The folder is there, as a mount point is; what lies in it is not.
    await rename(join(root, 'blobs'), join(root, 'unmounted'))
    await mkdir(join(root, 'blobs'))
    await expect(store.get(name)).rejects.toThrow(BlobStoreFault)
    await expect(store.put(`${name.slice(0, -1)}0`, Buffer.from('part'))).rejects.toThrow(BlobStoreFault)
    await expect(store.probe()).rejects.toThrow(BlobStoreFault)
  })
})

/** Of the system, not of a package. */
const tools = { mount: '/bin/mount', unmount: '/bin/umount' }

/** A volume of a size; null where this machine lets nobody mount one. */
function mountVolume(
  path: string,
  sizeMiB: number,
): { resize(sizeMiB: number): void; unmount(): void } | null {
  const options = (size: number): string => `size=${size}m`
  try {
    mkdirSync(path)
    execFileSync(tools.mount, ['-t', 'tmpfs', '-o', options(sizeMiB), 'tmpfs', path], { stdio: 'ignore' })
  } catch {
    return null
  }
  return {
    resize: (size) => execFileSync(tools.mount, ['-o', `remount,${options(size)}`, path]),
    unmount: () => execFileSync(tools.unmount, [path]),
  }
}

describe('a full blob volume', () => {
  it('is told by the probe and waited for; what was fetched before is not fetched again', async ({
    skip,
  }) => {
    const path = join(root, 'volume')
    const volume = mountVolume(path, 30)
    if (volume === null) {
      skip('mounting needs rights that this process has not')
      return
    }
    try {
      const full = makeFolderStore(join(path, 'blobs'), 'installation')
      await full.check()
      await full.probe()
      run.parts.blobs = { ...run.parts.blobs, store: full }
      await writeFile(join(path, 'others'), Buffer.alloc(20 * mebibyte))
      await expect(full.probe()).rejects.toThrow('the blob folder is full')
      const file = makeFile(16 * mebibyte)
      const { sessionId, job } = await beginSession(file)
      await attempt(job)
      expect(await jobOf(sessionId)).toEqual({ status: 'waiting', attempts: 0, isOutage: true })
      volume.resize(80)
      await full.probe()
      await attempt(await run.claim(sessionId))
      expect(await jobOf(sessionId)).toMatchObject({ status: 'done' })
      expect((await recordingOf(sessionId)).equals(file)).toBe(true)
    } finally {
      volume.unmount()
    }
  })
})
