import { recordChange } from '../../../kernel/audit/index.js'
import type { Database, Tx } from '../../../kernel/db/database.js'
import type { SessionId } from '../../../kernel/ids.js'
import { tryEach, type PassOptions } from '../../../kernel/try-each.js'
import { lockClinicianShared } from '../../clinicians/index.js'
import { isConsentBroken } from '../../consents/index.js'
import { dropOpenUploads, getLockedRecordedSession, listUploads, takeSegments } from './end-recording.js'
import {
  closeUpload,
  listCutOffsBehind,
  markCutOff,
  type CutOffRecording,
  type UploadRow,
} from './uploads.sql.js'

/** Pages of one run: few clinicians are deactivated with recordings under way, and the next run is seconds later. */
const pagesMost = 10

const lowestId = '00000000-0000-0000-0000-000000000000'
const beforeAll: CutOffRecording = { tenantId: lowestId, sessionId: lowestId }

/**
 * For a clinician who is deactivated: what had arrived of their recordings becomes the recording, and then a note. What the
 * browser holds beyond that it sends as another session, should the clinician ever be reactivated; until then nobody can
 * say whether it ever comes. What cannot become one stays listed, as without a consent: each run goes on behind the last one, and from
 * the beginning once it was through.
 */
export function makeKeepAcknowledged(
  db: Database,
  { keepDays, pageRows }: { keepDays: number; pageRows: number },
): (options?: PassOptions) => Promise<number> {
  let after = beforeAll
  /** Moves on before anything of the page is tried: where that fails, the next run begins behind it. */
  const takePage = async (): Promise<readonly CutOffRecording[]> => {
    const page = await db.throughDoor(listCutOffsBehind(after, pageRows))
    after = (page.length === pageRows ? page.at(-1) : undefined) ?? beforeAll
    return page
  }
  return async ({ signal } = {}) => {
    let looked = 0
    for (let pages = 0; pages < pagesMost; pages += 1) {
      if (signal?.aborted === true) break
      const page = await takePage()
      looked += page.length
      const keep = ({ tenantId, sessionId }: CutOffRecording): Promise<void> =>
        db.write({ tenantId }, (tx) => keepOne(tx, sessionId, keepDays))
      await tryEach(page, keep, { signal })
      if (page.length < pageRows) break
    }
    return looked
  }
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
