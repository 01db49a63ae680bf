import type { NoteTemplate } from '@casenote/contract'
import { enqueueStep } from '../../jobs/enqueue-step.js'
import type { Database, Tx } from '../../kernel/db/database.js'
import { relaxDurability } from '../../kernel/db/relax-durability.sql.js'
import type { BlobId, SessionId } from '../../kernel/ids.js'
import type { TenantScope } from '../../kernel/tenant.js'
import { endLive, isNearlyHeard } from '../live-transcripts/index.js'
import { applySessionAction } from './apply-session-action.js'
import { deleteDownload } from './recording-downloads.sql.js'
import { updateAudio, updateTemplate, updateAudioLength, updateProgress } from './sessions.sql.js'

/** The recording is here. False: the session is not at this point, as after a retry or a failure. */
export async function receiveRecording(
  tx: Tx,
  { sessionId, blobId }: { sessionId: SessionId; blobId: BlobId },
): Promise<boolean> {
  if (!(await startTranscribing(tx, sessionId))) return false
  await tx.run(updateAudio(tx.tenant, sessionId, blobId))
  await tx.run(deleteDownload(tx.tenant, sessionId))
  const isHeard = await isNearlyHeard(tx, sessionId)
  await enqueueStep(tx, isHeard ? 'heard_recording_kept' : 'recording_kept', sessionId)
  return true
}

/** The widget has sent all of the recording. False: it had before, or the session has ended. */
export async function receiveSegments(tx: Tx, sessionId: SessionId): Promise<boolean> {
  if ((await applySessionAction(tx, sessionId, 'receiveAudio')) === null) return false
  await endLive(tx, sessionId)
  await enqueueStep(tx, 'recording_sent', sessionId)
  return true
}

export const startTranscribing = async (tx: Tx, sessionId: SessionId): Promise<boolean> =>
  (await applySessionAction(tx, sessionId, 'startTranscribing')) !== null

/** A magic edit may turn a note into one of another type. */
export async function changeTemplate(
  tx: Tx,
  sessionId: SessionId,
  template: Pick<NoteTemplate, 'noteType' | 'id' | 'version'>,
): Promise<void> {
  await tx.run(updateTemplate(tx.tenant, sessionId, template))
}

/** Every step has ended; whether the note was written is the note's own state. */
export const completeSession = async (tx: Tx, sessionId: SessionId): Promise<boolean> =>
  (await applySessionAction(tx, sessionId, 'complete')) !== null

/** Within a step; what is lower than what was reached is ignored. */
export async function recordProgress(tx: Tx, sessionId: SessionId, progress: number): Promise<void> {
  if (!(progress >= 0 && progress < 1)) throw new Error('the progress of a running session is below 1')
  await tx.run(updateProgress(tx.tenant, sessionId, progress))
  tx.announce('casenote_sessions')
}

/** For usage, with the transcript that was made of it. */
export async function recordAudioLength(
  tx: Tx,
  { sessionId, durationSeconds }: { sessionId: SessionId; durationSeconds: number },
): Promise<void> {
  await tx.run(updateAudioLength(tx.tenant, sessionId, Math.round(durationSeconds * 1_000)))
}

/** Shows how far a session has come, as often as it is worth showing: one round trip of its own that waits for no disk. */
export async function showProgress(
  db: Database,
  tenant: TenantScope,
  { sessionId, progress }: { sessionId: SessionId; progress: number },
): Promise<void> {
  await db.writeAtOnce(tenant, relaxDurability, updateProgress(tenant, sessionId, progress))
}
