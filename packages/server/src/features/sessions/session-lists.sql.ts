import type { SessionStatus } from '@casenote/contract'
import type { Statement } from '../../kernel/db/database.js'
import type { ClientId, ClinicianId, OrganizationId, ProgressNoteId, SessionId } from '../../kernel/ids.js'
import type { TenantScope } from '../../kernel/tenant.js'

/** What is looked through for one page or count, newest first: months of a large tenant, and some 30 ms. */
const lookedMax = 20_000

export interface ListedSessionRow {
  seq: number
  sessionId: SessionId
  status: SessionStatus
  createdAt: Date
  updatedAt: Date
  clinicianId: ClinicianId
  clientId: ClientId
  organizationId: OrganizationId
  progressNoteId: ProgressNoteId | null
  failureCode: string | null
  retryOf: string | null
  progress: number
}

/** A session (`casenote.sessions s`) that was not thrown away, nor put right as another client's: either did not happen with this client. */
export const isKept = `s.failure_code is distinct from 'discarded' and s.failure_code is distinct from 'withdrawn'`

/** The columns of a session in lists, from `casenote.sessions s`: ids, states and times. */
const listedColumns = `s.seq, s.session_id as "sessionId", s.status, s.created_at as "createdAt",
  s.clinician_id as "clinicianId", s.client_id as "clientId", s.organization_id as "organizationId",
  (select n.progress_note_id from casenote.progress_notes n
    where n.tenant_id = s.tenant_id and n.session_id = s.session_id) as "progressNoteId",
  s.failure_code as "failureCode", s.retry_of as "retryOf", s.progress,
  coalesce((select h.changed_at from casenote.session_status_history h
    where h.tenant_id = s.tenant_id and h.session_id = s.session_id order by h.seq desc limit 1), s.created_at) as "updatedAt"`

/** All of a tenant, newest first, behind `before`. */
export const selectNewestSessions = (
  tenant: TenantScope,
  { status, before, most }: { status: SessionStatus | null; before: number | null; most: number },
): Statement<ListedSessionRow> => ({
  text: `select ${listedColumns} from (
      select * from casenote.sessions where tenant_id = $1 and ($3::int8 is null or seq < $3)
      order by seq desc limit ${lookedMax}
    ) s where $2::text is null or s.status = $2 order by s.seq desc limit $4`,
  values: [tenant.tenantId, status, before, most],
})

export const selectListedSession = (
  tenant: TenantScope,
  sessionId: SessionId,
): Statement<ListedSessionRow> => ({
  text: `select ${listedColumns} from casenote.sessions s where s.tenant_id = $1 and s.session_id = $2`,
  values: [tenant.tenantId, sessionId],
})

/** How many changes of a session are shown: no session has more, since one that is tried again is another. */
const historyMax = 100

export const selectSessionHistory = (
  tenant: TenantScope,
  sessionId: SessionId,
): Statement<{ at: Date; status: SessionStatus }> => ({
  text: `select changed_at as at, to_status as status from casenote.session_status_history
    where tenant_id = $1 and session_id = $2 order by seq limit ${historyMax}`,
  values: [tenant.tenantId, sessionId],
})

export interface StepRow {
  name: string
  state: string
  attempts: number
  startedAt: Date | null
  endedAt: Date | null
}

/** A session's jobs, and those of the writings of its note; they are kept for 30 days. */
export const selectSessionSteps = (tenant: TenantScope, sessionId: SessionId): Statement<StepRow> => ({
  text: `select j.kind as name, j.status as state, j.attempts, j.claimed_at as "startedAt", j.ended_at as "endedAt"
    from casenote.jobs j where j.tenant_id = $1
      and j.kind in ('fetch_audio', 'join_audio', 'hear_live', 'hear_download', 'finish_live', 'take_text', 'transcribe', 'write_note', 'derive_mdm', 'summarize', 'read_transcript', 'cut_audio')
      and j.subject_id = any (array(
        select $2::uuid union all select g.generation_id from casenote.note_generations g
        join casenote.progress_notes n on n.tenant_id = g.tenant_id and n.note_id = g.note_id
        where n.tenant_id = $1 and n.session_id = $2))
    order by j.created_at, j.job_id limit 200`,
  values: [tenant.tenantId, sessionId],
})

export const countSessionsByStatus = (
  tenant: TenantScope,
): Statement<{ status: SessionStatus; sessions: number; oldestAt: Date }> => ({
  text: `select s.status, count(*)::int as sessions, min(s.created_at) as "oldestAt" from (
      select status, created_at from casenote.sessions where tenant_id = $1 order by seq desc limit ${lookedMax}
    ) s group by s.status`,
  values: [tenant.tenantId],
})

export const countSessionsByDay = (
  tenant: TenantScope,
  days: number,
): Statement<{ day: string; sessions: number; audioMs: number | null }> => ({
  text: `select to_char(s.created_at at time zone 'UTC', 'YYYY-MM-DD') as day, count(*)::int as sessions,
      sum(s.audio_ms)::float8 as "audioMs" from (
      select created_at, audio_ms from casenote.sessions where tenant_id = $1 order by seq desc limit ${lookedMax}
    ) s where s.created_at >= now() - make_interval(days => $2) group by 1`,
  values: [tenant.tenantId, days],
})

/** The first UTC day of which all sessions are looked at; no row: there is none that is not. */
export const selectSessionsKnownFrom = (tenant: TenantScope): Statement<{ day: string }> => ({
  text: `select to_char((created_at at time zone 'UTC')::date + 1, 'YYYY-MM-DD') as day from casenote.sessions
    where tenant_id = $1 order by seq desc offset ${lookedMax} limit 1`,
  values: [tenant.tenantId],
})
