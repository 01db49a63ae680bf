import {
  WidgetAdministration,
  WidgetAnswers,
  WidgetAnswersQuery,
  WidgetAssessments,
  WidgetLink,
  WidgetReissue,
  WidgetRevocation,
  type AssessmentAssignment,
} from '@casenote/contract'
import type { WidgetApi } from '../../../http/widget-api.js'
import type { WidgetCaller } from '../../../http/widget-caller.js'
import type { AssignmentId, ClientId } from '../../../kernel/ids.js'
import { refuse } from '../../../kernel/refuse.js'
import {
  administerAssessments,
  findAssignment,
  readAnswers,
  refuseOutstanding,
  reissueLink,
  revokeLink,
  type AssessmentsParts,
} from '../../assessments/index.js'
import { findTreatedClient } from '../clients/treated-clients.js'
import { listAssessmentsOfClient } from './list-assessments-of-client.js'

/** What a client was and can be asked, from their page in the widget. */
export function registerAssessments(api: WidgetApi, parts: AssessmentsParts): void {
  registerReads(api, parts)
  registerLinks(api, parts)
}

const makeLoad =
  ({ db }: AssessmentsParts) =>
  (caller: WidgetCaller, { clientId }: Record<'clientId', string>) =>
    findTreatedClient(db, caller, clientId)

function registerReads(api: WidgetApi, parts: AssessmentsParts): void {
  const load = makeLoad(parts)
  api.route({
    operation: 'widget.listAssessments',
    method: 'GET',
    path: '/clients/{clientId}/assessments',
    load,
    answer: { status: 200, schema: WidgetAssessments },
    audit: 'read',
    handle: ({ caller: { tenant }, loaded }) => listAssessmentsOfClient(parts, tenant, loaded),
  })
  api.route({
    operation: 'widget.readAnswers',
    method: 'GET',
    path: '/clients/{clientId}/assessments/answers',
    load,
    query: WidgetAnswersQuery,
    answer: { status: 200, schema: WidgetAnswers },
    audit: 'read',
    handle: async ({ caller: { tenant }, loaded: { clientId }, query: { scoreId } }) => {
      const answers = await readAnswers(parts, tenant, { clientId, scoreId })
      if (answers === null) throw refuse.notFound()
      return answers
    },
  })
}

function registerLinks(api: WidgetApi, parts: AssessmentsParts): void {
  const { db, keys, instruments, publicUrl, sendsMail } = parts
  const load = makeLoad(parts)
  const toOptions = async ({ tenant }: WidgetCaller, sendEmail: boolean) => ({
    publicUrl,
    mailRing: sendsMail && sendEmail ? await keys.get(tenant) : null,
  })
  /** An assignment of this client; any other client's is none. */
  const getAssignment = async ({ tenant }: WidgetCaller, clientId: ClientId, assignmentId: AssignmentId) => {
    const assignment = await findAssignment(db, tenant, assignmentId)
    if (assignment?.clientId !== clientId) throw refuse.invalid(['assignmentId must be one of this client'])
    return assignment
  }
  api.route({
    operation: 'widget.administerAssessments',
    method: 'POST',
    path: '/clients/{clientId}/assessments',
    load,
    body: WidgetAdministration,
    answer: { status: 201, schema: WidgetLink },
    audit: 'change',
    handle: async ({ caller, loaded: { clientId, status }, body, actor, requestId }) => {
      const { tenant } = caller
      const options = await toOptions(caller, body.sendEmail)
      const { assessmentIds } = body
      const administration = { catalogue: await instruments.get(), clientId, assessmentIds, ...options }
      if (status !== 'archived') await refuseOutstanding(db, tenant, administration)
      const { assignments, isEmailed } = await db.write(tenant, (tx) =>
        administerAssessments(tx, administration, { actor, requestId }),
      )
      return toLink(assignments[0], isEmailed)
    },
  })
  api.route({
    operation: 'widget.reissueAssessment',
    method: 'POST',
    path: '/clients/{clientId}/assessments/reissue',
    load,
    body: WidgetReissue,
    answer: { status: 200, schema: WidgetLink },
    audit: 'change',
    handle: async ({ caller, loaded: { clientId }, body, actor, requestId }) => {
      const assignment = await getAssignment(caller, clientId, body.assignmentId)
      const options = await toOptions(caller, body.sendEmail)
      const { isEmailed, ...reissued } = await db.write(caller.tenant, (tx) =>
        reissueLink(tx, assignment, options, { actor, requestId }),
      )
      return toLink(reissued, isEmailed)
    },
  })
  api.route({
    operation: 'widget.revokeAssessment',
    method: 'POST',
    path: '/clients/{clientId}/assessments/revoke',
    load,
    body: WidgetRevocation,
    answer: { status: 204, schema: null },
    audit: 'change',
    handle: async ({ caller, loaded: { clientId }, body, actor, requestId }) => {
      const assignment = await getAssignment(caller, clientId, body.assignmentId)
      await db.write(caller.tenant, (tx) =>
        revokeLink(tx, assignment, { actor, requestId }, { keepsShared: true }),
      )
    },
  })
}

function toLink(assignment: AssessmentAssignment | undefined, isEmailed: boolean): WidgetLink {
  if (assignment === undefined) throw new Error('nothing was assigned')
  const { url, expiresAt } = assignment
  return { url, expiresAt, isEmailed }
}
