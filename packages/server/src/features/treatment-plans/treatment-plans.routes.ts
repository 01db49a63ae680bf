import {
  PageOf,
  PageQuery,
  planVersionsMax,
  TreatmentPlan,
  TreatmentPlanChange,
  TreatmentPlanCreate,
  TreatmentPlanVersion,
} from '@casenote/contract'
import type { PartnerApi } from '../../http/partner-api.js'
import { openChange, type SealedParts } from '../../kernel/change-context.js'
import type { ClientId } from '../../kernel/ids.js'
import type { TenantScope } from '../../kernel/tenant.js'
import { findClient } from '../clients/index.js'
import { endPlan, signPlan } from './apply-plan-action.js'
import { describePlan, showPlan } from './describe-plan.js'
import { findPlan, listPlans, listPlanVersions } from './read-plans.js'
import type { PlanRow } from './treatment-plans.sql.js'
import { changePlan, createPlan } from './write-plan.js'

const ended = '`Treatment plan has ended`'
const lost = 'changed since the read that `If-Match` names'

/** Our addition: what a client is treated by (decision 0040). */
export function registerTreatmentPlans(api: PartnerApi, parts: SealedParts): void {
  const { db, keys } = parts
  const load = (
    tenant: TenantScope,
    { treatmentPlanId }: Record<'treatmentPlanId', string>,
  ): Promise<PlanRow | null> => findPlan(db, tenant, treatmentPlanId)
  const path = '/treatment-plans/{treatmentPlanId}'
  const subjects = ({ clientId }: { clientId: ClientId }): string[] => [clientId]
  api.route({
    operation: 'treatmentPlan.create',
    method: 'POST',
    path: '/clients/{clientId}/treatment-plans',
    summary: 'Write a treatment plan for a client',
    load: (tenant, { clientId }) => findClient(db, tenant, clientId),
    body: TreatmentPlanCreate,
    answer: { status: 201, schema: TreatmentPlan, description: 'The plan, a draft until it is signed' },
    rules: { 409: '`Client is archived`, or the client has as many plans as there can be' },
    audit: 'change',
    handle: async ({ tenant, loaded: { clientId }, body, ...caller }) => {
      const context = await openChange(parts, tenant, caller)
      const row = await db.write(tenant, (tx) => createPlan(tx, context, { clientId, given: body }))
      return describePlan(context.ring, row)
    },
  })
  api.route({
    operation: 'treatmentPlan.list',
    method: 'GET',
    path: '/clients/{clientId}/treatment-plans',
    summary: 'List the treatment plans of a client',
    load: (tenant, { clientId }) => findClient(db, tenant, clientId),
    query: PageQuery,
    answer: {
      status: 200,
      schema: PageOf(TreatmentPlan),
      description: 'A page of plans, oldest first, each as its newest version says',
      inPieces: true,
    },
    audit: 'read',
    handle: async ({ tenant, loaded: { clientId }, page }) =>
      listPlans(db, await keys.get(tenant), { clientId, page }),
  })
  api.route({
    operation: 'treatmentPlan.read',
    method: 'GET',
    path,
    summary: 'Read a treatment plan',
    load,
    answer: { status: 200, schema: TreatmentPlan, description: 'The plan as its newest version says' },
    audit: 'read',
    etag: true,
    subjects,
    handle: async ({ tenant, loaded }) => showPlan(await keys.get(tenant), loaded),
  })
  api.route({
    operation: 'treatmentPlan.change',
    method: 'PATCH',
    path,
    summary: 'Change a treatment plan',
    load,
    body: TreatmentPlanChange,
    takesIfMatch: true,
    answer: {
      status: 200,
      schema: TreatmentPlan,
      description:
        'The plan with its new version, which nobody has signed yet; an active plan stays active. What is given takes the place of what was there, the rest stays; where nothing changes by it, the plan as it is',
    },
    rules: { 409: `${ended}; at most ${planVersionsMax} versions; or ${lost}` },
    audit: 'change',
    etag: true,
    handle: async ({ tenant, loaded: { planId }, body, ifMatch, ...caller }) => {
      const context = await openChange(parts, tenant, caller)
      const row = await db.write(tenant, (tx) => changePlan(tx, context, { planId, given: body, ifMatch }))
      return showPlan(context.ring, row)
    },
  })
  api.route({
    operation: 'treatmentPlan.sign',
    method: 'POST',
    path: `${path}/sign`,
    summary: 'Sign a treatment plan',
    load,
    takesIfMatch: true,
    answer: {
      status: 200,
      schema: TreatmentPlan,
      description: 'The plan, active; signed already: the same, no second event',
    },
    rules: { 409: `${ended}; the client has another active plan; or ${lost}` },
    audit: 'change',
    etag: true,
    handle: async ({ tenant, loaded: { planId }, ifMatch, ...caller }) => {
      const context = await openChange(parts, tenant, caller)
      const row = await db.write(tenant, (tx) => signPlan(tx, context, { planId, ifMatch }))
      return showPlan(context.ring, row)
    },
  })
  api.route({
    operation: 'treatmentPlan.end',
    method: 'POST',
    path: `${path}/end`,
    summary: 'End a treatment plan',
    load,
    answer: {
      status: 200,
      schema: TreatmentPlan,
      description: 'The plan, ended for good; ended already: the same, no second event',
    },
    audit: 'change',
    etag: true,
    handle: async ({ tenant, loaded: { planId }, ...caller }) => {
      const context = await openChange(parts, tenant, caller)
      const row = await db.write(tenant, (tx) => endPlan(tx, context, planId))
      return showPlan(context.ring, row)
    },
  })
  api.route({
    operation: 'treatmentPlan.listVersions',
    method: 'GET',
    path: `${path}/versions`,
    summary: 'List the versions of a treatment plan',
    load,
    query: PageQuery,
    answer: {
      status: 200,
      schema: PageOf(TreatmentPlanVersion),
      description: 'A page of versions, oldest first, each with who signed it',
      inPieces: true,
    },
    audit: 'read',
    subjects,
    handle: async ({ tenant, loaded, page }) =>
      listPlanVersions(db, await keys.get(tenant), { plan: loaded, page }),
  })
}
