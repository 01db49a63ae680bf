import type { ConsentState, SessionStatus } from '@casenote/contract'
import type { Statement } from '../../../kernel/db/database.js'
import { tenantNow } from '../../../kernel/db/tenant-clock.sql.js'
import type { BlobId, ClientId, ClinicianId, SessionId, TenantId, UploadId } from '../../../kernel/ids.js'
import type { TenantScope } from '../../../kernel/tenant.js'
import { recordingConsentDuring } from '../../clients/index.js'

export interface UploadRow {
  uploadId: UploadId
  sessionId: SessionId
  blobId: BlobId
  segment: number
  mimeType: string
  lengthBytes: number | null
  offsetBytes: number
  partCount: number
  status: 'open' | 'used' | 'dropped'
  position: number | null
  /** What had arrived became the recording when its clinician was deactivated. */
  isCutOff: boolean
}

/** One that a browser sends to. */
export interface OwnUploadRow extends UploadRow {
  /** What holds for the client, or `withdrawn` since its recorder began: a recording that is still made must end where it is not `given`. */
  recordingConsent: ConsentState
}

const uploadColumns = `u.upload_id as "uploadId", u.session_id as "sessionId", u.blob_id as "blobId", u.segment,
  u.mime_type as "mimeType", u.length_bytes as "lengthBytes", u.offset_bytes as "offsetBytes",
  u.part_count as "partCount", u.status, u.position, s.cut_off_at is not null as "isCutOff"`

const sessionOfUpload =
  'join casenote.sessions s on s.tenant_id = u.tenant_id and s.session_id = u.session_id'

/** Only of the clinician who records, while they treat the client, and while the bytes are there. */
export const selectOwnUpload = (
  tenant: TenantScope,
  { clinicianId, uploadId }: { clinicianId: ClinicianId; uploadId: UploadId },
): Statement<OwnUploadRow> => ({
  name: 'select_own_upload',
  text: `select ${uploadColumns}, ${recordingConsentDuring('s')} as "recordingConsent"
    from casenote.uploads u ${sessionOfUpload}
    join casenote.clients c on c.tenant_id = s.tenant_id and c.client_id = s.client_id
    join casenote.blobs b on b.tenant_id = u.tenant_id and b.blob_id = u.blob_id
    where u.tenant_id = $1 and u.upload_id = $3 and u.status <> 'dropped' and s.clinician_id = $2
      and b.status in ('open', 'complete')
      and (c.clinician_id = $2 or exists (select from casenote.secondary_clinicians x
        where x.tenant_id = s.tenant_id and x.client_id = s.client_id and x.clinician_id = $2))`,
  values: [tenant.tenantId, clinicianId, uploadId],
})

export const selectUpload = (tenant: TenantScope, uploadId: UploadId): Statement<UploadRow> => ({
  name: 'select_upload',
  text: `select ${uploadColumns} from casenote.uploads u ${sessionOfUpload}
    where u.tenant_id = $1 and u.upload_id = $2`,
  values: [tenant.tenantId, uploadId],
})

export const selectUploadsOfSession = (tenant: TenantScope, sessionId: SessionId): Statement<UploadRow> => ({
  name: 'select_uploads_of_session',
  text: `select ${uploadColumns} from casenote.uploads u ${sessionOfUpload}
    where u.tenant_id = $1 and u.session_id = $2
    order by u.position nulls last, u.segment, u.created_at`,
  values: [tenant.tenantId, sessionId],
})

/**
 * All of them before any of them changes, and with any of them the counts of what is open: a request that adds to one locks it
 * and waits for the counts then.
 */
export const lockUploadsOfSession = (tenant: TenantScope, sessionId: SessionId): Statement<UploadRow> => ({
  name: 'lock_uploads_of_session',
  text: `select ${uploadColumns} from casenote.uploads u ${sessionOfUpload}
    where u.tenant_id = $1 and u.session_id = $2
    order by u.position nulls last, u.segment, u.created_at for update of u`,
  values: [tenant.tenantId, sessionId],
})

/** Whoever adds, ends or throws away what a session records locks it first. */
export const lockRecordedSession = (
  tenant: TenantScope,
  sessionId: SessionId,
): Statement<RecordedSessionRow> => ({
  name: 'lock_recorded_session',
  text: `select status, client_id as "clientId", clinician_id as "clinicianId", failure_code as "failureCode",
      cut_off_at is not null as "isCutOff" from casenote.sessions
    where tenant_id = $1 and session_id = $2 for update`,
  values: [tenant.tenantId, sessionId],
})

export interface RecordedSessionRow {
  status: SessionStatus
  clientId: ClientId
  clinicianId: ClinicianId
  failureCode: string | null
  isCutOff: boolean
}

export const insertUpload = (
  tenant: TenantScope,
  row: Pick<UploadRow, 'uploadId' | 'sessionId' | 'blobId' | 'segment' | 'mimeType' | 'lengthBytes'>,
): Statement => ({
  name: 'insert_upload',
  text: `insert into casenote.uploads (tenant_id, upload_id, session_id, blob_id, segment, mime_type, length_bytes)
    values ($1, $2, $3, $4, $5, $6, $7)`,
  values: [
    tenant.tenantId,
    row.uploadId,
    row.sessionId,
    row.blobId,
    row.segment,
    row.mimeType,
    row.lengthBytes,
  ],
})

