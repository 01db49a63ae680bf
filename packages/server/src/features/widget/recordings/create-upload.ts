import { recordChange, type AuditEntry } from '../../../kernel/audit/index.js'
import { insertBlob, requireRoom } from '../../../kernel/blobs/index.js'
import type { Tx } from '../../../kernel/db/database.js'
import { newId, type SessionId, type UploadId } from '../../../kernel/ids.js'
import { refuse } from '../../../kernel/refuse.js'
import { isConsentBroken, refuseWithdrawn } from '../../consents/index.js'
import { refuseCutOff, segmentsMax, unfinishedDays, type UploadCreation } from './upload-rules.js'
import {
  insertUpload,
  lockRecordedSession,
  selectUpload,
  selectUploadsOfSession,
  type UploadRow,
} from './uploads.sql.js'

/** Asked again with the same id, because the answer was lost, it is the same upload. */
export async function createUpload(
  tx: Tx,
  sessionId: SessionId,
  { isKept, ...creation }: UploadCreation & { isKept: boolean },
  source: Pick<AuditEntry, 'actor' | 'requestId'>,
): Promise<UploadRow> {
  const { tenant } = tx
  const { uploadId } = creation
  const [session] = await tx.run(lockRecordedSession(tenant, sessionId))
  const existing = await find(tx, uploadId)
  if (existing !== null) {
    if (existing.sessionId !== sessionId)
      throw refuse.conflict('upload_of_another_session', 'The upload is of another session')
    if (existing.status === 'dropped') throw refuse.gone('upload_deleted', 'The upload was deleted')
    return existing
  }
  if (session?.isCutOff === true) throw refuseCutOff()
  if (session?.status !== 'awaiting_audio')
    throw refuse.conflict('recording_complete', 'The session takes no recording any more')
  if (!isKept && (await isConsentBroken(tx, sessionId))) throw refuseWithdrawn()
  const uploads = await tx.run(selectUploadsOfSession(tenant, sessionId))
  if (uploads.length >= segmentsMax)
    throw refuse.conflict('recording_segments_full', 'The recording has too many segments')
  const blobId = newId()
  const { clinicianId } = session
  await tx.run(insertBlob(tenant, { blobId, kind: 'audio', keepDays: unfinishedDays, clinicianId }))
  await tx.run(insertUpload(tenant, { ...creation, sessionId, blobId }))
  const subjects = [uploadId, sessionId, session.clientId]
  await recordChange(tx, { ...source, operation: 'widget.createUpload', subjects })
  const created = await find(tx, uploadId)
  if (created === null) throw new Error('an upload was not created')
  // Without a length of its own at least one byte: who begins what cannot go on is told so now.
  await requireRoom(tx, { clinicianId, moreBytes: Math.max(creation.lengthBytes ?? 0, 1), opensUpload: true })
  return created
}

async function find(tx: Tx, uploadId: UploadId): Promise<UploadRow | null> {
  const [row] = await tx.run(selectUpload(tx.tenant, uploadId))
  return row ?? null
}
