import {
  skippedBefore,
  type AskedPage,
  type NoteTemplate,
  type NoteType,
  type SessionSource,
  type SessionStatus,
} from '@casenote/contract'
import type { Statement } from '../../kernel/db/database.js'
import { namedForPage } from '../../kernel/db/page-statement.js'
import { tenantNow } from '../../kernel/db/tenant-clock.sql.js'
import type {
  BlobId,
  ClientId,
  ClinicId,
  ClinicianId,
  OrganizationId,
  SessionId,
  TemplateId,
  TenantId,
} from '../../kernel/ids.js'
import type { TenantScope } from '../../kernel/tenant.js'
import { DECIDED_FAILURES } from './session-lifecycle.js'

export interface SessionRow {
  sessionId: SessionId
  sessionExternalId: string | null
  clientId: ClientId
  clinicianId: ClinicianId
  clinicId: ClinicId
  organizationId: OrganizationId
  noteType: NoteType
  /** Null: of the time before templates. */
  templateId: TemplateId | null
  templateVersion: number | null
  sessionType: string | null
  source: SessionSource
  /** What was spoken, by the word of somebody who was there; null: nobody said. */
  language: string | null
  sealedFileUrl: Buffer | null
  /** Null until the recording is here. */
  audioBlobId: BlobId | null
  startedAt: Date | null
  status: SessionStatus
  progress: number
  failureCode: string | null
  retryOf: string | null
  /** The shared session of which this one is a person's part. */
  sharedFrom: string | null
  /** The sessions of others who are heard in this one. */
  linkedSessions: string[]
  createdAt: Date
}

const sessionColumns = `session_id as "sessionId", session_external_id as "sessionExternalId",
  client_id as "clientId", clinician_id as "clinicianId", clinic_id as "clinicId",
  organization_id as "organizationId", note_type as "noteType", template_id as "templateId", template_version as "templateVersion",
  session_type as "sessionType", source, language,
  sealed_file_url as "sealedFileUrl", audio_blob_id as "audioBlobId", started_at as "startedAt", status, progress,
  failure_code as "failureCode", retry_of as "retryOf",
  (select l.shared_session_id from casenote.session_links l
    where l.tenant_id = sessions.tenant_id and l.session_id = sessions.session_id) as "sharedFrom",
  array(select l.session_id from casenote.session_links l
    where l.tenant_id = sessions.tenant_id and l.shared_session_id = sessions.session_id
    order by l.created_at, l.session_id) as "linkedSessions",
  created_at as "createdAt"`

export const selectSession = (tenant: TenantScope, sessionId: SessionId): Statement<SessionRow> => ({
  name: 'select_session',
  text: `select ${sessionColumns} from casenote.sessions where tenant_id = $1 and session_id = $2`,
  values: [tenant.tenantId, sessionId],
})

export const selectSessions = (
  tenant: TenantScope,
  clientId: ClientId,
  page: AskedPage,
): Statement<SessionRow> => ({
  ...namedForPage('select_sessions', page),
  text: `select ${sessionColumns} from casenote.sessions where tenant_id = $1 and client_id = $2
    order by seq limit ${page.size} offset $3`,
  values: [tenant.tenantId, clientId, skippedBefore(page)],
})

export const countSessionsOfClient = (
  tenant: TenantScope,
  clientId: ClientId,
): Statement<{ total: number }> => ({
  name: 'count_sessions',
  text: 'select count(*) as total from casenote.sessions where tenant_id = $1 and client_id = $2',
  values: [tenant.tenantId, clientId],
})

export const selectSessionOfRecording = (
  tenant: TenantScope,
  clinicianId: ClinicianId,
  recordingId: string,
): Statement<SessionRow> => ({
  name: 'select_session_of_recording',
  text: `select ${sessionColumns} from casenote.sessions
    where tenant_id = $1 and clinician_id = $2 and recording_id = $3`,
  values: [tenant.tenantId, clinicianId, recordingId],
})

export interface SessionClinicianRow {
  clinicianId: ClinicianId
  clinicId: ClinicId
  organizationId: OrganizationId
  prescriber: boolean
  defaultNoteType: NoteType | null
}

