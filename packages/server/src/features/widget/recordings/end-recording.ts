import type { RecordingCompletion } from '@casenote/contract'
import { recordChange } from '../../../kernel/audit/index.js'
import { completeBlobWith, intendDeletion } from '../../../kernel/blobs/index.js'
import type { ChangeContext } from '../../../kernel/change-context.js'
import type { Database, Tx } from '../../../kernel/db/database.js'
import type { SessionId, TenantId, UploadId } from '../../../kernel/ids.js'
import { refuse } from '../../../kernel/refuse.js'
import { tryEach, type PassOptions } from '../../../kernel/try-each.js'
import { isConsentBroken, refuseWithdrawn } from '../../consents/index.js'
import { discardSession, failSession, receiveSegments } from '../../sessions/index.js'
import { refuseCutOff, unfinishedDays } from './upload-rules.js'
import {
  dropUpload,
  listAbandonedRecordings,
  lockRecordedSession,
  lockUploadsOfSession,
  useUpload,
  type RecordedSessionRow,
  type UploadRow,
} from './uploads.sql.js'

/** All of the recording is here: its segments in this order. Asked again with the same, nothing more happens. */
export async function completeRecording(
  tx: Tx,
  context: ChangeContext,
  {
    sessionId,
    uploadIds,
    isKept,
    keepDays,
  }: RecordingCompletion & { sessionId: SessionId; keepDays: number },
): Promise<void> {
  const session = await getLockedRecordedSession(tx, sessionId)
  const uploads = await listUploads(tx, sessionId)
  if (session.status !== 'awaiting_audio') {
    const used = uploads.filter(({ status }) => status === 'used').map(({ uploadId }) => uploadId)
    if (used.length > 0 && used.join() === uploadIds.join()) return
    if (session.isCutOff) throw refuseCutOff()
    throw refuse.conflict('recording_complete', 'The recording is complete already, or was given up')
  }
  const isBroken = await isConsentBroken(tx, sessionId)
  if (isBroken && isKept !== true) throw refuseWithdrawn()
  const segments = chooseSegments(uploads, uploadIds)
  await takeSegments(tx, { sessionId, segments, keepDays })
  const others = uploads.filter((upload) => !segments.includes(upload))
  await dropOpenUploads(tx, others, 'replaced')
  const { actor, requestId } = context
  const subjects = [sessionId, session.clientId]
  await recordChange(tx, { operation: 'widget.completeRecording', actor, requestId, subjects })
  if (isBroken) await recordChange(tx, { operation: 'widget.keepWithdrawn', actor, requestId, subjects })
}

/** Makes segments the session's recording, in this order. */
export async function takeSegments(
  tx: Tx,
  {
    sessionId,
    segments,
    keepDays,
  }: { sessionId: SessionId; segments: readonly UploadRow[]; keepDays: number },
): Promise<void> {
  for (const { blobId } of segments) await completeBlobWith(tx, blobId, keepDays)
  // Last: the first of them locks what counts the uploads of the whole partner.
  for (const [position, { uploadId }] of segments.entries())
    await tx.run(useUpload(tx.tenant, uploadId, position))
  if (!(await receiveSegments(tx, sessionId))) throw new Error('a session that waits took no recording')
}

function chooseSegments(uploads: readonly UploadRow[], uploadIds: readonly UploadId[]): UploadRow[] {
  const problems: string[] = []
  const segments = uploadIds.flatMap((uploadId, index) => {
    const upload = uploads.find((one) => one.uploadId === uploadId && one.status === 'open')
    if (upload === undefined) problems.push(`uploadIds.${index} must be an upload of the session`)
    if (uploadIds.indexOf(uploadId) < index) problems.push(`uploadIds.${index} must be unique`)
    return upload === undefined ? [] : [upload]
  })
  if (problems.length > 0) throw refuse.invalid(problems)
  if (segments.some(({ offsetBytes, lengthBytes }) => offsetBytes !== lengthBytes)) {
    throw refuse.conflict('recording_incomplete', 'A segment of the recording is not uploaded to its end')
  }
  return segments
}

/** Thrown away by the clinician, before it was complete. Twice is once. */
export async function discardRecording(tx: Tx, context: ChangeContext, sessionId: SessionId): Promise<void> {
  const { failureCode } = await getLockedRecordedSession(tx, sessionId)
  if (failureCode === 'discarded') return
  if (!(await discardSession(tx, context, sessionId))) {
    throw refuse.conflict('recording_complete', 'The recording is complete already, or was given up')
  }
  await dropOpenUploads(tx, await listUploads(tx, sessionId), 'requested')
}

/** Ends the upload of one segment, as tus "termination" has it. */
export async function terminateUpload(
  tx: Tx,
  { actor, requestId }: Pick<ChangeContext, 'actor' | 'requestId'>,
  upload: UploadRow,
): Promise<void> {
  const { clientId } = await getLockedRecordedSession(tx, upload.sessionId)
  if (!(await dropOpenUploads(tx, [upload], 'requested'))) {
    throw refuse.conflict('recording_complete', 'The recording is complete already')
  }
  const subjects = [upload.uploadId, upload.sessionId, clientId]
  await recordChange(tx, { operation: 'widget.terminateUpload', actor, requestId, subjects })
}

/** Sessions whose recording was never finished fail, and what had arrived of it is deleted, as what was jotted down. */
export async function abandonRecordings(
  db: Database,
  openContext: (tenant: { tenantId: TenantId }) => Promise<ChangeContext>,
  most: number,
  { list = listAbandonedRecordings, signal }: PassOptions & { list?: typeof listAbandonedRecordings } = {},
): Promise<number> {
  const rows = await db.throughDoor(list(unfinishedDays, most))
  const abandon = async ({ tenantId, sessionId }: (typeof rows)[number]): Promise<void> => {
    const context = await openContext({ tenantId })
    await db.write({ tenantId }, async (tx) => {
      await getLockedRecordedSession(tx, sessionId)
      if (!(await failSession(tx, context, { sessionId, failure: 'audio_missing' }))) return
      await dropOpenUploads(tx, await listUploads(tx, sessionId), 'expired')
    })
  }
  await tryEach(rows, abandon, { signal })
  return rows.length
}

export async function getLockedRecordedSession(tx: Tx, sessionId: SessionId): Promise<RecordedSessionRow> {
  const [session] = await tx.run(lockRecordedSession(tx.tenant, sessionId))
  if (session === undefined) throw refuse.notFound()
  return session
}

export const listUploads = (tx: Tx, sessionId: SessionId): Promise<UploadRow[]> =>
  tx.run(lockUploadsOfSession(tx.tenant, sessionId))

/** The purge removes the bytes within minutes. False: none of them was open. */
export async function dropOpenUploads(
  tx: Tx,
  uploads: readonly UploadRow[],
  reason: 'expired' | 'replaced' | 'requested',
): Promise<boolean> {
  let dropped = 0
  for (const { uploadId } of uploads) {
    const [row] = await tx.run(dropUpload(tx.tenant, uploadId))
    if (row === undefined) continue
    await intendDeletion(tx, row.blobId, reason)
    dropped += 1
  }
  return dropped > 0
}
