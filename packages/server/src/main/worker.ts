import { mkdir } from 'node:fs/promises'
import { makeTypesetter } from '../engines/typeset/make-typesetter.js'
import { makeInstruments } from '../features/assessments/index.js'
import {
  makeMailHandlers,
  makeSmtpTransport,
  purgeMails,
  type MailRecipient,
} from '../features/client-mail/index.js'
import { makeExportHandlers } from '../features/client-exports/index.js'
import { endDueSittings, listSittingsOfMovedClocks, purgeOpenings } from '../features/client-pages/index.js'
import { findClient } from '../features/clients/index.js'
import {
  expireOld,
  makePurgeBesideHolds,
  purgeEventsBesideHolds,
  purgeOldEvents,
} from '../features/erasure/index.js'
import { purgeRequestLogs } from '../features/request-logs/index.js'
import { dropLeftDownloads } from '../features/sessions/index.js'
import {
  purgeDeliveries,
  purgeDeliveriesBesideHolds,
  purgeDeliveriesOfMovedClocks,
} from '../features/webhooks/index.js'
import {
  abandonRecordings,
  listRecordingsOfMovedClocks,
  makeCodeHandlers,
  makeKeepAcknowledged,
  purgeSignIns,
  purgeWidgetSessions,
} from '../features/widget/index.js'
import { observeChaining, observeDuty, observeKeyStore, observeUnopened } from '../http/process-metrics.js'
import { DutyRunner, type Duty } from '../jobs/duties.js'
import { JobRunner, type JobHandlers } from '../jobs/job-runner.js'
import { purgeJobs, type Job } from '../jobs/jobs.sql.js'
import type { Lane } from '../jobs/share-places.js'
import {
  listBlobTenantsOfMovedClocks,
  purgeBlobs,
  scheduleAudioDeletion,
  scheduleAudioOfMovedClocks,
  sweepOrphans,
} from '../kernel/blobs/index.js'
import { anchorFile, readAnchors, chainAudit, writeAnchors } from '../kernel/audit/index.js'
import { boundActs, FolderFault } from '../kernel/bounded-acts.js'
import type { SealedParts } from '../kernel/change-context.js'
import { answerWithinMs } from '../kernel/db/connection-limits.js'
import { purgeOldAnswers } from '../kernel/idempotency/index.js'
import { newId, type ClientId } from '../kernel/ids.js'
import type { MasterKeys } from '../kernel/secrets/master-keys.js'
import type { TenantScope } from '../kernel/tenant.js'
import type { PassOptions } from '../kernel/try-each.js'
import type { Vital } from '../kernel/vital.js'
import { LANES, makeJobHandlers, makeLiveLanes } from '../pipeline/pipeline.js'
import { observeClaim, observeShared } from '../pipeline/pipeline-metrics.js'
import { openPipelineChange, type PipelineParts } from '../pipeline/pipeline-parts.js'
import { selectUnopened } from './erasure/erasure.sql.js'
import { finishErasures, makeErasureParts } from './erasure/finish-erasures.js'
import { makeListAgain } from './erasure/list-again.js'
import { wordOperation } from './audit-report/operation-words.js'
import { startBlobPulse } from './open-blobs.js'
import { openPipeline } from './open-pipeline.js'
import { openDatabase } from './database-source.js'
import type { ServiceParts } from './parts.js'

/** What one pass removes at the most, so that a long pause does not end in one huge transaction. */
const purgedMost = 10_000

/** So long the command that asked for an erasure is left to it alone; two at once would only do the work twice. */
const commandSeconds = 60

/** Sittings that one pass ends. */
const endedMost = 500

/** Recordings of deactivated clinicians in one page: few have any under way. */
const keptMost = 100

/** Jobs that ended tell an operator what happened lately; the artifacts tell the rest. */
const jobsKeptDays = 30

/** Long enough for a developer to come back from a holiday to what went wrong. */
const requestLogsKeptDays = 14

/** Batches of one pass, once a minute: the default quota of a day is 35,000 calls a minute, and a pause is made up for. */
const requestLogBatchesMax = 20

/**
 * A worker that stops breaks its jobs off after three seconds; they bring what they have to the store. One that has not taken it by then
 * is waited for no longer: each call may take minutes, and a process has 15 s.
 */
const storeWithinMs = 6_000

/** Without master keys nothing is erased. */
type WorkerParts = ServiceParts & { masterKeys?: MasterKeys }

export interface Worker {
  /** Whether every duty has run once. */
  isPolling(): boolean
  vitals: readonly Vital[]
  /** While it closes, and the database is out of reach: what it waits for over connections of its own is given up. */
  abandon(): void
  close(): Promise<void>
}