export const selectSessionClinician = (
  tenant: TenantScope,
  clinicianId: ClinicianId,
): Statement<SessionClinicianRow> => ({
  name: 'select_session_clinician',
  text: `select c.clinician_id as "clinicianId", c.clinic_id as "clinicId", k.organization_id as "organizationId",
      c.prescriber, c.default_note_type as "defaultNoteType"
    from casenote.clinicians c
    join casenote.clinics k on k.tenant_id = c.tenant_id and k.clinic_id = c.clinic_id
    where c.tenant_id = $1 and c.clinician_id = $2`,
  values: [tenant.tenantId, clinicianId],
})

export const insertSession = (
  tenant: TenantScope,
  row: Omit<
    SessionRow,
    'createdAt' | 'startedAt' | 'audioBlobId' | 'failureCode' | 'sharedFrom' | 'linkedSessions'
  > & {
    startedAt: string | null
    recordingId: string | null
    recordedForMs: number | null
  },
): Statement => ({
  name: 'insert_session',
  text: `insert into casenote.sessions (tenant_id, session_id, session_external_id, client_id, clinician_id,
      clinic_id, organization_id, note_type, session_type, sealed_file_url, started_at, status, progress, recording_id,
      retry_of, source, language, template_id, template_version, recorded_since)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19,
      clock_timestamp() - $20::float * interval '1 millisecond')`,
  values: [
    tenant.tenantId,
    row.sessionId,
    row.sessionExternalId,
    row.clientId,
    row.clinicianId,
    row.clinicId,
    row.organizationId,
    row.noteType,
    row.sessionType,
    row.sealedFileUrl,
    row.startedAt,
    row.status,
    row.progress,
    row.recordingId,
    row.retryOf,
    row.source,
    row.language,
    row.templateId,
    row.templateVersion,
    row.recordedForMs,
  ],
})

/** Compare and set. A null progress keeps what was reached; all of it is for `completed` alone. */
export const updateSessionStatus = (
  tenant: TenantScope,
  sessionId: SessionId,
  change: {
    from: readonly SessionStatus[]
    to: SessionStatus
    progress: number | null
    failureCode: string | null
  },
): Statement<{ fromStatus: SessionStatus }> => ({
  name: 'update_session_status',
  text: `update casenote.sessions s
    set status = $4, failure_code = $6,
      progress = least(greatest(s.progress, $5), case when $4 = 'completed' then 1 else 0.99 end)
    from (select status from casenote.sessions where tenant_id = $1 and session_id = $2 for update) old
    where s.tenant_id = $1 and s.session_id = $2 and old.status = any($3)
    returning old.status as "fromStatus"`,
  values: [tenant.tenantId, sessionId, change.from, change.to, change.progress, change.failureCode],
})

/** Never down, and 1 is for `completed` alone. */
export const updateProgress = (tenant: TenantScope, sessionId: SessionId, progress: number): Statement => ({
  name: 'update_session_progress',
  text: `update casenote.sessions set progress = $3
    where tenant_id = $1 and session_id = $2 and progress < $3 and status not in ('completed', 'failed')`,
  values: [tenant.tenantId, sessionId, progress],
})

export const selectAudioLength = (
  tenant: TenantScope,
  sessionId: SessionId,
): Statement<{ audioMs: number }> => ({
  name: 'select_audio_length',
  text: 'select coalesce(audio_ms, 0)::float8 as "audioMs" from casenote.sessions where tenant_id = $1 and session_id = $2',
  values: [tenant.tenantId, sessionId],
})

/** Sessions that ended without a transcript; given up by their clinician, or since nothing came. */
export const listEndedSessions = (
  tenant: TenantScope,
  clientId: ClientId,
): Statement<{ sessionId: SessionId; isGivenUp: boolean }> => ({
  text: `select session_id as "sessionId", failure_code in ('discarded', 'audio_missing') as "isGivenUp"
    from casenote.sessions where tenant_id = $1 and client_id = $2 and status = 'failed' order by session_id limit 10000`,
  values: [tenant.tenantId, clientId],
})

