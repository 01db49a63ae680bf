import { skippedBefore, type AskedPage } from '@casenote/contract'
import type { Statement } from '../../kernel/db/database.js'
import { namedForPage } from '../../kernel/db/page-statement.js'
import type { AssessmentId, AssignmentId, ClientId, ClinicId, ScoreId } from '../../kernel/ids.js'
import type { TenantScope } from '../../kernel/tenant.js'

export interface CountRow {
  total: number
}

export const selectDefaults = (
  tenant: TenantScope,
  clinicId: ClinicId,
): Statement<{ assessmentId: AssessmentId }> => ({
  name: 'select_clinic_default_assessments',
  text: `select assessment_id as "assessmentId" from casenote.clinic_default_assessments
    where tenant_id = $1 and clinic_id = $2`,
  values: [tenant.tenantId, clinicId],
})

export const deleteDefaults = (tenant: TenantScope, clinicId: ClinicId): Statement => ({
  text: 'delete from casenote.clinic_default_assessments where tenant_id = $1 and clinic_id = $2',
  values: [tenant.tenantId, clinicId],
})

export const insertDefaults = (
  tenant: TenantScope,
  clinicId: ClinicId,
  ids: readonly AssessmentId[],
): Statement => ({
  text: `insert into casenote.clinic_default_assessments (tenant_id, clinic_id, assessment_id)
    select $1, $2, unnest($3::text[])`,
  values: [tenant.tenantId, clinicId, ids],
})

export interface NewScoreRow {
  scoreId: ScoreId
  clientId: ClientId
  assignmentId: AssignmentId
  assessmentId: AssessmentId
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
  scoreId: ScoreId
  clientId: ClientId
  assessmentId: AssessmentId
  instrumentVersion: string
  scorerVersion: string
  sealedResult: Buffer
  completedAt: Date
  createdAt: Date
  /** The client's score before on the same instrument. */
  previousScoreId: ScoreId | null
  previousSealedResult: Buffer | null
}

const scoreColumns = `s.score_id as "scoreId", s.client_id as "clientId", s.assessment_id as "assessmentId",
  s.instrument_version as "instrumentVersion", s.scorer_version as "scorerVersion", s.sealed_result as "sealedResult",
  s.completed_at as "completedAt", s.created_at as "createdAt"`

/** At most one: an assignment is completed once. */
export const selectScoreOfAssignment = (
  tenant: TenantScope,
  assignmentId: AssignmentId,
): Statement<{ scoreId: ScoreId }> => ({
  name: 'select_score_of_assignment',
  text: `select score_id as "scoreId" from casenote.assessment_scores where tenant_id = $1 and assignment_id = $2`,
  values: [tenant.tenantId, assignmentId],
})

const scoresWithPrevious = `select ${scoreColumns}, p.score_id as "previousScoreId",
    p.sealed_result as "previousSealedResult"
  from casenote.assessment_scores s left join lateral (
    select o.score_id, o.sealed_result from casenote.assessment_scores o
    where o.tenant_id = s.tenant_id and o.client_id = s.client_id and o.assessment_id = s.assessment_id
      and o.seq < s.seq
    order by o.seq desc limit 1) p on true`

export const selectScore = (tenant: TenantScope, scoreId: ScoreId): Statement<ScoreRow> => ({
  name: 'select_assessment_score',
  text: `${scoresWithPrevious} where s.tenant_id = $1 and s.score_id = $2`,
  values: [tenant.tenantId, scoreId],
})

export const selectScores = (
  tenant: TenantScope,
  clientId: ClientId,
  page: AskedPage,
): Statement<ScoreRow> => ({
  ...namedForPage('select_assessment_scores', page),
  text: `${scoresWithPrevious} where s.tenant_id = $1 and s.client_id = $2
    order by s.seq limit ${page.size} offset $3`,
  values: [tenant.tenantId, clientId, skippedBefore(page)],
})

/** The newest of each instrument, oldest first. */
export const selectNewestScores = (
  tenant: TenantScope,
  clientId: ClientId,
  most: number,
): Statement<ScoreRow> => ({
  name: 'select_newest_assessment_scores',
  text: `select ${scoreColumns} from (
      select *, row_number() over (partition by assessment_id order by seq desc) as age
      from casenote.assessment_scores where tenant_id = $1 and client_id = $2) s
    where s.age <= $3 order by s.seq`,
  values: [tenant.tenantId, clientId, most],
})

export const countScores = (tenant: TenantScope, clientId: ClientId): Statement<CountRow> => ({
  name: 'count_assessment_scores',
  text: 'select count(*) as total from casenote.assessment_scores where tenant_id = $1 and client_id = $2',
  values: [tenant.tenantId, clientId],
})
