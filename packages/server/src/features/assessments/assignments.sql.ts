import { skippedBefore, type AskedPage, type AssignmentStatus } from '@casenote/contract'
import type { Statement } from '../../kernel/db/database.js'
import { namedForPage } from '../../kernel/db/page-statement.js'
import { tenantNow } from '../../kernel/db/tenant-clock.sql.js'
import type { AdministrationId, AssessmentId, AssignmentId, ClientId } from '../../kernel/ids.js'
import type { TenantScope } from '../../kernel/tenant.js'
import { ASSIGNMENT_TRANSITIONS } from './assignment-lifecycle.js'

const { complete, expire, reissue, revoke } = ASSIGNMENT_TRANSITIONS

/** A link that nobody can use any more must not block the next one. */
export const expireAssignments = (
  tenant: TenantScope,
  clientId: ClientId,
  assessmentIds: readonly AssessmentId[],
): Statement => ({
  name: 'expire_assessment_assignments',
  text: `update casenote.assessment_assignments set status = $5
    where tenant_id = $1 and client_id = $2 and assessment_id = any($3) and status = any($4)
      and expires_at <= ${tenantNow}`,
  values: [tenant.tenantId, clientId, assessmentIds, expire.from, expire.to],
})

export interface AssignmentRow {
  assignmentId: AssignmentId
  clientId: ClientId
  assessmentId: AssessmentId
  administrationId: AdministrationId
  instrumentVersion: string
  /** An outstanding one whose time is over counts as expired, whether or not anybody has written that down. */
  status: AssignmentStatus
  createdAt: Date
  /** When the client first opened its link. */
  openedAt: Date | null
  expiresAt: Date
  completedAt: Date | null
}

const assignmentColumns = `assignment_id as "assignmentId", client_id as "clientId", assessment_id as "assessmentId",
  administration_id as "administrationId", instrument_version as "instrumentVersion",
  case when status = 'outstanding' and expires_at <= ${tenantNow} then 'expired' else status end as status, created_at as "createdAt", opened_at as "openedAt", expires_at as "expiresAt",
  completed_at as "completedAt"`

export interface NewAssignmentRow {
  assignmentId: AssignmentId
  assessmentId: AssessmentId
  instrumentVersion: string
  tokenHash: Buffer
}

/** Gives back what it inserted: what is missing was outstanding already, by the unique index. */
export const insertAssignments = (
  tenant: TenantScope,
  to: { clientId: ClientId; administrationId: AdministrationId; validDays: number },
  rows: readonly NewAssignmentRow[],
): Statement<AssignmentRow> => ({
  name: 'insert_assessment_assignments',
  text: `insert into casenote.assessment_assignments
      (tenant_id, client_id, administration_id, assignment_id, assessment_id, instrument_version, token_hash, expires_at)
    select $1, $2, $3, assignment_id, assessment_id, instrument_version, token_hash, ${tenantNow} + make_interval(days => $4)
    from unnest($5::uuid[], $6::text[], $7::text[], $8::bytea[])
      as new (assignment_id, assessment_id, instrument_version, token_hash)
    on conflict (tenant_id, client_id, assessment_id) where status = 'outstanding' do nothing
    returning ${assignmentColumns}`,
  values: [
    tenant.tenantId,
    to.clientId,
    to.administrationId,
    to.validDays,
    rows.map((row) => row.assignmentId),
    rows.map((row) => row.assessmentId),
    rows.map((row) => row.instrumentVersion),
    rows.map((row) => row.tokenHash),
  ],
})

/** Compare and set: of two completions at once the second finds nothing outstanding. */
export const completeAssignments = (
  tenant: TenantScope,
  clientId: ClientId,
  assignmentIds: readonly AssignmentId[],
  completedAt: Date,
): Statement<AssignmentRow> => ({
  name: 'complete_assessment_assignments',
  text: `update casenote.assessment_assignments set status = $6, completed_at = $4
    where tenant_id = $1 and client_id = $2 and assignment_id = any($3) and status = any($5)
      and expires_at > ${tenantNow}
    returning ${assignmentColumns}`,
  values: [tenant.tenantId, clientId, assignmentIds, completedAt, complete.from, complete.to],
})