/** Sessions that were put under another client. */
export const listWithdrawn = (
  tenant: TenantScope,
  clientId: ClientId,
): Statement<{ sessionId: SessionId }> => ({
  text: `select session_id as "sessionId" from casenote.sessions
    where tenant_id = $1 and client_id = $2 and status = 'failed' and failure_code = 'withdrawn' order by session_id limit 10000`,
  values: [tenant.tenantId, clientId],
})

export const updateAudioLength = (tenant: TenantScope, sessionId: SessionId, audioMs: number): Statement => ({
  name: 'update_session_audio_length',
  text: 'update casenote.sessions set audio_ms = $3 where tenant_id = $1 and session_id = $2',
  values: [tenant.tenantId, sessionId, audioMs],
})

export const insertSessionHistory = (
  tenant: TenantScope,
  sessionId: SessionId,
  change: { action: string; fromStatus: SessionStatus | null; toStatus: SessionStatus },
): Statement => ({
  name: 'insert_session_history',
  text: `insert into casenote.session_status_history (tenant_id, session_id, action, from_status, to_status)
    values ($1, $2, $3, $4, $5)`,
  values: [tenant.tenantId, sessionId, change.action, change.fromStatus, change.toStatus],
})

export const updateAudio = (tenant: TenantScope, sessionId: SessionId, blobId: BlobId | null): Statement => ({
  name: 'update_session_audio',
  text: 'update casenote.sessions set audio_blob_id = $3 where tenant_id = $1 and session_id = $2',
  values: [tenant.tenantId, sessionId, blobId],
})

export const updateTemplate = (
  tenant: TenantScope,
  sessionId: SessionId,
  { noteType, id, version }: Pick<NoteTemplate, 'noteType' | 'id' | 'version'>,
): Statement => ({
  name: 'update_session_template',
  text: `update casenote.sessions set note_type = $3, template_id = $4, template_version = $5
    where tenant_id = $1 and session_id = $2`,
  values: [tenant.tenantId, sessionId, noteType, id, version],
})

export const selectIsPrescriber = (
  tenant: TenantScope,
  sessionId: SessionId,
): Statement<{ prescriber: boolean }> => ({
  name: 'select_is_prescriber_session',
  text: `select c.prescriber from casenote.sessions s
    join casenote.clinicians c on c.tenant_id = s.tenant_id and c.clinician_id = s.clinician_id
    where s.tenant_id = $1 and s.session_id = $2`,
  values: [tenant.tenantId, sessionId],
})

export interface SessionStandingRow {
  status: SessionStatus
  progress: number
  failureCode: string | null
  nextTryAt: Date | null
}

export const selectStanding = (tenant: TenantScope, sessionId: SessionId): Statement<SessionStandingRow> => ({
  text: `select s.status, s.progress, s.failure_code as "failureCode",
      (select min(j.due_at) from casenote.jobs j where j.tenant_id = $1 and j.status = 'waiting' and j.due_at > now()
        and j.subject_id in (s.session_id, n.active_generation_id)) as "nextTryAt"
    from casenote.sessions s
    left join casenote.progress_notes n on n.tenant_id = $1 and n.session_id = s.session_id
    where s.tenant_id = $1 and s.session_id = $2`,
  values: [tenant.tenantId, sessionId],
})

/** For the operator, who names a session without its partner. By tenant, as the primary key goes: there is no other index. */
export const findSessionAnywhere = (sessionId: SessionId): Statement<TenantScope> => ({
  text: `select s.tenant_id as "tenantId" from casenote.tenants t
    join casenote.sessions s on s.tenant_id = t.tenant_id and s.session_id = $1`,
  values: [sessionId],
})

export interface EndedSessionRow {
  status: SessionStatus
  noteType: NoteType
  failureCode: string | null
  audioBlobId: BlobId | null
  /** Whether its recording is still in the blob store. */
  hasAudio: boolean
}

export const lockEndedSession = (tenant: TenantScope, sessionId: SessionId): Statement<EndedSessionRow> => ({
  text: `select s.status, s.note_type as "noteType", s.failure_code as "failureCode", s.audio_blob_id as "audioBlobId",
      exists (select from casenote.blobs b where b.tenant_id = $1 and b.blob_id = s.audio_blob_id
        and b.status = 'complete') as "hasAudio"
    from casenote.sessions s where s.tenant_id = $1 and s.session_id = $2 for update`,
  values: [tenant.tenantId, sessionId],
})

