import type { SessionGap } from '@casenote/contract'
import type { Statement } from '../../kernel/db/database.js'
import { tenantNow } from '../../kernel/db/tenant-clock.sql.js'
import type { BlobId, ClientId, GapId, SessionId } from '../../kernel/ids.js'
import type { TenantScope } from '../../kernel/tenant.js'

/** Gaps of each kind: every other minute of the longest recording. Pauses leave no less room for what is struck. */
export const gapsMax = 100

export interface GapRow {
  gapId: GapId
  kind: SessionGap['kind']
  startMs: number
  endMs: number
  lastedMs: number
  byKind: SessionGap['by']['kind']
  byId: string
  beganAt: Date
}

const columns = `gap_id as "gapId", kind, start_ms::float as "startMs", end_ms::float as "endMs", lasted_ms::float as "lastedMs",
  by_kind as "byKind", by_id as "byId", began_at as "beganAt"`

export const selectGaps = (tenant: TenantScope, sessionId: SessionId): Statement<GapRow> => ({
  name: 'select_session_gaps',
  text: `select ${columns} from casenote.session_gaps where tenant_id = $1 and session_id = $2
    order by start_ms, began_at limit ${2 * gapsMax}`,
  values: [tenant.tenantId, sessionId],
})

/** Where a stretch lies that was struck while it was recorded: in which segment, and how much sound into it. */
export interface GapPlaceRow {
  fromSegment: number | null
  fromMs: number | null
  toSegment: number | null
  toMs: number | null
}

export const noPlace: GapPlaceRow = { fromSegment: null, fromMs: null, toSegment: null, toMs: null }

/** A repeated call finds its row. */
export const insertGap = (
  tenant: TenantScope,
  sessionId: SessionId,
  row: GapRow & GapPlaceRow & { isCut: boolean; blobId: BlobId | null },
): Statement => ({
  name: 'insert_session_gap',
  text: `insert into casenote.session_gaps (tenant_id, session_id, gap_id, kind, start_ms, end_ms, lasted_ms, by_kind, by_id,
      began_at, is_cut, blob_id, from_segment, from_ms, to_segment, to_ms)
    select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16
    where (select count(*) from casenote.session_gaps g where g.tenant_id = $1 and g.session_id = $2
      and g.kind = $4) < ${gapsMax}
    on conflict (tenant_id, session_id, gap_id) do nothing returning 1`,
  values: [
    tenant.tenantId,
    sessionId,
    row.gapId,
    row.kind,
    row.startMs,
    row.endMs,
    row.lastedMs,
    row.byKind,
    row.byId,
    row.beganAt,
    row.isCut,
    row.blobId,
    row.fromSegment,
    row.fromMs,
    row.toSegment,
    row.toMs,
  ],
})

export const selectGap = (tenant: TenantScope, sessionId: SessionId, gapId: GapId): Statement => ({
  text: 'select 1 from casenote.session_gaps where tenant_id = $1 and session_id = $2 and gap_id = $3',
  values: [tenant.tenantId, sessionId, gapId],
})

export interface UncutRow extends GapPlaceRow {
  gapId: GapId
  startMs: number
  endMs: number
  /** The recording, where it was complete when the stretch was struck. */
  blobId: BlobId | null
  begunBlobId: BlobId | null
}

/** Struck, and not out of the recording yet. */
export const selectUncut = (tenant: TenantScope, sessionId: SessionId): Statement<UncutRow> => ({
  name: 'select_uncut_gaps',
  text: `select gap_id as "gapId", start_ms::float as "startMs", end_ms::float as "endMs", blob_id as "blobId",
      begun_blob_id as "begunBlobId", from_segment as "fromSegment", from_ms::float as "fromMs", to_segment as "toSegment",
      to_ms::float as "toMs" from casenote.session_gaps
    where tenant_id = $1 and session_id = $2 and not is_cut order by start_ms, gap_id`,
  values: [tenant.tenantId, sessionId],
})

/** Until the transaction ends nobody strikes another one: whoever does locks the session first. */
export const markCut = (tenant: TenantScope, sessionId: SessionId): Statement => ({
  name: 'mark_gaps_cut',
  text: `update casenote.session_gaps set is_cut = true, blob_id = null, begun_blob_id = null
    where tenant_id = $1 and session_id = $2 and not is_cut`,
  values: [tenant.tenantId, sessionId],
})

/** Where it lies in the recording that was joined. */
export const placeGap = (
  tenant: TenantScope,
  sessionId: SessionId,
  { gapId, startMs, endMs }: { gapId: GapId; startMs: number; endMs: number },
): Statement => ({
  name: 'place_session_gap',
  text: `update casenote.session_gaps set start_ms = $4, end_ms = $5, lasted_ms = $5::bigint - $4::bigint
    where tenant_id = $1 and session_id = $2 and gap_id = $3 and from_segment is not null and not is_cut`,
  values: [tenant.tenantId, sessionId, gapId, startMs, endMs],
})

/** What is being made in the place of a recording. */
export const rememberBegunBlob = (tenant: TenantScope, sessionId: SessionId, blobId: BlobId): Statement => ({
  name: 'remember_begun_blob_of_gaps',
  text: `update casenote.session_gaps set begun_blob_id = $3
    where tenant_id = $1 and session_id = $2 and not is_cut`,
  values: [tenant.tenantId, sessionId, blobId],
})

