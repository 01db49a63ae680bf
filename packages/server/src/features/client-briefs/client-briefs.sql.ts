import { skippedBefore, type AskedPage, type NoteType, type TimelineKind } from '@casenote/contract'
import type { Statement } from '../../kernel/db/database.js'
import { namedForPage } from '../../kernel/db/page-statement.js'
import type { AssessmentId, ClientId, ProgressNoteId, ScoreId, SessionId } from '../../kernel/ids.js'
import type { TenantScope } from '../../kernel/tenant.js'
import { isKept } from '../sessions/index.js'

export interface TimelineRow {
  id: string
  kind: TimelineKind
  at: Date
  sessionId: SessionId | null
  progressNoteId: ProgressNoteId | null
  scoreId: ScoreId | null
  noteType: NoteType | null
  status: string | null
  assessmentId: AssessmentId | null
  instrumentVersion: string | null
  /** A score's result, or what an item of danger says. */
  sealed: Buffer | null
}

const happened = `
  select s.session_id as id, 'session' as kind, coalesce(s.started_at, s.created_at) as at, s.session_id,
    n.progress_note_id, null::uuid as score_id, s.note_type, s.status, null::text as assessment_id,
    null::text as instrument_version
  from casenote.sessions s
  left join casenote.progress_notes n on n.tenant_id = s.tenant_id and n.session_id = s.session_id
  where s.tenant_id = $1 and s.client_id = $2 and ${isKept}
  union all
  select n.note_id, 'note_finalized', n.finalized_at, s.session_id, n.progress_note_id, null, s.note_type, null, null, null
  from casenote.sessions s
  join casenote.progress_notes n on n.tenant_id = s.tenant_id and n.session_id = s.session_id
  where s.tenant_id = $1 and s.client_id = $2 and ${isKept} and n.finalized_at is not null
  union all
  select a.score_id, 'assessment_completed', a.completed_at, null, null, a.score_id, null, null, a.assessment_id,
    a.instrument_version
  from casenote.assessment_scores a where a.tenant_id = $1 and a.client_id = $2
  union all
  select d.item_id, e.kind, e.at, d.session_id, null, null, null, e.status, null, null
  from casenote.danger_items d
  left join casenote.sessions s on s.tenant_id = d.tenant_id and s.session_id = d.session_id
  cross join lateral (values ('danger_opened', d.occurred_at, null), ('danger_ended', d.ended_at, d.status))
    as e (kind, at, status)
  where d.tenant_id = $1 and d.client_id = $2 and ${isKept} and e.at is not null`

/** Newest first. What is sealed is read of the page alone. */
export const selectTimeline = (
  tenant: TenantScope,
  clientId: ClientId,
  page: AskedPage,
): Statement<TimelineRow> => ({
  ...namedForPage('select_client_timeline', page),
  text: `select t.id, t.kind, t.at, t.session_id as "sessionId", t.progress_note_id as "progressNoteId",
      t.score_id as "scoreId", t.note_type as "noteType", t.status, t.assessment_id as "assessmentId",
      t.instrument_version as "instrumentVersion",
      coalesce(
        (select a.sealed_result from casenote.assessment_scores a
          where a.tenant_id = $1 and a.score_id = t.score_id),
        (select d.sealed_item from casenote.danger_items d
          where d.tenant_id = $1 and d.item_id = t.id and t.kind like 'danger%')) as sealed
    from (select * from (${happened}) h order by at desc, kind, id limit ${page.size} offset $3) t
    order by t.at desc, t.kind, t.id`,
  values: [tenant.tenantId, clientId, skippedBefore(page)],
})

export const countTimeline = (tenant: TenantScope, clientId: ClientId): Statement<{ total: number }> => ({
  name: 'count_client_timeline',
  text: `select count(*) as total from (${happened}) h`,
  values: [tenant.tenantId, clientId],
})
