import {
  skippedBefore,
  type AskedPage,
  type ContextField,
  type NoteType,
  type SessionSource,
  type SessionStatus,
} from '@casenote/contract'
import type { Statement } from '../../../kernel/db/database.js'
import { namedForPage } from '../../../kernel/db/page-statement.js'
import type { BlobId, ClientId, ClinicianId, SessionId } from '../../../kernel/ids.js'
import type { TenantScope } from '../../../kernel/tenant.js'
import { coSigns } from '../../progress-notes/index.js'
import { isKept } from '../../sessions/index.js'

/** A session as its clinicians see it, without what was said or written. */
export interface SessionViewRow {
  sessionId: SessionId
  sessionExternalId: string | null
  clientId: ClientId
  firstName: string | null
  lastName: string
  dateOfBirth: string
  noteType: NoteType
  source: SessionSource
  language: string | null
  status: SessionStatus
  progress: number
  failureCode: string | null
  audioBlobId: BlobId | null
  hasAudio: boolean
  hasTranscript: boolean
  isOneVoice: boolean
  contextLeftOut: ContextField[]
  hasSummary: boolean
  hasMdm: boolean
  correctionOf: string | null
  correctedBy: SessionId | null
  triedAgainAs: string | null
  hasWordsOfTries: boolean
  /** The bytes that have arrived of segments that are on their way. */
  uploadedBytes: number | null
  /** Null while one of them is still being recorded, or there is none. */
  lengthBytes: number | null
  startedAt: Date | null
  createdAt: Date
  isTreated: boolean
}

/** As who strikes a stretch asks it (`lockLaterTries`). */
const hasWordsOfTries = `case when s.status = 'failed' and s.failure_code <> 'withdrawn' then not exists (
      with recursive later as (
        select r.session_id, r.client_id, r.status from casenote.sessions r
          where r.tenant_id = s.tenant_id and r.retry_of = s.session_id
        union all select r.session_id, r.client_id, r.status from casenote.sessions r
          join later l on r.tenant_id = s.tenant_id and r.retry_of = l.session_id)
      select from later l where l.status <> 'failed' or l.client_id <> s.client_id or exists (
        select from casenote.transcripts t where t.tenant_id = s.tenant_id and t.session_id = l.session_id))
    else false end`

/** The clinician treats the client, as primary or as secondary. `$2` is the clinician. */
const treats = (client: string): string => `(${client}.clinician_id = $2 or exists (
  select from casenote.secondary_clinicians x where x.tenant_id = ${client}.tenant_id
    and x.client_id = ${client}.client_id and x.clinician_id = $2))`

/** What was another client's is nothing for the others who treat this one. */
const isOpenTo = (session: string, client: string): string =>
  `${treats(client)} and (${session}.failure_code is distinct from 'withdrawn' or ${session}.clinician_id = $2)`

/** What a legal hold keeps of a withdrawn one is read by nobody. */
const isRead = `s.failure_code is distinct from 'withdrawn'`

