import type { Statement } from '../../kernel/db/database.js'
import type { ClinicId, ClinicianId } from '../../kernel/ids.js'
import type { TenantScope } from '../../kernel/tenant.js'

/** How far a clinician's sessions are counted: who has more has "many". */
const sessionsCountedMax = 1_000

export interface ListedClinicianRow {
  seq: number
  id: ClinicianId
  clinicId: ClinicId
  active: boolean
  sessions: number
  createdAt: Date
}

/** Ids, states and counts; no names, and no external ids, which may hold them. Oldest first. */
export const selectClinicianStandings = (
  tenant: TenantScope,
  { after, most }: { after: number; most: number },
): Statement<ListedClinicianRow> => ({
  text: `select c.seq, c.clinician_id as id, c.clinic_id as "clinicId",
      c.deactivated_at is null as active, c.created_at as "createdAt",
      (select count(*)::int from (select from casenote.sessions s
        where s.tenant_id = c.tenant_id and s.clinician_id = c.clinician_id limit ${sessionsCountedMax}) n) as sessions
    from casenote.clinicians c where c.tenant_id = $1 and c.seq > $2 order by c.seq limit $3`,
  values: [tenant.tenantId, after, most],
})
