import type { Statement } from '../../../kernel/db/database.js'
import type { ClinicianId, SessionId, WidgetSessionId } from '../../../kernel/ids.js'
import type { TenantScope } from '../../../kernel/tenant.js'

export interface Watch {
  sessionId: SessionId
  clinicianId: ClinicianId
  widgetSessionId: WidgetSessionId
}

export interface MarkRow {
  /** The number of the watch, from 1. */
  number: number
  mark: string
}

/**
 * One row for each watch that is still allowed: its browser session has not ended, its clinician treats the client or co-signs the
 * note, and the session was not withdrawn from them. The mark changes with whatever a session shows, because each change of a row is made
 * by another transaction (`xmin`); addenda are rows that are only added.
 */
export const selectMarks = (tenant: TenantScope, watches: readonly Watch[]): Statement<MarkRow> => ({
  name: 'select_session_marks',
  text: `select w.number::int as number, concat_ws('/', s.xmin, c.xmin, n.xmin, coalesce(g.xmin::text, ''),
      coalesce(t.xmin::text, ''), coalesce(u.xmin::text, ''), coalesce(m.xmin::text, ''),
      coalesce(b.xmin::text, ''), coalesce(f.xmin::text, ''), coalesce(k.xmin::text, ''), (select count(*) from casenote.note_addenda a
        where a.tenant_id = $1 and a.note_id = n.note_id)) as mark
    from unnest($2::uuid[], $3::uuid[], $4::uuid[]) with ordinality
      as w (session_id, clinician_id, widget_session_id, number)
    join casenote.sessions s on s.tenant_id = $1 and s.session_id = w.session_id
    join casenote.clients c on c.tenant_id = $1 and c.client_id = s.client_id
    join casenote.progress_notes n on n.tenant_id = $1 and n.session_id = s.session_id
    join casenote.widget_sessions x on x.tenant_id = $1 and x.widget_session_id = w.widget_session_id
      and x.ended_at is null
    left join casenote.note_generations g on g.tenant_id = $1 and g.generation_id = n.active_generation_id
    left join casenote.transcripts t on t.tenant_id = $1 and t.session_id = s.session_id
    left join casenote.summaries u on u.tenant_id = $1 and u.session_id = s.session_id
    left join casenote.mdm_elements m on m.tenant_id = $1 and m.session_id = s.session_id
    left join casenote.clinicians f on f.tenant_id = $1 and f.clinician_id = n.signed_by_id
      and n.status <> 'finalized'
    left join casenote.session_contexts k on k.tenant_id = $1 and k.session_id = s.session_id
    left join casenote.blobs b on b.tenant_id = $1 and b.blob_id = s.audio_blob_id
    where (s.failure_code is distinct from 'withdrawn' or s.clinician_id = w.clinician_id)
      and (c.clinician_id = w.clinician_id or n.co_signed_by_id = w.clinician_id
        or f.supervisor_id = w.clinician_id or exists (select from casenote.secondary_clinicians y
        where y.tenant_id = $1 and y.client_id = s.client_id and y.clinician_id = w.clinician_id))`,
  values: [
    tenant.tenantId,
    watches.map(({ sessionId }) => sessionId),
    watches.map(({ clinicianId }) => clinicianId),
    watches.map(({ widgetSessionId }) => widgetSessionId),
  ],
})
