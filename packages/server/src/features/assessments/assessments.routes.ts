import {
  Assessment,
  AssessmentAdministration,
  AssessmentAssignments,
  AssessmentQuery,
  AssessmentScore,
  PageOf,
  PageQuery,
} from '@casenote/contract'
import type { PartnerApi } from '../../http/partner-api.js'
import type { Database } from '../../kernel/db/database.js'
import type { TenantKeys } from '../../kernel/secrets/tenant-keys.js'
import { findClient } from '../clients/index.js'
import { findUnit } from '../organizations/index.js'
import { administerAssessments } from './administer-assessments.js'
import type { Instruments } from './instruments/index.js'
import { listAssessments } from './list-assessments.js'
import { findScore, listScores } from './read-scores.js'

export interface AssessmentsParts {
  db: Database
  keys: TenantKeys
  publicUrl: string
  instruments: Instruments
}

export function registerAssessments(
  api: PartnerApi,
  { db, keys, publicUrl, instruments }: AssessmentsParts,
): void {
  api.route({
    operation: 'assessment.list',
    method: 'GET',
    path: '/clinics/{clinicId}/assessments',
    summary: 'List the assessments that a clinic can administer',
    load: (tenant, { clinicId }) => findUnit(db, 'clinics', tenant, clinicId ?? ''),
    query: AssessmentQuery,
    answer: { status: 200, schema: PageOf(Assessment), description: 'A page of assessments' },
    audit: 'read',
    handle: async ({ tenant, loaded, query }) =>
      listAssessments({ db, catalogue: await instruments.get() }, tenant, {
        clinicId: loaded.id,
        defaultOnly: query.defaultOnly ?? false,
        page: query.page ?? 1,
      }),
  })
  api.route({
    operation: 'assessment.administer',
    method: 'POST',
    path: '/clients/{clientId}/assessments',
    summary: 'Administer assessments to a client',
    load: (tenant, { clientId }) => findClient(db, tenant, clientId ?? ''),
    body: AssessmentAdministration,
    answer: {
      status: 201,
      schema: AssessmentAssignments,
      description:
        'One assignment for each assessment, each with a link for the client that is good for 30 days',
    },
    rules: { 409: 'One of them is already outstanding (then none is assigned), or the client is archived' },
    audit: 'change',
    handle: async ({ tenant, loaded: { clientId }, body: { assessmentIds }, actor, requestId }) => {
      const administration = { catalogue: await instruments.get(), clientId, assessmentIds, publicUrl }
      return db.write(tenant, (tx) => administerAssessments(tx, administration, { actor, requestId }))
    },
  })
  api.route({
    operation: 'assessmentScore.read',
    method: 'GET',
    path: '/assessment-scores/{id}',
    summary: 'Read an assessment score with its answers',
    load: (tenant, { id }) => findScore({ db, keys }, tenant, id ?? ''),
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
    load: (tenant, { clientId }) => findClient(db, tenant, clientId ?? ''),
    query: PageQuery,
    answer: { status: 200, schema: PageOf(AssessmentScore), description: 'A page of scores, oldest first' },
    audit: 'read',
    handle: ({ tenant, loaded: { clientId }, query }) =>
      listScores({ db, keys }, tenant, { clientId, page: query.page ?? 1 }),
  })
}