export async function startWorker(parts: WorkerParts): Promise<Worker> {
  const pipeline = await openPipeline(parts)
  const { config, db, log, listenUrl } = parts
  const mail = openMail(parts)
  const steps = makeJobHandlers(pipeline.parts)
  const exports = openExports(parts, pipeline.parts)
  /** Its handlers, in hand with the job: those of one kind know no other. */
  const take = <Done>(
    job: Job,
    act: <Claimed extends Job>(handlers: JobHandlers<Claimed>, claimed: Claimed) => Done,
  ): Done => {
    if (job.kind === 'export_client') return act(exports.handlers, job)
    if (job.kind !== 'send_mail' && job.kind !== 'send_code') return act(steps, job)
    if (mail === null) throw new Error('mails are sent where there is a mail server')
    return job.kind === 'send_mail' ? act(mail.handlers, job) : act(mail.codes, job)
  }
  const handlers: JobHandlers = {
    run: (job, signal) => take(job, (its, claimed) => its.run(claimed, signal)),
    giveUp: (job, signal) => take(job, (its, claimed) => its.giveUp(claimed, signal)),
  }
  const lanes = [...LANES, ...makeLiveLanes(config.livePlaces), ...exports.lanes, ...(mail?.lanes ?? [])]
  const jobs = new JobRunner({ db, listenUrl, log, lanes, handlers, onClaimEnd: observeClaim })
  observeShared(parts)
  const duties = new DutyRunner(log, observeDuty)
  const erasing = openErasing(parts, pipeline.parts)
  duties.start([
    makeChaining(parts),
    ...makeSittingEnds(parts),
    makeKeeping(parts, pipeline.parts),
    ...makePurges(parts, pipeline.parts),
    ...erasing.duties,
  ])
  jobs.start()
  const { store } = pipeline.parts.blobs
  const blobPulse = startBlobPulse(store, log)
  return {
    isPolling: () => duties.isPolling() && jobs.isPolling(),
    vitals: [...jobs.vitals, blobPulse.vital],
    abandon: () => erasing.abandon(),
    close: async () => {
      const abandoning = setTimeout(() => store.abandon(), storeWithinMs)
      // Side by side: each may take most of the time that there is.
      await Promise.all([blobPulse.stop(), jobs.close(), erasing.closeAfter(() => duties.stop())])
      clearTimeout(abandoning)
      // What was waited for no longer may still be asked.
      store.abandon()
      await exports.close()
      await pipeline.close()
      await mail?.close()
    },
  }
}

/** An export of years of sessions takes minutes, for which nobody's note waits. */
function openExports({ db, keys, log, watch }: ServiceParts, { blobs }: PipelineParts) {
  const typesetter = makeTypesetter()
  const instruments = makeInstruments({ db, watch, log })
  const lanes: Lane[] = [{ kinds: ['export_client'], places: 2, leavesRoom: true }]
  const handlers = makeExportHandlers({ db, keys, log, blobs, instruments, typesetter, wordOperation })
  return { lanes, handlers, close: () => typesetter.close() }
}

/** Null where no server is configured: such a worker leaves mails to one that has it. */
function openMail({ config, db, keys, log }: ServiceParts) {
  if (config.smtp === null) return null
  const transport = makeSmtpTransport(config.smtp)
  const findRecipient = async (tenant: TenantScope, clientId: ClientId): Promise<MailRecipient | null> => {
    const client = await findClient(db, tenant, clientId)
    if (client === null || client.status === 'archived' || !client.email) return null
    return { address: client.email, language: client.language }
  }
  // Who waits for a code waits for no other mail.
  const lanes: Lane[] = [
    { kinds: ['send_mail'], places: 2 },
    { kinds: ['send_code'], places: 2 },
  ]
  const handlers = makeMailHandlers({ db, keys, log, transport, findRecipient })
  const codes = makeCodeHandlers({ db, keys, log, transport })
  return { lanes, handlers, codes, close: () => transport.close() }
}

/** A small file. Chaining waits for it, and a process that stops for chaining. */
const anchorLimits = { atOnceMost: 1, withinMs: 5_000 }

