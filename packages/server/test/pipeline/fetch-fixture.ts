import { randomBytes } from 'node:crypto'
import type { RequestListener, ServerResponse } from 'node:http'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { findSession } from '../../src/features/sessions/index.js'
import { claimJob, releaseJobs, type JobOf } from '../../src/jobs/jobs.sql.js'
import { makeFolderStore, openBlob, type BlobParts } from '../../src/kernel/blobs/index.js'
import { systemClock } from '../../src/kernel/clock.js'
import { makeGuardedAgent } from '../../src/kernel/guarded-fetch/guarded-agent.js'
import { makeLog } from '../../src/kernel/log.js'
import type { PipelineParts } from '../../src/pipeline/pipeline-parts.js'
import type { TestPartner, TestService } from '../support/test-service.js'
import { openPipelineRun, type PipelineRun } from './pipeline-fixture.js'

/** Some parts of 4 MiB and a rest. */
export const makeFile = (sizeBytes = 26_000_000): Buffer => randomBytes(sizeBytes)

export interface FetchRun extends PipelineRun {
  parts: PipelineParts
  /** The fetch job of a session. Whatever else waits is put out of the way. */
  claim(sessionId: string): Promise<JobOf<'fetch_audio'>>
  /** The next claim of the same job: the lease of this one is over. */
  takeOver(job: JobOf<'fetch_audio'>): Promise<JobOf<'fetch_audio'>>
  makeDue(sessionId: string): Promise<unknown>
  createSessionOf(partner: TestPartner, fileUrl: string): Promise<string>
  /** What the session has as its recording; null without any. */
  recordingOf(sessionId: string): Promise<Buffer | null>
}

/** What fetching needs, and no engine. */
export async function openFetchRun(): Promise<FetchRun> {
  const run = await openPipelineRun(null)
  const { service, partner } = run
  const root = await mkdtemp(join(tmpdir(), 'casenote-fetch-'))
  const blobs: BlobParts = {
    db: service.db,
    keys: service.keys,
    store: makeFolderStore(root, 'installation'),
    keepDays: 7,
    endedDays: 7,
  }
  const parts = makeParts(service, blobs)
  const tenant = { tenantId: partner.partnerId }
  const claim = async (sessionId: string): Promise<JobOf<'fetch_audio'>> => {
    await run.rows(
      `update casenote.jobs set due_at = case when subject_id = $2 then now() else 'infinity' end
       where tenant_id = $1 and kind = 'fetch_audio' and status = 'waiting'`,
      sessionId,
    )
    const [job] = await service.db.throughDoor(claimJob(['fetch_audio'], 60_000))
    if (job?.subjectId !== sessionId) throw new Error('another job was claimed')
    return job
  }
  return {
    ...run,
    parts,
    claim,
    takeOver: async (job) => {
      await run.rows(
        `update casenote.jobs set leased_until = now() - interval '1 second' where tenant_id = $1 and job_id = $2`,
        job.jobId,
      )
      await service.db.throughDoor(releaseJobs())
      return claim(job.subjectId)
    },
    makeDue: (sessionId) =>
      run.rows(
        `update casenote.jobs set due_at = now() where tenant_id = $1 and subject_id = $2 and status = 'waiting'`,
        sessionId,
      ),
    createSessionOf: async (of, fileUrl) => {
      const url = `/v2/clients/${of.clientId}/sessions`
      const answer = await service.call({ method: 'POST', url, headers: of.headers, payload: { fileUrl } })
      return answer.json<{ id: string }>().id
    },
    recordingOf: async (sessionId) => {
      const session = await findSession(service.db, tenant, sessionId)
      const blobId = session?.audioBlobId ?? null
      return blobId === null ? null : buffer(await openBlob(blobs, tenant, blobId))
    },
    close: async () => {
      await parts.agents.sandbox.destroy()
      await run.close()
      await rm(root, { recursive: true, force: true })
    },
  }
}

function makeParts({ db, keys }: TestService, blobs: BlobParts): PipelineParts {
  const sandbox = makeGuardedAgent({ environment: 'sandbox' })
  const parts: Partial<PipelineParts> = {
    db,
    keys,
    clock: systemClock,
    publicUrl: 'http://localhost',
    log: makeLog('silent', 'test'),
    blobs,
    agents: { sandbox, production: sandbox },
    isSandboxHome: () => true,
  }
  return parts as PipelineParts
}

export interface CountedFile {
  listener: RequestListener
  /** What was asked for: where it began, or null for all of it. */
  asked: (number | null)[]
  /** Handed to the connections so far. */
  sentBytes(): number
  /** Stops each answer behind this byte of the file, until it is raised. */
  stallAt(byte: number): void
  replace(bytes: Buffer, etag: string): void
}

/** A proper file server for one file that counts what it sends, and stops where it is told to. */
export function countFile(bytes: Buffer, { honoursRange = true } = {}): CountedFile {
  let current = { bytes, etag: '"one"' }
  let heldAt = Infinity
  let sent = 0
  const waiting = new Set<() => void>()
  const asked: (number | null)[] = []
  const send = (response: ServerResponse, file: Buffer, from: number): void => {
    let at = from
    const go = (): void => {
      waiting.delete(go)
      while (at < file.length && at < heldAt && !response.destroyed) {
        const piece = file.subarray(at, Math.min(at + 65_536, heldAt, file.length))
        at += piece.length
        sent += piece.length
        if (!response.write(piece)) return void response.once('drain', go)
      }
      if (at >= file.length) response.end()
      else waiting.add(go)
    }
    response.on('error', () => {})
    go()
  }
  return {
    asked,
    sentBytes: () => sent,
    stallAt: (byte) => {
      heldAt = byte
      // A copy: what reaches the new mark waits again.
      const released = [...waiting]
      for (const go of released) go()
    },
    replace: (other, etag) => {
      current = { bytes: other, etag }
    },
    listener: (request, response) => {
      const { bytes: file, etag } = current
      const range = /^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1]
      asked.push(range === undefined ? null : Number(range))
      const isRest = honoursRange && range !== undefined && request.headers['if-range'] === etag
      const from = isRest ? Number(range) : 0
      response.writeHead(isRest ? 206 : 200, {
        etag,
        'content-length': file.length - from,
        ...(isRest ? { 'content-range': `bytes ${from}-${file.length - 1}/${file.length}` } : {}),
      })
      send(response, file, from)
    },
  }
}
