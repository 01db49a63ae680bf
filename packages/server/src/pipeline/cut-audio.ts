import { isCutShort } from '../engines/speech/audio/decoder-cut-short.js'
import { joinRecordings } from '../engines/speech/audio/join-recordings.js'
import { RecordingProblem, type RecordingProblemCode } from '../engines/speech/recording-problem.js'
import {
  findStruckBlob,
  isUnderHold,
  listUncut,
  markCut,
  rememberBegunBlob,
  selectLegalHold,
  selectSegmentBlobs,
  selectUncut,
  toSilence,
  type UncutRow,
} from '../features/session-gaps/index.js'
import { findSession, lockSession, selectAudioLength, updateAudio } from '../features/sessions/index.js'
import { deferJob, finishJob, requireJob } from '../jobs/enqueue-job.js'
import type { SessionJob } from '../jobs/jobs.sql.js'
import { deleteBlob, findBlob, intendDeletion, makeBlobReader, writeBlob } from '../kernel/blobs/index.js'
import type { Tx } from '../kernel/db/database.js'
import type { BlobId, ClientId, SessionId } from '../kernel/ids.js'
import { guardOf } from './begun-recording.js'
import type { PipelineParts, Step } from './pipeline-parts.js'

const soundless = new Set<RecordingProblemCode>(['unreadable', 'unsupported', 'no_audio'])

/** Tries before a recording that was heard once is taken for soundless: a decoder that is killed at its start says the same of good bytes. */
const soundlessTimes = 3

/** A blob store may be away for a weekend: nobody waits, and nothing is deleted meanwhile. */
const patienceMs = 3 * 86_400_000

/**
 * Takes struck stretches out of a recording: it is written anew with silence in their place, and what it was is deleted. The session has no
 * recording meanwhile, so wherever this is killed nobody hears what was struck. One that is no sound at all goes as a whole; one that only
 * could not be read this time stays where it is, unheard, and is tried again.
 */
export const cutAudio: Step = {
  async run(parts, job, signal) {
    const uncut = await listUncut(parts.db, job, job.subjectId)
    const blobId = findStruckBlob(uncut)
    const session = await findSession(parts.db, job, job.subjectId)
    if (blobId === null || session === null || (await isUnderHoldNow(parts, job, session.clientId))) {
      await parts.db.write(job, (tx) => finishJob(tx, job))
      return
    }
    await dropBegunCuts(parts, job, uncut)
    const whole = await findBlob(parts.blobs, job, blobId)
    if (whole?.status !== 'complete') {
      await replaceRecording(parts, job, { uncut, cutBlobId: null, clientId: session.clientId })
      return
    }
    try {
      const sound = joinRecordings(
        [{ openAudio: makeBlobReader(parts.blobs, job, blobId), sizeBytes: whole.sizeBytes ?? 0 }],
        {
          decoder: parts.speech.decoder,
          scratchFolder: parts.speech.scratchFolder,
          silence: toSilence(uncut),
          secondsLeast: (await findAudioMs(parts, job)) / 1_000,
          signal,
        },
      )
      // Never refused for want of room: what it is made of goes.
      const cut = await writeBlob(parts.blobs, job, 'audio', sound, {
        guard: guardOf(job),
        clinicianId: session.clinicianId,
        onCreate: async (tx, begun) => {
          await tx.run(rememberBegunBlob(tx.tenant, job.subjectId, begun))
        },
      })
      await replaceRecording(parts, job, { uncut, cutBlobId: cut.blobId, clientId: session.clientId })
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof RecordingProblem && soundless.has(error.code)) || isCutShort(error)) throw error
      if (job.attempts < soundlessTimes) throw error
      parts.log.warn(
        { err: error, sessionId: job.subjectId },
        'a recording without sound cannot be cut, and is deleted',
      )
      await replaceRecording(parts, job, { uncut, cutBlobId: null, clientId: session.clientId })
    }
  },
  async giveUp(parts, job) {
    const { jobId, kind, subjectId } = job
    await parts.db.write(job, (tx) => finishJob(tx, job, 'parked'))
    parts.log.error(
      { jobId, kind, subjectId },
      'a recording was not cut: nobody can hear it, and it is kept until it is struck again or erased',
    )
  },
  findPatienceMs: async () => patienceMs,
}

/** Zero: nobody measured it. */
async function findAudioMs(parts: PipelineParts, job: SessionJob): Promise<number> {
  const [row] = await parts.db.read(job, selectAudioLength(job, job.subjectId))
  return row?.audioMs ?? 0
}

/** Only saves the work: whoever replaces the recording asks again, under the lock. */
async function isUnderHoldNow(parts: PipelineParts, job: SessionJob, clientId: ClientId): Promise<boolean> {
  const [hold] = await parts.db.read(job, selectLegalHold(job, clientId))
  return hold?.isUnderHold === true
}

/** What a killed run had begun to write: more may have been struck since, so that nobody can go on with it. */
async function dropBegunCuts(
  parts: PipelineParts,
  job: SessionJob,
  uncut: readonly UncutRow[],
): Promise<void> {
  const begun = new Set(uncut.flatMap(({ begunBlobId }) => begunBlobId ?? []))
  for (const blobId of begun) await deleteBlob(parts.blobs, job, blobId, 'replaced', guardOf(job))
}

/** Puts what was cut (null: nothing) in the place of the recording, unless more was struck or a hold was placed meanwhile. */
async function replaceRecording(
  parts: PipelineParts,
  job: SessionJob,
  {
    uncut,
    cutBlobId,
    clientId,
  }: { uncut: readonly UncutRow[]; cutBlobId: BlobId | null; clientId: ClientId },
): Promise<void> {
  const sessionId = job.subjectId
  const spoken = await parts.db.write(job, async (tx) => {
    // The session before the job, as whoever strikes another stretch.
    await tx.run(lockSession(tx.tenant, sessionId))
    await requireJob(tx, job)
    if (await isStruckSince(tx, sessionId, uncut)) {
      await deferJob(tx, job, 0)
      return []
    }
    // A hold that is newer than the strike: whoever lifts it has it cut.
    if (await isUnderHold(tx, clientId)) {
      await finishJob(tx, job)
      return []
    }
    const blobs = await listSpoken(tx, sessionId, cutBlobId)
    await tx.run(markCut(tx.tenant, sessionId))
    await tx.run(updateAudio(tx.tenant, sessionId, cutBlobId))
    for (const blobId of blobs) await intendDeletion(tx, blobId, 'requested')
    await finishJob(tx, job)
    tx.announce('casenote_sessions')
    return blobs
  })
  // At once; what a kill leaves here goes with the next purge.
  for (const blobId of spoken) await deleteBlob(parts.blobs, job, blobId, 'requested')
}

/** Everything in which the struck words may still be heard, and what was begun of it. */
async function listSpoken(tx: Tx, sessionId: SessionId, except: BlobId | null): Promise<BlobId[]> {
  const uncut = await tx.run(selectUncut(tx.tenant, sessionId))
  const segments = await tx.run(selectSegmentBlobs(tx.tenant, sessionId))
  const named = [
    ...uncut.flatMap((row) => [row.blobId ?? [], row.begunBlobId ?? []].flat()),
    ...segments.map(({ blobId }) => blobId),
  ]
  return [...new Set(named)].filter((blobId) => blobId !== except)
}

async function isStruckSince(tx: Tx, sessionId: SessionId, uncut: readonly UncutRow[]): Promise<boolean> {
  const now = await tx.run(selectUncut(tx.tenant, sessionId))
  return now.length !== uncut.length
}