/** Twice a second, so that a change is in its chain and under a checkpoint within one. */
function makeChaining({ db, keys, clock, config, log }: ServiceParts): Duty {
  const writerId = newId()
  const file = anchorFile(config.dataDir)
  const inTime = boundActs(anchorLimits, {
    noAnswer: () => new FolderFault('the folder of the anchors of the audit log does not answer'),
  })
  return {
    name: 'audit.seal',
    pauseMs: 500,
    run: async () => {
      // The embedded server has made it; on an external one nobody else has. What is in it, only its owner reads.
      const anchors = await inTime(async () => {
        await mkdir(config.dataDir, { recursive: true, mode: 0o711 })
        return readAnchors(file)
      })
      const report = await chainAudit({ db, keys, clock, writerId, anchors })
      await inTime(() => writeAnchors(file, report.anchors))
      for (const tenantId of report.diverged)
        log.error({ tenantId }, 'the audit log does not contain its anchor')
      observeChaining(new Set([...report.diverged, ...report.failures.map(({ tenantId }) => tenantId)]).size)
      for (const { tenantId, error } of report.failures)
        log.error({ tenantId, err: error }, 'chaining failed')
    },
  }
}

/** Once a minute: a score waits that much longer at the most. */
function makeSittingEnds({ db, keys, clock, config, log, watch }: ServiceParts): Duty[] {
  const instruments = makeInstruments({ db, watch, log })
  const parts = { db, keys, clock, publicUrl: config.publicUrl, instruments, log }
  return [
    makeDuty('sitting.end', 60_000, (signal) => endDueSittings(parts, endedMost, { signal })),
    makeDuty('sandbox.endSittings', 60_000, (signal) =>
      endDueSittings(parts, endedMost, { list: listSittingsOfMovedClocks, signal }),
    ),
  ]
}

/** Often: a note that somebody else must sign now waits for it. */
function makeKeeping({ db }: ServiceParts, { blobs: { keepDays } }: PipelineParts): Duty {
  const keepAcknowledged = makeKeepAcknowledged(db, { keepDays, pageRows: keptMost })
  return makeDuty('recording.keepAcknowledged', 5_000, (signal) => keepAcknowledged({ signal }))
}

type PurgeParts = Pick<ServiceParts, 'db' | 'config'>
type PurgedParts = SealedParts & Pick<PipelineParts, 'blobs'>

/** All that goes by itself. None of it touches what is a client's under a legal hold; a test runs them all for one. */
export const makePurges = (parts: PurgeParts, pipeline: PurgedParts): Duty[] => [
  ...makePurging(parts, pipeline),
  ...makePurgingBesideHolds(parts),
  ...makeMovedPurging(parts, pipeline),
]

/** Rare, because what they remove is weeks old. */
function makePurging({ db, config }: PurgeParts, pipeline: PurgedParts): Duty[] {
  const { blobs } = pipeline
  return [
    makeDuty('widgetSession.purge', 3_600_000, () => db.throughDoor(purgeWidgetSessions(purgedMost))),
    makeDuty('signInCode.purge', 3_600_000, () => db.throughDoor(purgeSignIns(purgedMost))),
    makeDuty('clientOpening.purge', 3_600_000, () => db.throughDoor(purgeOpenings(purgedMost))),
    makeDuty('webhookDelivery.purge', 60_000, () =>
      db.throughDoor(purgeDeliveries(config.deliveryRetentionDays, purgedMost)),
    ),
    { ...makeDuty('keptAnswer.purge', 60_000, (signal) => purgeOldAnswers(db, { signal })), isLong: true },
    makeDuty('event.purge', 600_000, () => db.throughDoor(purgeOldEvents(purgedMost))),
    { ...makeDuty('retention.expire', 300_000, (signal) => expireOld(db, { signal })), isLong: true },
    makeDuty('requestLog.purge', 60_000, (signal) => purgeCalls(db, { signal })),
    makeDuty('job.purge', 3_600_000, () => db.throughDoor(purgeJobs(jobsKeptDays, purgedMost))),
    makeDuty('mail.purge', 3_600_000, () => db.throughDoor(purgeMails(config.mailRetentionDays, purgedMost))),
    makeDuty('download.drop', 600_000, (signal) => dropLeftDownloads(db, purgedMost, { signal })),
    makeDuty('recording.abandon', 3_600_000, (signal) =>
      abandonRecordings(db, (tenant) => openPipelineChange(pipeline, tenant), purgedMost, { signal }),
    ),
    makeDuty('audio.schedule', 600_000, () =>
      db.throughDoor(scheduleAudioDeletion(config.audioRetentionDays, purgedMost)),
    ),
    { ...makeDuty('blob.purge', 600_000, (signal) => purgeBlobs(blobs, { signal })), isLong: true },
    {
      ...makeDuty('blob.sweep', 6 * 3_600_000, async (signal) =>
        sweepOrphans(blobs, await blobs.store.readClockMs(), { signal }),
      ),
      isLong: true,
    },
  ]
}