/** Makes a request the upload's writer, if it continues where the upload stands. A length is told once. */
export const takeUpload = (
  tenant: TenantScope,
  take: { uploadId: UploadId; writerId: string; offsetBytes: number; lengthBytes: number | null },
): Statement<{ partCount: number; lengthBytes: number | null }> => ({
  name: 'take_upload',
  text: `update casenote.uploads set writer_id = $3, length_bytes = coalesce(length_bytes, $5)
    where tenant_id = $1 and upload_id = $2 and status = 'open' and offset_bytes = $4
      and ($5::bigint is null or length_bytes is null or length_bytes = $5)
      and ($5::bigint is null or offset_bytes <= $5)
    returning part_count as "partCount", length_bytes as "lengthBytes"`,
  values: [tenant.tenantId, take.uploadId, take.writerId, take.offsetBytes, take.lengthBytes],
})

/** The fence: only the upload's writer moves it on, from exactly where it thinks that it stands. */
export const advanceUpload = (
  tenant: TenantScope,
  move: { uploadId: UploadId; writerId: string; offsetBytes: number; sizeBytes: number },
): Statement => ({
  name: 'advance_upload',
  text: `update casenote.uploads set offset_bytes = offset_bytes + $5, part_count = part_count + 1
    where tenant_id = $1 and upload_id = $2 and status = 'open' and writer_id = $3 and offset_bytes = $4
    returning part_count as "partCount"`,
  values: [tenant.tenantId, move.uploadId, move.writerId, move.offsetBytes, move.sizeBytes],
})

export const useUpload = (tenant: TenantScope, uploadId: UploadId, position: number): Statement => ({
  name: 'use_upload',
  text: `update casenote.uploads set status = 'used', position = $3, writer_id = null
    where tenant_id = $1 and upload_id = $2 and status = 'open'`,
  values: [tenant.tenantId, uploadId, position],
})

/** Nobody who sends to an upload of this clinician goes on: not even what they have sent already is taken. */
export const fenceUploadsOfClinician = (tenant: TenantScope, clinicianId: ClinicianId): Statement => ({
  name: 'fence_uploads_of_clinician',
  text: `update casenote.uploads u set writer_id = null from casenote.sessions s
    where u.tenant_id = $1 and u.status = 'open' and u.writer_id is not null and s.tenant_id = u.tenant_id
      and s.session_id = u.session_id and s.clinician_id = $2 and s.status = 'awaiting_audio'`,
  values: [tenant.tenantId, clinicianId],
})

/** What has arrived of an upload is all of it. Locks it; null is one of which nothing has arrived. */
export const closeUpload = (tenant: TenantScope, uploadId: UploadId): Statement => ({
  name: 'close_upload',
  text: `update casenote.uploads set length_bytes = offset_bytes, writer_id = null
    where tenant_id = $1 and upload_id = $2 and status = 'open' and offset_bytes > 0 returning 1`,
  values: [tenant.tenantId, uploadId],
})

export const markCutOff = (tenant: TenantScope, sessionId: SessionId): Statement => ({
  name: 'mark_session_cut_off',
  text: 'update casenote.sessions set cut_off_at = now() where tenant_id = $1 and session_id = $2',
  values: [tenant.tenantId, sessionId],
})

export const dropUpload = (tenant: TenantScope, uploadId: UploadId): Statement<{ blobId: BlobId }> => ({
  name: 'drop_upload',
  text: `update casenote.uploads set status = 'dropped', writer_id = null
    where tenant_id = $1 and upload_id = $2 and status = 'open' returning blob_id as "blobId"`,
  values: [tenant.tenantId, uploadId],
})

export interface CutOffRecording {
  tenantId: TenantId
  sessionId: SessionId
}

/** A door: recordings of deactivated clinicians of which anything has arrived, of all tenants, behind the one that was looked at last. */
export const listCutOffsBehind = (after: CutOffRecording, most: number): Statement<CutOffRecording> => ({
  name: 'list_cut_offs_behind',
  text: `select tenant_id as "tenantId", session_id as "sessionId" from casenote.list_cut_offs_behind($1, $2, $3)`,
  values: [after.tenantId, after.sessionId, most],
})

/** A door: recordings that nobody finished, of all tenants. */
export const listAbandonedRecordings = (
  keepDays: number,
  most: number,
): Statement<{ tenantId: TenantId; sessionId: SessionId }> => ({
  name: 'list_abandoned_recordings',
  text: `select tenant_id as "tenantId", session_id as "sessionId"
    from casenote.list_abandoned_recordings($1, $2)`,
  values: [keepDays, most],
})

/** Abandoned recordings of sandboxes whose clock was moved, by what that clock shows. */
export const listRecordingsOfMovedClocks = (
  keepDays: number,
  most: number,
): Statement<{ tenantId: TenantId; sessionId: SessionId }> => ({
  name: 'list_recordings_of_moved_clocks',
  text: `select tenant_id as "tenantId", session_id as "sessionId"
    from casenote.list_recordings_of_moved_clocks($1, $2)`,
  values: [keepDays, most],
})

/** Moves uploads to another session, with their bytes, which stay until that session has ended. What was dropped, or is deleted, stays behind. */
export const moveUploads = (
  tenant: TenantScope,
  { from, to, keepDays }: { from: string; to: string; keepDays: number },
): Statement => ({
  text: `with moved as (
      update casenote.uploads u set session_id = $3 from casenote.blobs b
      where u.tenant_id = $1 and u.session_id = $2 and u.status = 'used'
        and b.tenant_id = $1 and b.blob_id = u.blob_id and b.status = 'complete'
      returning u.blob_id
    )
    update casenote.blobs b set delete_after = ${tenantNow} + $4 * interval '1 day' from moved
    where b.tenant_id = $1 and b.blob_id = moved.blob_id
    returning b.blob_id as "blobId"`,
  values: [tenant.tenantId, from, to, keepDays],
})
