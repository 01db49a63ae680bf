import { joinRecordings } from '../engines/speech/audio/join-recordings.js'
import { RecordingProblem } from '../engines/speech/recording-problem.js'
import {
  listUncut,
  markCut,
  noteBegunBlob,
  selectSegmentBlobs,
  selectUncut,
  toStretch,
  type UncutRow,
} from '../features/session-gaps/index.js'
import { findSession, holdSession, updateAudio } from '../features/sessions/index.js'
import { deferJob, finishJob, holdJob } from '../jobs/enqueue-job.js'
import type { Job } from '../jobs/jobs.sql.js'
import { deleteBlob, findBlob, intendDeletion, makeBlobReader, writeBlob } from '../kernel/blobs/index.js'
import type { Tx } from '../kernel/db/database.js'
import { guardOf } from './begun-recording.js'
import type { PipelineParts, Step } from './pipeline-parts.js'

/**
 * Takes struck stretches out of a recording: it is written anew with silence in their place, and what it was is deleted. The session has no
 * recording meanwhile, so wherever this is killed nobody hears what was struck. One that cannot be read to its end goes as a whole.
 */
export const cutAudio: Step = {
  async run(parts, job, signal) {
    const uncut = await listUncut(parts.db, job, job.subjectId)
    const blobId = uncut[0]?.blobId ?? null
    const session = await findSession(parts.db, job, job.subjectId)
    if (blobId === null || session === null) {
      await parts.db.write(job, (tx) => finishJob(tx, job))
      return
    }
    await dropBegun(parts, job, uncut)
    const whole = await findBlob(parts.blobs, job, blobId)
    if (whole?.status !== 'complete') {
      await end(parts, job, { uncut, cutBlobId: null })
      return
    }
    try {
      const sound = joinRecordings(
        [{ openAudio: makeBlobReader(parts.blobs, job, blobId), sizeBytes: whole.sizeBytes ?? 0 }],
        {
          decoder: parts.speech.decoder,
          scratchFolder: parts.speech.scratchFolder,
          silent: uncut.map(toStretch),
          signal,
        },
      )
      // Never refused for want of room: what it is made of goes.
      const cut = await writeBlob(parts.blobs, job, 'audio', sound, {
        guard: guardOf(job),
        clinicianId: session.clinicianId,
        onCreate: async (tx, begun) => {
          await tx.run(noteBegunBlob(tx.tenant, job.subjectId, begun))
        },
      })
      await end(parts, job, { uncut, cutBlobId: cut.blobId })
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof RecordingProblem)) throw error
      parts.log.warn({ err: error, sessionId: job.subjectId }, 'a recording that cannot be cut is deleted')
      await end(parts, job, { uncut, cutBlobId: null })
    }
  },
  async giveUp(parts, job) {
    const uncut = await listUncut(parts.db, job, job.subjectId)
    await end(parts, job, { uncut, cutBlobId: null }, 'parked')
  },
}

/** Of whoever was killed in it: another stretch may have been struck since. */
async function dropBegun(parts: PipelineParts, job: Job, uncut: readonly UncutRow[]): Promise<void> {
  const begun = new Set(uncut.flatMap(({ begunBlobId }) => begunBlobId ?? []))
  for (const blobId of begun) await deleteBlob(parts.blobs, job, blobId, 'replaced', guardOf(job))
}

async function end(
  parts: PipelineParts,
  job: Job,
  { uncut, cutBlobId }: { uncut: readonly UncutRow[]; cutBlobId: string | null },
  status: 'done' | 'parked' = 'done',
): Promise<void> {
  const sessionId = job.subjectId
  const spoken = await parts.db.write(job, async (tx) => {
    // The session before the job, as whoever strikes another stretch.
    await holdSession(tx, sessionId)
    await holdJob(tx, job)
    if (status === 'done' && (await isStruckSince(tx, sessionId, uncut))) {
      await deferJob(tx, job, 0)
      return []
    }
    const blobs = await listSpoken(tx, sessionId, cutBlobId)
    await tx.run(markCut(tx.tenant, sessionId))
    await tx.run(updateAudio(tx.tenant, sessionId, cutBlobId))
    for (const blobId of blobs) await intendDeletion(tx, blobId, 'requested')
    await finishJob(tx, job, status)
    tx.announce('casenote_sessions')
    return blobs
  })
  // At once; what a kill leaves here goes with the next purge.
  for (const blobId of spoken) await deleteBlob(parts.blobs, job, blobId, 'requested')
}

/** Everything in which the struck words may still be heard, and what was begun of it. */
async function listSpoken(tx: Tx, sessionId: string, except: string | null): Promise<string[]> {
  const uncut = await tx.run<UncutRow & Record<string, unknown>>(selectUncut(tx.tenant, sessionId))
  const segments = await tx.run<{ blobId: string }>(selectSegmentBlobs(tx.tenant, sessionId))
  const named = [
    ...uncut.flatMap((row) => [row.blobId ?? [], row.begunBlobId ?? []].flat()),
    ...segments.map(({ blobId }) => blobId),
  ]
  return [...new Set(named)].filter((blobId) => blobId !== except)
}

async function isStruckSince(tx: Tx, sessionId: string, uncut: readonly UncutRow[]): Promise<boolean> {
  const now = await tx.run<UncutRow & Record<string, unknown>>(selectUncut(tx.tenant, sessionId))
  return now.length !== uncut.length
}
