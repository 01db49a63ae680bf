import {
  failedWorkDays,
  skippedBefore,
  type AskedPage,
  workSessionsMax,
  type WorkState,
} from '@casenote/contract'
import type { Statement } from '../../../kernel/db/database.js'
import { namedForPage } from '../../../kernel/db/page-statement.js'
import type { ClinicianId } from '../../../kernel/ids.js'
import type { TenantScope } from '../../../kernel/tenant.js'
import { isKept } from '../../sessions/index.js'
import { isTreated, viewOf, type SessionViewRow } from './session-views.sql.js'

const noteOfSession = `join casenote.progress_notes n on n.tenant_id = s.tenant_id and n.session_id = s.session_id`

const hasFailed = `(s.status = 'failed' or (n.status = 'failed' and n.active_generation_id is null))`
/** A failed session is no work any more when it was tried again, or when so many days have gone by since it failed or was struck. */
const isDealtWith = `(greatest(s.created_at, case when n.versions_gone > 0 then n.updated_at end) < now() - interval '${failedWorkDays} days' or exists (
  select from casenote.sessions r where r.tenant_id = s.tenant_id and r.retry_of = s.session_id))`

/** Whether the note is signed by its clinician: that another one has to co-sign it is no work of theirs any more. */
const isSigned = `(n.status = 'finalized' or n.signed_by_id is not null)`

const isReady = `not ${isSigned} and s.status = 'completed' and n.status in ('generated', 'regenerated') and n.active_generation_id is null`

const conditions: Record<WorkState, string> = {
  ready: isReady,
  failed: `${hasFailed} and not ${isDealtWith}`,
  underway: `not ${isSigned} and not ${hasFailed} and not (${isReady})`,
  unsigned: `not ${isSigned} and not (${hasFailed} and ${isDealtWith})`,
  signed: isSigned,
}

/** The sessions of a clinician's clients, from the oldest that is looked at: its index is read from the newest on, and no further. */
const ofClinician = `s.tenant_id = $1 and s.clinician_id = $2 and ${isTreated} and ${isKept}
  and s.seq >= coalesce((select o.seq from casenote.sessions o where o.tenant_id = $1 and o.clinician_id = $2
    order by o.seq desc offset ${workSessionsMax - 1} limit 1), 0)`

export interface WorkRequest {
  clinicianId: ClinicianId
  state: WorkState | null
  /** Patterns over folded names, all of which must match. */
  patterns: readonly string[]
  page: AskedPage
}

/** The page, newest first, and how many there are. */
export function selectWork(
  tenant: TenantScope,
  { clinicianId, state, patterns, page }: WorkRequest,
): [Statement<SessionViewRow>, Statement<{ total: number }>] {
  const condition = state === null ? 'true' : conditions[state]
  const where = `${noteOfSession} where ${ofClinician} and c.name_folded like all ($3) and ${condition}`
  const values = [tenant.tenantId, clinicianId, patterns]
  return [
    {
      ...namedForPage(`select_work_${state ?? 'all'}`, page),
      text: `${viewOf('true')} ${where} order by s.seq desc limit ${page.size} offset $4`,
      values: [...values, skippedBefore(page)],
    },
    {
      name: `count_work_${state ?? 'all'}`,
      text: `select count(*) as total from casenote.sessions s
        join casenote.clients c on c.tenant_id = s.tenant_id and c.client_id = s.client_id ${where}`,
      values,
    },
  ]
}

interface WorkCounts {
  ready: number
  underway: number
  failed: number
}

export const countWork = (tenant: TenantScope, clinicianId: ClinicianId): Statement<WorkCounts> => ({
  name: 'count_work_by_state',
  text: `select count(*) filter (where ${conditions.ready}) as ready,
      count(*) filter (where ${conditions.underway}) as underway,
      count(*) filter (where ${conditions.failed}) as failed
    from casenote.sessions s
    join casenote.clients c on c.tenant_id = s.tenant_id and c.client_id = s.client_id
    ${noteOfSession} where ${ofClinician}`,
  values: [tenant.tenantId, clinicianId],
})