export const viewOf = (
  isTreatedColumn: string,
): string => `select s.session_id as "sessionId", s.session_external_id as "sessionExternalId",
    s.client_id as "clientId", c.first_name as "firstName", c.last_name as "lastName",
    c.date_of_birth as "dateOfBirth", s.note_type as "noteType", s.source, s.language, s.status, s.progress,
    s.failure_code as "failureCode", s.audio_blob_id as "audioBlobId",
    exists (select from casenote.blobs b where b.tenant_id = s.tenant_id and b.blob_id = s.audio_blob_id
      and b.status = 'complete') as "hasAudio",
    ${isRead} and exists (select from casenote.transcripts t where t.tenant_id = s.tenant_id
      and t.session_id = s.session_id) as "hasTranscript",
    ${isRead} and exists (select from casenote.transcripts t where t.tenant_id = s.tenant_id
      and t.session_id = s.session_id and t.is_one_voice) as "isOneVoice",
    coalesce((select k.left_out from casenote.session_contexts k where k.tenant_id = s.tenant_id
      and k.session_id = s.session_id), '{}') as "contextLeftOut",
    ${isRead} and exists (select from casenote.summaries u where u.tenant_id = s.tenant_id
      and u.session_id = s.session_id and u.sealed_summary is not null) as "hasSummary",
    ${isRead} and exists (select from casenote.mdm_elements m where m.tenant_id = s.tenant_id
      and m.session_id = s.session_id and m.sealed_findings is not null) as "hasMdm",
    (select o.session_id from casenote.sessions o where o.tenant_id = s.tenant_id and o.session_id = s.retry_of
      and o.failure_code = 'withdrawn') as "correctionOf",
    case when s.failure_code = 'withdrawn' then (select r.session_id from casenote.sessions r
      join casenote.clients rc on rc.tenant_id = r.tenant_id and rc.client_id = r.client_id
      where r.tenant_id = s.tenant_id and r.retry_of = s.session_id and ${isOpenTo('r', 'rc')}) end as "correctedBy",
    case when s.status = 'failed' and s.failure_code <> 'withdrawn' then (select r.session_id from casenote.sessions r
      where r.tenant_id = s.tenant_id and r.retry_of = s.session_id) end as "triedAgainAs",
    ${hasWordsOfTries} as "hasWordsOfTries",
    p.uploaded as "uploadedBytes", p.length as "lengthBytes",
    s.started_at as "startedAt", s.created_at as "createdAt", ${isTreatedColumn} as "isTreated"
  from casenote.sessions s
  join casenote.clients c on c.tenant_id = s.tenant_id and c.client_id = s.client_id
  left join lateral (select sum(o.offset_bytes)::bigint as uploaded,
      case when bool_and(o.length_bytes is not null) then sum(o.length_bytes)::bigint end as length
    from casenote.uploads o where s.status = 'awaiting_audio' and o.tenant_id = s.tenant_id
      and o.session_id = s.session_id and o.status = 'open') p on true`

export const isTreated = treats('c')

/** What was another client's is nothing for the others who treat this one. */
const isReadable = `(${isTreated} or exists (select from casenote.progress_notes p
    where p.tenant_id = s.tenant_id and p.session_id = s.session_id and ${coSigns('$2')}))
  and (s.failure_code is distinct from 'withdrawn' or s.clinician_id = $2)`

export const selectSessionView = (
  tenant: TenantScope,
  { clinicianId, sessionId }: { clinicianId: ClinicianId; sessionId: SessionId },
): Statement<SessionViewRow> => ({
  name: 'select_session_view',
  text: `${viewOf(isTreated)} where s.tenant_id = $1 and s.session_id = $3 and ${isReadable}`,
  values: [tenant.tenantId, clinicianId, sessionId],
})

/** The views of those of the given sessions that the clinician may read, in the order of the ids. */
export const selectSessionViews = (
  tenant: TenantScope,
  { clinicianId, sessionIds }: { clinicianId: ClinicianId; sessionIds: readonly SessionId[] },
): Statement<SessionViewRow> => ({
  name: 'select_session_views',
  text: `${viewOf(isTreated)} where s.tenant_id = $1 and s.session_id = any($3::uuid[]) and ${isReadable}
    order by array_position($3::uuid[], s.session_id)`,
  values: [tenant.tenantId, clinicianId, sessionIds],
})

/** The page, newest first, and the count; whoever had the sessions: all who treat the client may read them. */
export const selectSessionsOfClient = (
  tenant: TenantScope,
  { clientId, page }: { clientId: ClientId; page: AskedPage },
): [Statement<SessionViewRow>, Statement<{ total: number }>] => [
  {
    ...namedForPage('select_session_views_of_client', page),
    text: `${viewOf('true')} where s.tenant_id = $1 and s.client_id = $2 and ${isKept}
      order by s.seq desc limit ${page.size} offset $3`,
    values: [tenant.tenantId, clientId, skippedBefore(page)],
  },
  {
    name: 'count_session_views_of_client',
    text: `select count(*) as total from casenote.sessions s
      where s.tenant_id = $1 and s.client_id = $2 and ${isKept}`,
    values: [tenant.tenantId, clientId],
  },
]