/** Empty: somebody has it just now, and may wait for what the caller has locked. */
export const tryLockEndedSession = (
  tenant: TenantScope,
  sessionId: SessionId,
): Statement<EndedSessionRow> => {
  const { text, values } = lockEndedSession(tenant, sessionId)
  return { text: `${text} skip locked`, values }
}

/** Files of a client's exports that may hold what is not theirs. Gives the blobs, which are to be deleted from now on. */
export const endExports = (tenant: TenantScope, clientId: ClientId): Statement<{ blobIds: BlobId[] }> => ({
  text: 'select casenote.end_exports($1, $2) as "blobIds"',
  values: [tenant.tenantId, clientId],
})

/** Why a session failed, once whoever withdraws it just now is done. */
export const lockFailureCode = (
  tenant: TenantScope,
  sessionId: SessionId,
): Statement<{ failureCode: string | null }> => ({
  name: 'lock_session_failure_code',
  text: `select failure_code as "failureCode" from casenote.sessions
    where tenant_id = $1 and session_id = $2 for share`,
  values: [tenant.tenantId, sessionId],
})

/** For whoever changes the session later in the transaction, and locks others' rows before that. */
export const lockSession = (tenant: TenantScope, sessionId: SessionId): Statement => ({
  name: 'lock_session',
  text: 'select from casenote.sessions where tenant_id = $1 and session_id = $2 for no key update',
  values: [tenant.tenantId, sessionId],
})

export const selectRetryOf = (
  tenant: TenantScope,
  sessionId: SessionId,
): Statement<{ sessionId: SessionId }> => ({
  text: `select session_id as "sessionId" from casenote.sessions where tenant_id = $1 and retry_of = $2`,
  values: [tenant.tenantId, sessionId],
})

/** Those that this one is another try of, the first one's as well. */
export const selectEarlierTries = (
  tenant: TenantScope,
  sessionId: SessionId,
): Statement<{ sessionId: SessionId }> => ({
  text: `with recursive tried as (
      select session_id, retry_of from casenote.sessions where tenant_id = $1 and session_id = $2
      union select s.session_id, s.retry_of from casenote.sessions s
        join tried t on s.tenant_id = $1 and s.session_id = t.retry_of)
    select session_id as "sessionId" from tried where session_id <> $2 order by session_id`,
  values: [tenant.tenantId, sessionId],
})

/** Until its new session ends, which shortens it again. */
export const keepRecordingLonger = (tenant: TenantScope, blobId: BlobId, keepDays: number): Statement => ({
  text: `update casenote.blobs set delete_after = ${tenantNow} + $3 * interval '1 day'
    where tenant_id = $1 and blob_id = $2 and status = 'complete'`,
  values: [tenant.tenantId, blobId, keepDays],
})

/**
 * For the operator: what failed since then for want of something, oldest first. What its recording or its clinician
 * decided would end the same way again.
 */
export const listFailedSince = (
  since: Date,
  most: number,
): Statement<{ tenantId: TenantId; sessionId: SessionId }> => ({
  text: `select s.tenant_id as "tenantId", s.session_id as "sessionId"
    from casenote.session_status_history h
    join casenote.sessions s on s.tenant_id = h.tenant_id and s.session_id = h.session_id
    where h.to_status = 'failed' and h.changed_at >= $1
      and s.failure_code <> all ($3) and s.failure_code not like 'audio\\_%'
      and not exists (select from casenote.sessions r where r.tenant_id = s.tenant_id and r.retry_of = s.session_id)
    order by h.changed_at limit $2`,
  values: [since, most, DECIDED_FAILURES],
})

/** A failed session does not count. */
export const selectSessionOfExternalId = (
  tenant: TenantScope,
  externalId: string,
): Statement<{ id: SessionId }> => ({
  name: 'select_session_of_external_id',
  text: `select session_id as id from casenote.sessions
    where tenant_id = $1 and session_external_id = $2 and status <> 'failed' order by seq limit 1`,
  values: [tenant.tenantId, externalId],
})