/** Purges what no hold keeps of tenants with a legal hold; the other purges leave all of theirs to these. */
function makePurgingBesideHolds({ db, config }: PurgeParts): Duty[] {
  const purgeDeliveriesBeside = makePurgeBesideHolds(
    (after) => db.throughDoor(purgeDeliveriesBesideHolds(config.deliveryRetentionDays, after, purgedMost)),
    purgedMost,
  )
  const purgeEventsBeside = makePurgeBesideHolds(
    (after) => db.throughDoor(purgeEventsBesideHolds(after, purgedMost)),
    purgedMost,
  )
  return [
    {
      ...makeDuty('webhookDelivery.purgeBesideHolds', 600_000, (signal) => purgeDeliveriesBeside({ signal })),
      isLong: true,
    },
    {
      ...makeDuty('event.purgeBesideHolds', 600_000, (signal) => purgeEventsBeside({ signal })),
      isLong: true,
    },
  ]
}

async function purgeCalls(db: ServiceParts['db'], { signal }: PassOptions): Promise<void> {
  for (let batch = 0; batch < requestLogBatchesMax; batch += 1) {
    if (signal?.aborted === true) break
    const [row] = await db.throughDoor(purgeRequestLogs(requestLogsKeptDays, purgedMost))
    if ((row?.purged ?? 0) < purgedMost) return
  }
}

/**
 * What only the moved clock of a sandbox makes due. Duties of their own: whatever becomes of them, that of production runs. Each ends
 * with one look where no clock was moved.
 */
function makeMovedPurging({ db, config }: PurgeParts, pipeline: PurgedParts): Duty[] {
  const { blobs } = pipeline
  const openChange = (tenant: TenantScope) => openPipelineChange(pipeline, tenant)
  return [
    makeDuty('sandbox.purgeDeliveries', 60_000, () =>
      db.throughDoor(purgeDeliveriesOfMovedClocks(config.deliveryRetentionDays, purgedMost)),
    ),
    makeDuty('sandbox.abandonRecordings', 3_600_000, (signal) =>
      abandonRecordings(db, openChange, purgedMost, { list: listRecordingsOfMovedClocks, signal }),
    ),
    makeDuty('sandbox.scheduleAudio', 600_000, () =>
      db.throughDoor(scheduleAudioOfMovedClocks(config.audioRetentionDays, purgedMost)),
    ),
    {
      ...makeDuty('sandbox.purgeBlobs', 600_000, (signal) =>
        purgeBlobs(blobs, { list: listBlobTenantsOfMovedClocks, signal }),
      ),
      isLong: true,
    },
  ]
}

/** One for the key store while a row is locked, and one for the lease, which may wait for that row. */
const erasingPoolSize = 3

interface Erasing {
  duties: Duty[]
  /** An erasure that is under way has as long as any other statement, then it is cut, and the next start goes on with it. */
  closeAfter(stop: () => Promise<void>): Promise<void>
  abandon(): void
}

/**
 * What partners have asked for, and what a kill cut short. Over connections of its own: an erasure reads all events of a tenant, which
 * may take longer than a statement of a request may.
 */
function openErasing(
  { db, keys, masterKeys, log, listenUrl }: WorkerParts,
  { blobs: { store } }: PipelineParts,
): Erasing {
  const clientKeys = masterKeys?.clientKeys ?? null
  if (clientKeys === null) return { duties: [], closeAfter: (stop) => stop(), abandon: () => {} }
  const unhurried = openDatabase(listenUrl, 'erasure', erasingPoolSize, log, { isUnhurried: true })
  const erasing = makeErasureParts({ db: unhurried, keys, clientKeys, store })
  const listAgain = makeListAgain(db, clientKeys)
  const finish = async (signal: AbortSignal): Promise<void> => {
    await listAgain()
    const [row] = await db.throughDoor(selectUnopened())
    observeUnopened(row?.unopenedValues ?? 0)
    observeKeyStore(clientKeys.fullness)
    await finishErasures(erasing, commandSeconds, { signal })
  }
  const closeAfter = async (stop: () => Promise<void>): Promise<void> => {
    const cutting = setTimeout(() => unhurried.abandon(), answerWithinMs)
    try {
      await stop()
    } finally {
      clearTimeout(cutting)
      await unhurried.end()
    }
  }
  const duties = [{ ...makeDuty('erasure.finish', 15_000, finish), isLong: true as const }]
  return { duties, closeAfter, abandon: () => unhurried.abandon() }
}

const makeDuty = (name: string, pauseMs: number, run: (stopping: AbortSignal) => Promise<unknown>): Duty => ({
  name,
  pauseMs,
  run: async (stopping) => void (await run(stopping)),
})
