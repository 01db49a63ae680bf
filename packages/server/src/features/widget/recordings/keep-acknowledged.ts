import { recordChange } from '../../../kernel/audit/index.js'
import type { Database, Tx } from '../../../kernel/db/database.js'
import type { SessionId } from '../../../kernel/ids.js'
import { tryEach } from '../../../kernel/try-each.js'
import { lockClinicianShared } from '../../clinicians/index.js'
import { isConsentBroken } from '../../consents/index.js'
import { dropOpenUploads, getLockedRecordedSession, listUploads, takeSegments } from './end-recording.js'
import { closeUpload, listCutOffRecordings, markCutOff, type UploadRow } from './uploads.sql.js'

/**
 * Of a clinician who is deactivated: what had arrived of their recordings becomes the recording, and then a note. What the
 * browser holds beyond that it sends as another session, should the clinician ever be reactivated; until then nobody can
 * say whether it ever comes.
 */
export async function keepAcknowledged(
  db: Database,
  { keepDays, most }: { keepDays: number; most: number },
): Promise<number> {
  const rows = await db.throughDoor(listCutOffRecordings(most))
  await tryEach(rows, ({ tenantId, sessionId }) =>
    db.write({ tenantId }, (tx) => keepOne(tx, sessionId, keepDays)),
  )
  return rows.length
}

async function keepOne(tx: Tx, sessionId: SessionId, keepDays: number): Promise<void> {
  const { status, clientId, clinicianId } = await getLockedRecordedSession(tx, sessionId)
  const [clinician] = await tx.run(lockClinicianShared(tx.tenant, clinicianId))
  // Reactivated since it was listed: the browser goes on where it stood.
  if (status !== 'awaiting_audio' || clinician?.isActive !== false) return
  // Only the clinician could say that it is kept: it goes with other unfinished recordings.
  if (await isConsentBroken(tx, sessionId)) return
  const segments: UploadRow[] = []
  const empty: UploadRow[] = []
  for (const upload of await listUploads(tx, sessionId)) {
    const isClosed = (await tx.run(closeUpload(tx.tenant, upload.uploadId))).length > 0
    ;(isClosed ? segments : empty).push(upload)
  }
  if (segments.length === 0) return
  await takeSegments(tx, { sessionId, segments, keepDays })
  await dropOpenUploads(tx, empty, 'replaced')
  await tx.run(markCutOff(tx.tenant, sessionId))
  const actor = { kind: 'system', id: null } as const
  const subjects = [sessionId, clientId, clinicianId]
  await recordChange(tx, { operation: 'session.keepAcknowledged', actor, requestId: null, subjects })
}
