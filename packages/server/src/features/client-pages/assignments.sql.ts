import type { ClientStatus } from '@casenote/contract'
import type { Statement } from '../../kernel/db/database.js'
import { tenantNow } from '../../kernel/db/tenant-clock.sql.js'
import type { AssessmentId, AssignmentId, ClientId } from '../../kernel/ids.js'
import type { TenantScope } from '../../kernel/tenant.js'

export interface OutstandingRow {
  assignmentId: AssignmentId
  assessmentId: AssessmentId
  instrumentVersion: string
}

/** What the client can answer now, oldest first. */
export const selectOutstanding = (tenant: TenantScope, clientId: ClientId): Statement<OutstandingRow> => ({
  name: 'select_outstanding_of_client',
  text: `select assignment_id as "assignmentId", assessment_id as "assessmentId",
      instrument_version as "instrumentVersion"
    from casenote.assessment_assignments
    where tenant_id = $1 and client_id = $2 and status = 'outstanding' and expires_at > ${tenantNow} order by seq`,
  values: [tenant.tenantId, clientId],
})

/** Five hours: the longest that an opening lasts, and the pause after which a worker ends the sitting. */
export const keepOutstanding = (tenant: TenantScope, clientId: ClientId): Statement => ({
  name: 'keep_outstanding_of_client',
  text: `update casenote.assessment_assignments set expires_at = ${tenantNow} + interval '5 hours'
    where tenant_id = $1 and client_id = $2 and status = 'outstanding'
      and expires_at > ${tenantNow} and expires_at < ${tenantNow} + interval '5 hours'`,
  values: [tenant.tenantId, clientId],
})

/** Any of a client's links leads to all of them. */
export const markOpened = (tenant: TenantScope, clientId: ClientId): Statement => ({
  name: 'mark_opened_of_client',
  text: `update casenote.assessment_assignments set opened_at = now()
    where tenant_id = $1 and client_id = $2 and status = 'outstanding' and opened_at is null and expires_at > ${tenantNow}`,
  values: [tenant.tenantId, clientId],
})

interface ClinicRow {
  clinicName: string
  organizationName: string
  language: string | null
  status: ClientStatus
}

export const selectClinicOfClient = (tenant: TenantScope, clientId: ClientId): Statement<ClinicRow> => ({
  name: 'select_clinic_of_client',
  text: `select k.name as "clinicName", o.name as "organizationName", c.status, c.language
    from casenote.clients c
    join casenote.clinics k on k.tenant_id = c.tenant_id and k.clinic_id = c.clinic_id
    join casenote.organizations o on o.tenant_id = k.tenant_id and o.organization_id = k.organization_id
    where c.tenant_id = $1 and c.client_id = $2`,
  values: [tenant.tenantId, clientId],
})
