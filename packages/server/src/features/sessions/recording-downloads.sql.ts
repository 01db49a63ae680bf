import type { Statement } from '../../kernel/db/database.js'
import type { BlobId, SessionId, TenantId } from '../../kernel/ids.js'
import type { TenantScope } from '../../kernel/tenant.js'

export interface DownloadRow {
  blobId: BlobId | null
  sealedState: Buffer
}

export const selectDownload = (tenant: TenantScope, sessionId: SessionId): Statement<DownloadRow> => ({
  name: 'select_recording_download',
  text: `select blob_id as "blobId", sealed_state as "sealedState" from casenote.recording_downloads
    where tenant_id = $1 and session_id = $2`,
  values: [tenant.tenantId, sessionId],
})

export interface ArrivedRow {
  blobId: BlobId
  isComplete: boolean
  partCount: number
  sizeBytes: number
}

/** Two parts are written at a time: those behind a gap do not count. */
export const selectArrived = (tenant: TenantScope, sessionId: SessionId): Statement<ArrivedRow> => ({
  name: 'select_arrived_recording',
  text: `select b.blob_id as "blobId", b.status = 'complete' as "isComplete", count(p.place)::int as "partCount",
      coalesce(sum(p.size_bytes), 0)::float as "sizeBytes"
    from casenote.recording_downloads d
    join casenote.blobs b on b.tenant_id = d.tenant_id and b.blob_id = d.blob_id and b.status in ('open', 'complete')
    left join lateral (
      select part_number, size_bytes, row_number() over (order by part_number) as place
      from casenote.blob_parts where tenant_id = $1 and blob_id = d.blob_id) p on p.part_number = p.place
    where d.tenant_id = $1 and d.session_id = $2
    group by b.blob_id, b.status`,
  values: [tenant.tenantId, sessionId],
})

export const upsertDownload = (tenant: TenantScope, sessionId: SessionId, row: DownloadRow): Statement => ({
  name: 'upsert_recording_download',
  text: `insert into casenote.recording_downloads (tenant_id, session_id, blob_id, sealed_state)
    values ($1, $2, $3, $4)
    on conflict (tenant_id, session_id) do update
      set blob_id = excluded.blob_id, sealed_state = excluded.sealed_state`,
  values: [tenant.tenantId, sessionId, row.blobId, row.sealedState],
})

export const deleteDownload = (tenant: TenantScope, sessionId: SessionId): Statement => ({
  name: 'delete_recording_download',
  text: 'delete from casenote.recording_downloads where tenant_id = $1 and session_id = $2',
  values: [tenant.tenantId, sessionId],
})

/** A door: downloads of sessions that are past them, of all tenants. */
export const listLeftDownloads = (most: number): Statement<{ tenantId: TenantId; sessionId: SessionId }> => ({
  name: 'list_left_downloads',
  text: 'select tenant_id as "tenantId", session_id as "sessionId" from casenote.list_left_downloads($1)',
  values: [most],
})

/**
 * Takes a download that was left, with its blob, unless that became the recording. Under a legal hold the row stays, which says whose the
 * blob is.
 */
export const takeLeftDownload = (
  tenant: TenantScope,
  sessionId: SessionId,
): Statement<{ blobId: BlobId | null }> => ({
  name: 'take_left_download',
  text: `delete from casenote.recording_downloads d using casenote.sessions s
    where d.tenant_id = $1 and d.session_id = $2 and s.tenant_id = $1 and s.session_id = $2
      and s.status <> 'fetching' and not casenote.is_held(s.tenant_id, s.client_id)
    returning case when d.blob_id is distinct from s.audio_blob_id then d.blob_id end as "blobId"`,
  values: [tenant.tenantId, sessionId],
})
