import { lacksAskedConsent } from '../features/consents/index.js'
import { forgetFed } from '../features/live-transcripts/index.js'
import { selectTenant } from '../features/partners/index.js'
import {
  findDownload,
  findSession,
  readFileUrl,
  recordDownload,
  type SessionRow,
} from '../features/sessions/index.js'
import { deferJob, finishJob, JobLost } from '../jobs/enqueue-job.js'
import { resumeKnownStep, resumeStep } from '../jobs/enqueue-step.js'
import type { SessionJob } from '../jobs/jobs.sql.js'
import {
  makeBlobWriter,
  QuotaExceeded,
  requireRoom,
  resumeBlob,
  type BlobWriter,
} from '../kernel/blobs/index.js'
import {
  beginDownload,
  continueDownload,
  type DownloadOutcome,
  type DownloadSink,
  type DownloadState,
} from '../kernel/guarded-fetch/download.js'
import type { Tx } from '../kernel/db/database.js'
import type { Clock } from '../kernel/clock.js'
import type { BlobId, ClientId, ClinicianId } from '../kernel/ids.js'
import { tolerateFailure } from '../kernel/log.js'
import type { TenantKeyRing } from '../kernel/secrets/tenant-keys.js'
import { targetsOf, type Environment } from '../kernel/tenant.js'
import { dropBegun, guardOf } from './begun-recording.js'
import { failSessionOf } from './fail-session-of.js'
import { keepRecording } from './keep-recording.js'
import { openPipelineChange, type PipelineParts, type Step } from './pipeline-parts.js'
import { whileGoingOn } from './while-going-on.js'

/** How often what comes slowly is kept. */
const keepEveryMs = 10_000

/** A file that is here within this is heard as a whole. */
const heardAfterMs = 15_000

/**
 * Brings the recording of a `fileUrl` into the blob store: one attempt a claim. What is here stays here, so the next
 * attempt, by whichever worker, asks for the rest.
 */
export const fetchAudio: Step = {
  async run(parts, job, signal) {
    const session = await findSession(parts.db, job, job.subjectId)
    if (session?.status !== 'fetching') {
      await parts.db.write(job, (tx) => finishJob(tx, job))
      return
    }
    const { ring } = await openPipelineChange(parts, job)
    const url = readFileUrl(ring, session)
    if (url === null) throw new Error('a session that is being fetched has no fileUrl')
    const { clientId, clinicianId } = session
    // It was there when the session began; this may be an hour later.
    const lacksConsent = lacksConsentOf(session)
    if (await parts.db.write(job, lacksConsent)) {
      await endWithoutConsent(parts, job, ring)
      return
    }
    const { state, writer, completeBlobId } = await openDownload(parts, job, { ring, clientId, clinicianId })
    if (completeBlobId !== null) {
      await keepFetched(parts, job, { ring, lacksConsent, blobId: completeBlobId })
      return
    }
    const environment = targetsOf(await findEnvironment(parts, job), parts.isSandboxHome())
    const options = { dispatcher: parts.agents[environment], environment, clock: parts.clock }
    const download = async (either: AbortSignal): Promise<void> => {
      try {
        const sink = keepOften(writer, parts.clock)
        const outcome = await continueDownload(url, sink, state, { ...options, signal: either })
        await conclude(parts, job, { ring, clientId, lacksConsent, state, writer, outcome })
      } catch (error) {
        if (error instanceof JobLost) throw error
        // Several that wait for room with what they have would wait for each other.
        if (error instanceof QuotaExceeded) await writer.abandon()
        await tolerateFailure(parts.log, 'the next attempt asks for it again', () => writer.flush())
        throw error
      }
    }
    if (!(await whileAllowed(parts, job, { lacksConsent, signal }, download)))
      await endWithoutConsent(parts, job, ring)
  },
  async giveUp(parts, job) {
    const { ring } = await openPipelineChange(parts, job)
    await dropBegun(parts, job, ring)
    await failSessionOf(parts, job, 'processing_failed', 'parked')
  },
}

type LacksConsent = (tx: Tx) => Promise<boolean>

/** Whoever dictates records nobody else. */
const lacksConsentOf =
  ({ source, clientId }: SessionRow): LacksConsent =>
  async (tx) =>
    source !== 'dictated' && (await lacksAskedConsent(tx, clientId))

/** A slow file is not fetched for longer than this after a withdrawal; five seconds are allowed. */
const lookEveryMs = 2_000

