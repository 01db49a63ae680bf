import type { Statement } from '../../kernel/db/database.js'
import type { AssessmentId, AssignmentId, ClientId, OpeningId } from '../../kernel/ids.js'
import type { TenantScope } from '../../kernel/tenant.js'

export interface NewAnswerRow {
  assignmentId: AssignmentId
  answerId: string
  questionKey: string
  givenAt: Date
  sealedAnswer: Buffer
}

/** Which of them are there already is no matter: they are the same answers. A clock ahead of ours does not win. */
export const insertAnswers = (
  tenant: TenantScope,
  openingId: OpeningId,
  rows: readonly NewAnswerRow[],
): Statement => ({
  name: 'insert_assessment_answers',
  text: `insert into casenote.assessment_answers
      (tenant_id, opening_id, assignment_id, answer_id, question_key, given_at, sealed_answer)
    select $1, $2, new.assignment_id, new.answer_id, new.question_key, least(new.given_at, now()), new.sealed_answer
    from unnest($3::uuid[], $4::uuid[], $5::text[], $6::timestamptz[], $7::bytea[]) with ordinality
      as new (assignment_id, answer_id, question_key, given_at, sealed_answer, position)
    order by new.position
    on conflict (tenant_id, assignment_id, answer_id) do nothing`,
  values: [
    tenant.tenantId,
    openingId,
    rows.map((row) => row.assignmentId),
    rows.map((row) => row.answerId),
    rows.map((row) => row.questionKey),
    rows.map((row) => row.givenAt),
    rows.map((row) => row.sealedAnswer),
  ],
})

export interface AnswerRow {
  assignmentId: AssignmentId
  answerId: string
  questionKey: string
  openingId: OpeningId
  givenAt: Date
  sealedAnswer: Buffer
}

const answerColumns = `a.assignment_id as "assignmentId", a.answer_id as "answerId", a.question_key as "questionKey",
  a.opening_id as "openingId", a.given_at as "givenAt", a.sealed_answer as "sealedAnswer"`

/** The last one to each question. */
export const selectNewestAnswers = (
  tenant: TenantScope,
  assignmentIds: readonly AssignmentId[],
): Statement<AnswerRow> => ({
  name: 'select_newest_assessment_answers',
  text: `select distinct on (a.assignment_id, a.question_key) ${answerColumns}
    from casenote.assessment_answers a where a.tenant_id = $1 and a.assignment_id = any($2)
    order by a.assignment_id, a.question_key, a.given_at desc, a.seq desc`,
  values: [tenant.tenantId, assignmentIds],
})

export const countAnswers = (
  tenant: TenantScope,
  assignmentIds: readonly AssignmentId[],
): Statement<{ total: number }> => ({
  name: 'count_assessment_answers',
  text: `select count(*) as total from casenote.assessment_answers where tenant_id = $1 and assignment_id = any($2)`,
  values: [tenant.tenantId, assignmentIds],
})

/** Every answer to some questions that a client ever gave, newest first. */
export const selectAnswersTo = (
  tenant: TenantScope,
  clientId: ClientId,
  { questionKeys, most }: { questionKeys: readonly string[]; most: number },
): Statement<AnswerRow & { assessmentId: AssessmentId; instrumentVersion: string }> => ({
  name: 'select_assessment_answers_to',
  text: `select ${answerColumns}, s.assessment_id as "assessmentId",
      s.instrument_version as "instrumentVersion"
    from casenote.assessment_assignments s
    join casenote.assessment_answers a on a.tenant_id = s.tenant_id and a.assignment_id = s.assignment_id
    where s.tenant_id = $1 and s.client_id = $2 and a.question_key = any($3)
    order by a.given_at desc, a.seq desc limit $4`,
  values: [tenant.tenantId, clientId, questionKeys, most],
})