export const selectAssignment = (
  tenant: TenantScope,
  assignmentId: AssignmentId,
): Statement<AssignmentRow> => ({
  name: 'select_assessment_assignment',
  text: `select ${assignmentColumns} from casenote.assessment_assignments
    where tenant_id = $1 and assignment_id = $2`,
  values: [tenant.tenantId, assignmentId],
})

export const selectAssignments = (
  tenant: TenantScope,
  clientId: ClientId,
  page: AskedPage,
): Statement<AssignmentRow> => ({
  ...namedForPage('select_assessment_assignments', page),
  text: `select ${assignmentColumns} from casenote.assessment_assignments
    where tenant_id = $1 and client_id = $2 order by seq limit ${page.size} offset $3`,
  values: [tenant.tenantId, clientId, skippedBefore(page)],
})

export const countAssignments = (tenant: TenantScope, clientId: ClientId): Statement<{ total: number }> => ({
  name: 'count_assessment_assignments',
  text: `select count(*) as total from casenote.assessment_assignments where tenant_id = $1 and client_id = $2`,
  values: [tenant.tenantId, clientId],
})

/** At most one for each instrument, by the unique index. */
export const selectOutstanding = (tenant: TenantScope, clientId: ClientId): Statement<AssignmentRow> => ({
  name: 'select_outstanding_assignments',
  text: `select ${assignmentColumns} from casenote.assessment_assignments
    where tenant_id = $1 and client_id = $2 and status = 'outstanding' and expires_at > ${tenantNow} order by seq`,
  values: [tenant.tenantId, clientId],
})

/**
 * Gives an assignment a new link; with its hash the old link is gone. No row: completed or revoked, or another one of the same instrument
 * is outstanding.
 */
export const reissueAssignment = (
  tenant: TenantScope,
  assignmentId: AssignmentId,
  to: { tokenHash: Buffer; validDays: number },
): Statement<AssignmentRow> => ({
  name: 'reissue_assessment_assignment',
  text: `update casenote.assessment_assignments a
    set status = $6, token_hash = $3, opened_at = null, expires_at = ${tenantNow} + make_interval(days => $4)
    where tenant_id = $1 and assignment_id = $2 and status = any($5) and not exists (
      select from casenote.assessment_assignments o
      where o.tenant_id = a.tenant_id and o.client_id = a.client_id and o.assessment_id = a.assessment_id
        and o.assignment_id <> a.assignment_id and o.status = $6)
    returning ${assignmentColumns}`,
  values: [tenant.tenantId, assignmentId, to.tokenHash, to.validDays, reissue.from, reissue.to],
})

/** What was sent with `a` and waits for answers. */
const outstandingBeside = `select from casenote.assessment_assignments o
  where o.tenant_id = a.tenant_id and o.client_id = a.client_id and o.administration_id = a.administration_id
    and o.assignment_id <> a.assignment_id and o.status = 'outstanding' and o.expires_at > ${tenantNow}`

/**
 * No row: completed, or revoked already. `keepsShared`: its link stays for what was sent with it, where that waits for answers.
 */
export const revokeAssignment = (
  tenant: TenantScope,
  assignmentId: AssignmentId,
  keepsShared: boolean,
): Statement<{ isLinkKept: boolean; isLast: boolean }> => ({
  name: 'revoke_assessment_assignment',
  text: `update casenote.assessment_assignments a set status = $4, link_kept = $5 and exists (${outstandingBeside})
    where tenant_id = $1 and assignment_id = $2 and status = any($3)
    returning link_kept as "isLinkKept", not exists (${outstandingBeside}) as "isLast"`,
  values: [tenant.tenantId, assignmentId, revoke.from, revoke.to, keepsShared],
})

/** Links that outlived a revocation, of what was sent together; `assignmentId`: of this one only. */
export const shutKeptLinks = (
  tenant: TenantScope,
  { clientId, administrationId }: Pick<AssignmentRow, 'clientId' | 'administrationId'>,
  assignmentId: AssignmentId | null,
): Statement<{ assignmentId: AssignmentId }> => ({
  name: 'shut_kept_assessment_links',
  text: `update casenote.assessment_assignments set link_kept = false
    where tenant_id = $1 and client_id = $2 and administration_id = $3 and link_kept
      and assignment_id = coalesce($4, assignment_id)
    returning assignment_id as "assignmentId"`,
  values: [tenant.tenantId, clientId, administrationId, assignmentId],
})