/** False: the consent that the partner asks for was withdrawn meanwhile, and the work was broken off. */
async function whileAllowed(
  { db }: PipelineParts,
  job: SessionJob,
  { lacksConsent, signal }: { lacksConsent: LacksConsent; signal: AbortSignal },
  work: (signal: AbortSignal) => Promise<void>,
): Promise<boolean> {
  let isDone = false
  let isAllowed = true
  const look = async (): Promise<boolean> => {
    isAllowed = !(await db.write(job, lacksConsent))
    return isAllowed
  }
  const workToEnd = async (either: AbortSignal): Promise<void> => {
    await work(either)
    isDone = true
  }
  await whileGoingOn(look, signal, workToEnd, lookEveryMs)
  return isAllowed || isDone
}

interface OpenDownload {
  state: DownloadState
  writer: BlobWriter
  /** The blob of a worker that was killed between the last byte and its commit. */
  completeBlobId: BlobId | null
}

/**
 * What a slow server sent is kept while the rest is waited for: it can be heard, and a kill costs less. No more parts than a large
 * file has: an hour has 360 of these.
 */
function keepOften(writer: BlobWriter, clock: Clock): DownloadSink {
  let keptAtMs = clock.nowMs()
  return {
    restart: () => writer.restart(),
    write: async (bytes) => {
      await writer.write(bytes)
      if (clock.nowMs() - keptAtMs < keepEveryMs) return
      await writer.flush()
      keptAtMs = clock.nowMs()
    },
  }
}

/** Opens a download where the last attempt ended, whoever made it; else at the beginning. */
async function openDownload(
  parts: PipelineParts,
  job: SessionJob,
  { ring, clientId, clinicianId }: { ring: TenantKeyRing; clientId: ClientId; clinicianId: ClinicianId },
): Promise<OpenDownload> {
  const sessionId = job.subjectId
  const guard = guardOf(job)
  const found = await findDownload(parts.db, ring, sessionId)
  const blobId = found?.blobId ?? null
  const resumed = blobId === null ? null : await resumeBlob(parts.blobs, job, blobId, guard)
  const state = { ...beginDownload(), ...found?.kept }
  // Without a validator the rest of a file cannot be told from the rest of another one.
  if (resumed !== null && state.validator !== null) state.receivedBytes = resumed.sizeBytes
  const writer = makeBlobWriter(parts.blobs, job, 'audio', {
    guard,
    clinicianId,
    settle: async (tx) => {
      await resumeKnownStep(tx, 'piece_fetched', sessionId)
      await requireRoom(tx, { clinicianId })
    },
    resumed,
    onCreate: async (tx, created) => {
      await recordDownload(tx, ring, { sessionId, clientId, blobId: created, state })
      // Of a file that its server began anew.
      await forgetFed(tx, sessionId)
      await resumeStep(tx, 'piece_fetched', sessionId, heardAfterMs)
    },
  })
  return { state, writer, completeBlobId: resumed?.isComplete === true ? resumed.blobId : null }
}

async function findEnvironment(parts: PipelineParts, job: SessionJob): Promise<Environment> {
  const [tenant] = await parts.db.read(job, selectTenant(job))
  if (tenant === undefined) throw new Error('a job has no tenant')
  return tenant.environment
}

async function keepFetched(
  parts: PipelineParts,
  job: SessionJob,
  { ring, lacksConsent, blobId }: { ring: TenantKeyRing; lacksConsent: LacksConsent; blobId: BlobId },
): Promise<void> {
  const mayKeep = async (tx: Tx): Promise<boolean> => !(await lacksConsent(tx))
  if (!(await keepRecording(parts, job, { blobId, mayKeep }))) await endWithoutConsent(parts, job, ring)
}

/** Withdrawn since the session began. What is here of the recording goes. */
async function endWithoutConsent(parts: PipelineParts, job: SessionJob, ring: TenantKeyRing): Promise<void> {
  await dropBegun(parts, job, ring)
  await failSessionOf(parts, job, 'consent_missing')
}

async function conclude(
  parts: PipelineParts,
  job: SessionJob,
  attempt: {
    ring: TenantKeyRing
    clientId: ClientId
    lacksConsent: LacksConsent
    state: DownloadState
    writer: BlobWriter
    outcome: DownloadOutcome
  },
): Promise<void> {
  const { ring, clientId, lacksConsent, state, writer, outcome } = attempt
  const sessionId = job.subjectId
  if (outcome.status === 'complete') {
    const { blobId } = await writer.finish()
    await keepFetched(parts, job, { ring, lacksConsent, blobId })
  } else if (outcome.status === 'failed') {
    await writer.abandon()
    await failSessionOf(parts, job, `fetch_${outcome.code}`)
  } else {
    const { code, retryInMs } = outcome
    parts.log.info({ sessionId, code, retryInMs }, 'a file server is asked again later')
    if (state.validator === null) await writer.abandon()
    const blobId = await writer.flush()
    await parts.db.write(job, async (tx) => {
      await deferJob(tx, job, retryInMs)
      await recordDownload(tx, ring, { sessionId, clientId, blobId, state })
    })
  }
}
