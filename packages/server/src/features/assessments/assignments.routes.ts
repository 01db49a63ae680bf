import {
  AssessmentAdministration,
  AssessmentAssignments,
  AssessmentReissue,
  ListedAssignment,
  PageOf,
  PageQuery,
  ReissuedAssignment,
} from '@casenote/contract'
import type { PartnerApi } from '../../http/partner-api.js'
import type { TenantScope } from '../../kernel/tenant.js'
import { findClient } from '../clients/index.js'
import { administerAssessments, refuseOutstanding, type LinkOptions } from './administer-assessments.js'
import type { AssessmentsParts } from './assessments-parts.js'
import { findAssignment, reissueLink, revokeLink } from './change-assignment.js'
import { listAssignments } from './list-assignments.js'

/** Administering, and what becomes of the links. */
export function registerAssignments(
  api: PartnerApi,
  { db, keys, publicUrl, instruments, sendsMail }: AssessmentsParts,
): void {
  const toOptions = async (tenant: TenantScope, body: AssessmentReissue): Promise<LinkOptions> => ({
    publicUrl,
    validDays: body.expiresInDays ?? undefined,
    mailRing: sendsMail && body.sendEmail !== false ? await keys.get(tenant) : null,
  })
  api.route({
    operation: 'assessment.administer',
    method: 'POST',
    path: '/clients/{clientId}/assessments',
    summary: 'Administer assessments to a client',
    load: (tenant, { clientId }) => findClient(db, tenant, clientId),
    body: AssessmentAdministration,
    answer: {
      status: 201,
      schema: AssessmentAssignments,
      description: 'One assignment for each assessment, each with a link for the client',
    },
    rules: { 409: 'One of them is already outstanding (then none is assigned), or the client is archived' },
    audit: 'change',
    handle: async ({ tenant, loaded: { clientId, status }, body, actor, requestId }) => {
      const { assessmentIds } = body
      const options = await toOptions(tenant, body)
      const administration = { catalogue: await instruments.get(), clientId, assessmentIds, ...options }
      if (status !== 'archived') await refuseOutstanding(db, tenant, administration)
      return db.write(tenant, (tx) => administerAssessments(tx, administration, { actor, requestId }))
    },
  })
  api.route({
    operation: 'assessmentAssignment.list',
    method: 'GET',
    path: '/clients/{clientId}/assessment-assignments',
    summary: 'List what was administered to a client',
    load: (tenant, { clientId }) => findClient(db, tenant, clientId),
    query: PageQuery,
    answer: {
      status: 200,
      schema: PageOf(ListedAssignment),
      description: 'A page of assignments, oldest first. Links are shown only where they are made',
    },
    audit: 'read',
    handle: ({ tenant, loaded: { clientId }, page }) => listAssignments(db, tenant, { clientId, page }),
  })
  api.route({
    operation: 'assessmentAssignment.reissue',
    method: 'POST',
    path: '/assessment-assignments/{assignmentId}/reissue',
    summary: 'Give an assignment a new link, as when the old one is locked, expired or lost',
    load: (tenant, { assignmentId }) => findAssignment(db, tenant, assignmentId),
    body: AssessmentReissue,
    answer: {
      status: 200,
      schema: ReissuedAssignment,
      description:
        'The assignment with its new link; the old link has stopped working, answers so far are kept',
    },
    rules: {
      409: 'It is completed or revoked, the same assessment is outstanding anew, or the client is archived',
    },
    audit: 'change',
    handle: async ({ tenant, loaded, body, actor, requestId }) => {
      const options = await toOptions(tenant, body)
      return db.write(tenant, (tx) => reissueLink(tx, loaded, options, { actor, requestId }))
    },
  })
  api.route({
    operation: 'assessmentAssignment.revoke',
    method: 'DELETE',
    path: '/assessment-assignments/{assignmentId}',
    summary: 'Revoke an assignment: its link stops working; revoking again changes nothing',
    load: (tenant, { assignmentId }) => findAssignment(db, tenant, assignmentId),
    answer: { status: 204, schema: null, description: 'Revoked' },
    rules: { 409: 'It is completed' },
    audit: 'change',
    handle: ({ tenant, loaded, actor, requestId }) =>
      db.write(tenant, (tx) => revokeLink(tx, loaded, { actor, requestId })),
  })
}
