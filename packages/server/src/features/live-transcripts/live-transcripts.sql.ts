import type { Statement } from '../../kernel/db/database.js'
import type { SessionId } from '../../kernel/ids.js'
import type { TenantScope } from '../../kernel/tenant.js'

export interface LiveRow {
  /** The bytes that have arrived of all segments, whether they were heard or not. */
  arrivedBytes: number
  /** Null: nobody has begun to hear it. */
  fedBytes: number | null
  heardMs: number | null
  sealedDraft: Buffer | null
  /** Whether hearing it while it is recorded was given up, since it cannot be heard before it is whole. */
  isGivenUp: boolean
  /** A worker has it just now. */
  isBeingHeard: boolean
}

/** One row, if the session is being recorded. */
export const selectLive = (tenant: TenantScope, sessionId: SessionId): Statement<LiveRow> => ({
  name: 'select_live_transcript',
  text: `select l.fed_bytes::float as "fedBytes", l.heard_ms::float as "heardMs", l.sealed_draft as "sealedDraft",
      (select coalesce(sum(u.offset_bytes), 0)::float from casenote.uploads u
        where u.tenant_id = $1 and u.session_id = $2 and u.status = 'open') as "arrivedBytes",
      exists (select from casenote.jobs j where j.tenant_id = $1 and j.kind = 'hear_live' and j.subject_id = $2
        and j.status = 'parked') as "isGivenUp",
      exists (select from casenote.jobs j where j.tenant_id = $1 and j.kind = 'hear_live' and j.subject_id = $2
        and j.status = 'running') as "isBeingHeard"
    from casenote.sessions s
    left join casenote.live_transcripts l on l.tenant_id = s.tenant_id and l.session_id = s.session_id
    where s.tenant_id = $1 and s.session_id = $2 and s.status = 'awaiting_audio'`,
  values: [tenant.tenantId, sessionId],
})

/** Only while it comes in: what comes later is in the transcript. Nor if something was struck since its sound was taken. */
export const upsertLive = (
  tenant: TenantScope,
  row: {
    sessionId: SessionId
    fedBytes: number
    heardMs: number
    sealedDraft: Buffer | null
    struckCount: number
  },
): Statement => ({
  name: 'upsert_live_transcript',
  text: `insert into casenote.live_transcripts (tenant_id, session_id, fed_bytes, heard_ms, sealed_draft)
    select s.tenant_id, s.session_id, $3, $4, $5 from casenote.sessions s
    where s.tenant_id = $1 and s.session_id = $2 and s.status in ('awaiting_audio', 'fetching') and $6 = (
      select count(*) from casenote.session_gaps g where g.tenant_id = $1 and g.session_id = $2 and not g.is_cut) for share
    on conflict (tenant_id, session_id) do update set fed_bytes = excluded.fed_bytes, heard_ms = excluded.heard_ms,
      sealed_draft = excluded.sealed_draft, updated_at = now()`,
  values: [tenant.tenantId, row.sessionId, row.fedBytes, row.heardMs, row.sealedDraft, row.struckCount],
})

export const eraseDraft = (tenant: TenantScope, sessionId: SessionId): Statement => ({
  name: 'erase_live_draft',
  text: `update casenote.live_transcripts set sealed_draft = null where tenant_id = $1 and session_id = $2`,
  values: [tenant.tenantId, sessionId],
})

/** Takes back all that was heard of a session that is recorded, as if nothing had been heard yet. */
export const eraseHeard = (tenant: TenantScope, sessionId: SessionId): Statement => ({
  name: 'erase_live_hearing',
  text: `update casenote.live_transcripts set sealed_draft = null, fed_bytes = 0, heard_ms = 0, updated_at = now()
    where tenant_id = $1 and session_id = $2`,
  values: [tenant.tenantId, sessionId],
})

export const deleteLive = (tenant: TenantScope, sessionId: SessionId): Statement => ({
  name: 'delete_live_transcript',
  text: 'delete from casenote.live_transcripts where tenant_id = $1 and session_id = $2',
  values: [tenant.tenantId, sessionId],
})

/** No row: not heard while it came in, or much of it is left. */
export const selectHeardLive = (
  tenant: TenantScope,
  sessionId: SessionId,
  leftBytesMax: number,
): Statement => ({
  name: 'select_heard_live',
  text: `select 1 from casenote.live_transcripts l
    where l.tenant_id = $1 and l.session_id = $2 and l.fed_bytes + $3 >= coalesce(
      (select sum(u.offset_bytes) from casenote.uploads u
        where u.tenant_id = $1 and u.session_id = $2 and u.status = 'used'),
      (select sum(p.size_bytes) from casenote.sessions s
        join casenote.blob_parts p on p.tenant_id = s.tenant_id and p.blob_id = s.audio_blob_id
        where s.tenant_id = $1 and s.session_id = $2))`,
  values: [tenant.tenantId, sessionId, leftBytesMax],
})

export const lockWhileComing = (
  tenant: TenantScope,
  sessionId: SessionId,
  status: 'awaiting_audio' | 'fetching',
): Statement => ({
  name: 'lock_session_while_coming',
  text: 'select 1 from casenote.sessions where tenant_id = $1 and session_id = $2 and status = $3 for share',
  values: [tenant.tenantId, sessionId, status],
})

export const deleteHeardFrom = (tenant: TenantScope, sessionId: SessionId, chunk: number): Statement => ({
  name: 'delete_heard_chunks_from',
  text: 'delete from casenote.transcription_chunks where tenant_id = $1 and session_id = $2 and chunk >= $3',
  values: [tenant.tenantId, sessionId, chunk],
})

/** What was heard of a recording, chunk by chunk. */
export const deleteHeard = (tenant: TenantScope, sessionId: SessionId): Statement => ({
  name: 'delete_heard_chunks',
  text: 'delete from casenote.transcription_chunks where tenant_id = $1 and session_id = $2',
  values: [tenant.tenantId, sessionId],
})
