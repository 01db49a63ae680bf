import { itemsPerPage, type AssignmentStatus } from '@casenote/contract'
import type { Statement } from '../../kernel/db/database.js'
import type { TenantScope } from '../../kernel/tenant.js'
import { ASSIGNMENT_TRANSITIONS } from './assignment-lifecycle.js'

const { complete, expire } = ASSIGNMENT_TRANSITIONS

export interface CountRow {
  total: number
}

export const selectDefaults = (tenant: TenantScope, clinicId: string): Statement => ({
  name: 'select_clinic_default_assessments',
  text: `select assessment_id as "assessmentId" from casenote.clinic_default_assessments
    where tenant_id = $1 and clinic_id = $2`,
  values: [tenant.tenantId, clinicId],
})

export const deleteDefaults = (tenant: TenantScope, clinicId: string): Statement => ({
  text: 'delete from casenote.clinic_default_assessments where tenant_id = $1 and clinic_id = $2',
  values: [tenant.tenantId, clinicId],
})

export const insertDefaults = (tenant: TenantScope, clinicId: string, ids: readonly string[]): Statement => ({
  text: `insert into casenote.clinic_default_assessments (tenant_id, clinic_id, assessment_id)
    select $1, $2, unnest($3::text[])`,
  values: [tenant.tenantId, clinicId, ids],
})

/** A link that nobody can use any more must not block the next one. */
export const expireAssignments = (
  tenant: TenantScope,
  clientId: string,
  assessmentIds: readonly string[],
): Statement => ({
  name: 'expire_assessment_assignments',
  text: `update casenote.assessment_assignments set status = $5
    where tenant_id = $1 and client_id = $2 and assessment_id = any($3) and status = $4
      and expires_at <= now()`,
  values: [tenant.tenantId, clientId, assessmentIds, expire.from, expire.to],
})

export interface AssignmentRow {
  assignmentId: string
  clientId: string
  assessmentId: string
  instrumentVersion: string
  status: AssignmentStatus
  createdAt: Date
  expiresAt: Date
  completedAt: Date | null
}

const assignmentColumns = `assignment_id as "assignmentId", client_id as "clientId", assessment_id as "assessmentId",
  instrument_version as "instrumentVersion", status, created_at as "createdAt", expires_at as "expiresAt",
  completed_at as "completedAt"`

export interface NewAssignmentRow {
  assignmentId: string
  assessmentId: string
  instrumentVersion: string
  tokenHash: Buffer
}

/** Gives back what it inserted: what is missing was outstanding already, by the unique index. */
export const insertAssignments = (
  tenant: TenantScope,
  to: { clientId: string; administrationId: string; validDays: number },
  rows: readonly NewAssignmentRow[],
): Statement => ({
  name: 'insert_assessment_assignments',
  text: `insert into casenote.assessment_assignments
      (tenant_id, client_id, administration_id, assignment_id, assessment_id, instrument_version, token_hash, expires_at)
    select $1, $2, $3, assignment_id, assessment_id, instrument_version, token_hash, now() + make_interval(days => $4)
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
  clientId: string,
  assignmentIds: readonly string[],
  completedAt: Date,
): Statement => ({
  name: 'complete_assessment_assignments',
  text: `update casenote.assessment_assignments set status = $6, completed_at = $4
    where tenant_id = $1 and client_id = $2 and assignment_id = any($3) and status = $5
      and expires_at > now()
    returning ${assignmentColumns}`,
  values: [tenant.tenantId, clientId, assignmentIds, completedAt, complete.from, complete.to],
})

export interface NewScoreRow {
  scoreId: string
  clientId: string
  assignmentId: string
  assessmentId: string
  instrumentVersion: string
  scorerVersion: string
  sealedResult: Buffer
  completedAt: Date
}

export const insertScore = (tenant: TenantScope, row: NewScoreRow): Statement => ({
  name: 'insert_assessment_score',
  text: `insert into casenote.assessment_scores (tenant_id, score_id, client_id, assignment_id, assessment_id,
      instrument_version, scorer_version, sealed_result, completed_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
  values: [
    tenant.tenantId,
    row.scoreId,
    row.clientId,
    row.assignmentId,
    row.assessmentId,
    row.instrumentVersion,
    row.scorerVersion,
    row.sealedResult,
    row.completedAt,
  ],
})

export interface ScoreRow {
  scoreId: string
  clientId: string
  assessmentId: string
  sealedResult: Buffer
  completedAt: Date
  createdAt: Date
}

const scoreColumns = `score_id as "scoreId", client_id as "clientId", assessment_id as "assessmentId",
  sealed_result as "sealedResult", completed_at as "completedAt", created_at as "createdAt"`

export const selectScore = (tenant: TenantScope, scoreId: string): Statement => ({
  name: 'select_assessment_score',
  text: `select ${scoreColumns} from casenote.assessment_scores where tenant_id = $1 and score_id = $2`,
  values: [tenant.tenantId, scoreId],
})

export const selectScores = (tenant: TenantScope, clientId: string, page: number): Statement => ({
  name: 'select_assessment_scores',
  text: `select ${scoreColumns} from casenote.assessment_scores where tenant_id = $1 and client_id = $2
    order by seq limit ${itemsPerPage} offset $3`,
  values: [tenant.tenantId, clientId, (page - 1) * itemsPerPage],
})

export const countScores = (tenant: TenantScope, clientId: string): Statement => ({
  name: 'count_assessment_scores',
  text: 'select count(*) as total from casenote.assessment_scores where tenant_id = $1 and client_id = $2',
  values: [tenant.tenantId, clientId],
})