/** As `selectUncut`: what a recording that comes in is heard without. */
export const countUncut = (tenant: TenantScope, sessionId: SessionId): Statement<{ total: number }> => ({
  name: 'count_uncut_gaps',
  text: `select count(*)::int as total from casenote.session_gaps
    where tenant_id = $1 and session_id = $2 and not is_cut`,
  values: [tenant.tenantId, sessionId],
})

/** Whether they are cut or not. */
export const countStruck = (tenant: TenantScope, sessionId: SessionId): Statement<{ total: number }> => ({
  name: 'count_struck_gaps',
  text: `select count(*)::int as total from casenote.session_gaps
    where tenant_id = $1 and session_id = $2 and kind = 'struck'`,
  values: [tenant.tenantId, sessionId],
})

/** What the widget's recorder wrote, as far as it is kept. */
export const selectSegmentBlobs = (
  tenant: TenantScope,
  sessionId: SessionId,
): Statement<{ blobId: BlobId }> => ({
  text: `select u.blob_id as "blobId" from casenote.uploads u
    join casenote.blobs b on b.tenant_id = u.tenant_id and b.blob_id = u.blob_id and b.status <> 'deleted'
    where u.tenant_id = $1 and u.session_id = $2 order by u.blob_id`,
  values: [tenant.tenantId, sessionId],
})

/**
 * The segments of a recording that was never joined are deleted after so many seconds, unless the session is tried again meanwhile: then they
 * are kept as long as any recording.
 */
export const deleteSegmentsAfter = (
  tenant: TenantScope,
  sessionId: SessionId,
  seconds: number,
): Statement => ({
  text: `update casenote.blobs b set delete_after = least(b.delete_after, ${tenantNow} + make_interval(secs => $3))
    from casenote.uploads u where u.tenant_id = $1 and u.session_id = $2 and u.status = 'used'
      and b.tenant_id = $1 and b.blob_id = u.blob_id and b.status in ('open', 'complete')`,
  values: [tenant.tenantId, sessionId, seconds],
})

/**
 * Whether the segments of a session have become its recording. Only of those is asked whether a legal hold kept them: joining asks for
 * it, and segments that were not joined are deleted after days of their own.
 */
const isJoined = `s.status not in ('awaiting_audio', 'fetching') and (s.status <> 'failed' or s.audio_blob_id is not null)`

/**
 * The segments of a client's sessions in which something was struck while they were recorded, and which a legal hold kept: without
 * one they are deleted by then. Not of sessions in which it was struck from the complete recording, which may be its
 * only segment: until it is cut there is no other.
 */
export const selectSpokenSegments = (
  tenant: TenantScope,
  clientId: ClientId,
): Statement<{ blobId: BlobId }> => ({
  text: `select u.blob_id as "blobId" from casenote.sessions s
    join casenote.uploads u on u.tenant_id = s.tenant_id and u.session_id = s.session_id and u.status = 'used'
    join casenote.blobs b on b.tenant_id = u.tenant_id and b.blob_id = u.blob_id and b.status in ('open', 'complete')
    where s.tenant_id = $1 and s.client_id = $2 and ${isJoined} and u.blob_id is distinct from s.audio_blob_id
      and exists (select from casenote.session_gaps g
        where g.tenant_id = s.tenant_id and g.session_id = s.session_id and not g.is_cut and g.blob_id is null)
      and not exists (select from casenote.session_gaps h
        where h.tenant_id = s.tenant_id and h.session_id = s.session_id and u.blob_id in (h.blob_id, h.begun_blob_id))
    order by u.blob_id limit 10000`,
  values: [tenant.tenantId, clientId],
})

/** What was struck from a recording that was complete, and is not cut. */
export const selectSessionsToCut = (
  tenant: TenantScope,
  clientId: ClientId,
): Statement<{ sessionId: SessionId }> => ({
  text: `select s.session_id as "sessionId" from casenote.sessions s
    where s.tenant_id = $1 and s.client_id = $2 and exists (select from casenote.session_gaps g
      where g.tenant_id = s.tenant_id and g.session_id = s.session_id and not g.is_cut and g.blob_id is not null)
    order by s.session_id limit 10000`,
  values: [tenant.tenantId, clientId],
})

/** With those segments. */
export const markCutOfClient = (tenant: TenantScope, clientId: ClientId): Statement => ({
  text: `update casenote.session_gaps g set is_cut = true from casenote.sessions s
    where g.tenant_id = $1 and not g.is_cut and g.blob_id is null and g.begun_blob_id is null
      and s.tenant_id = $1 and s.session_id = g.session_id and s.client_id = $2 and ${isJoined}`,
  values: [tenant.tenantId, clientId],
})

/** Copies the gaps of a recording that becomes another session's. What is not cut yet is cut there. */
export const copyGaps = (tenant: TenantScope, from: string, to: string): Statement => ({
  text: `insert into casenote.session_gaps (tenant_id, session_id, gap_id, kind, start_ms, end_ms, lasted_ms, by_kind, by_id,
      began_at, is_cut, from_segment, from_ms, to_segment, to_ms)
    select tenant_id, $3, gap_id, kind, start_ms, end_ms, lasted_ms, by_kind, by_id, began_at, is_cut,
      from_segment, from_ms, to_segment, to_ms
    from casenote.session_gaps where tenant_id = $1 and session_id = $2`,
  values: [tenant.tenantId, from, to],
})

export const selectLegalHold = (
  tenant: TenantScope,
  clientId: ClientId,
): Statement<{ isUnderHold: boolean }> => ({
  text: 'select casenote.is_held($1, $2) as "isUnderHold"',
  values: [tenant.tenantId, clientId],
})
