import { Assessment, AssessmentQuery, AssessmentScore, PageOf, PageQuery } from '@casenote/contract'
import type { PartnerApi } from '../../http/partner-api.js'
import { findClient } from '../clients/index.js'
import { findUnit } from '../organizations/index.js'
import type { AssessmentsParts } from './assessments-parts.js'
import { registerAssignments } from './assignments.routes.js'
import { listAssessments } from './list-assessments.js'
import { findScore, listScores } from './read-scores.js'

export function registerAssessments(api: PartnerApi, parts: AssessmentsParts): void {
  const { db, instruments } = parts
  api.route({
    operation: 'assessment.list',
    method: 'GET',
    path: '/clinics/{clinicId}/assessments',
    summary: 'List the assessments that a clinic can administer',
    load: (tenant, { clinicId }) => findUnit(db, 'clinics', tenant, clinicId),
    query: AssessmentQuery,
    answer: { status: 200, schema: PageOf(Assessment), description: 'A page of assessments' },
    audit: 'read',
    handle: async ({ tenant, loaded, query, page }) =>
      listAssessments({ db, catalogue: await instruments.get() }, tenant, {
        clinicId: loaded.id,
        defaultOnly: query.defaultOnly ?? false,
        page,
      }),
  })
  registerAssignments(api, parts)
  api.route({
    operation: 'assessmentScore.read',
    method: 'GET',
    path: '/assessment-scores/{id}',
    summary: 'Read an assessment score with its answers',
    load: (tenant, { id }) => findScore(parts, tenant, id),
    answer: { status: 200, schema: AssessmentScore, description: 'The score' },
    audit: 'read',
    subjects: ({ clientId }) => [clientId],
    handle: async ({ loaded }) => loaded,
  })
  api.route({
    operation: 'assessmentScore.list',
    method: 'GET',
    path: '/clients/{clientId}/assessment-scores',
    summary: "List a client's assessment scores",
    load: (tenant, { clientId }) => findClient(db, tenant, clientId),
    query: PageQuery,
    answer: { status: 200, schema: PageOf(AssessmentScore), description: 'A page of scores, oldest first' },
    audit: 'read',
    handle: ({ tenant, loaded: { clientId }, page }) => listScores(parts, tenant, { clientId, page }),
  })
}
