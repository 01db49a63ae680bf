import type { Statement } from '../../kernel/db/database.js'
import type { TenantScope } from '../../kernel/tenant.js'

export interface OutstandingRow {
  assignmentId: string
  assessmentId: string
  assignedAt: Date
  expiresAt: Date
}

/** An assignment whose link has run out is not outstanding, though nobody has marked it yet. */
export const selectOutstanding = (tenant: TenantScope, clientId: string): Statement => ({
  name: 'select_outstanding_assessments',
  text: `select assignment_id as "assignmentId", assessment_id as "assessmentId", created_at as "assignedAt",
      expires_at as "expiresAt"
    from casenote.assessment_assignments
    where tenant_id = $1 and client_id = $2 and status = 'outstanding' and expires_at > now()
    order by created_at, assignment_id limit 100`,
  values: [tenant.tenantId, clientId],
})
