import { TreatmentPlan, TreatmentPlanChange, WidgetPlanCreate, WidgetPlans } from '@casenote/contract'
import type { WidgetApi } from '../../../http/widget-api.js'
import type { WidgetCaller } from '../../../http/widget-caller.js'
import { openChange, type SealedParts } from '../../../kernel/change-context.js'
import {
  changePlan,
  createPlan,
  describePlan,
  endPlan,
  findPlan,
  listNewestPlans,
  showPlan,
  signPlan,
  type PlanRow,
} from '../../treatment-plans/index.js'
import { findTreatedClient } from '../clients/treated-clients.js'

/** A client's treatment plans, for whoever treats them (decision 0040). */
export function registerPlans(api: WidgetApi, parts: SealedParts): void {
  const { db, keys } = parts
  const path = '/treatment-plans/{treatmentPlanId}'
  const load = async (
    caller: WidgetCaller,
    { treatmentPlanId }: Record<'treatmentPlanId', string>,
  ): Promise<PlanRow | null> => {
    const plan = await findPlan(db, caller.tenant, treatmentPlanId)
    if (plan === null) return null
    return (await findTreatedClient(db, caller, plan.clientId)) === null ? null : plan
  }
  api.route({
    operation: 'widget.listPlans',
    method: 'GET',
    path: '/clients/{clientId}/treatment-plans',
    load: (caller, { clientId }) => findTreatedClient(db, caller, clientId),
    answer: { status: 200, schema: WidgetPlans },
    audit: 'read',
    subjects: (_loaded, result) => result.plans.map(({ id }) => id),
    handle: async ({ caller, loaded: { clientId } }) => ({
      plans: await listNewestPlans(db, await keys.get(caller.tenant), clientId),
    }),
  })
  api.route({
    operation: 'widget.createPlan',
    method: 'POST',
    path: '/clients/{clientId}/treatment-plans',
    load: (caller, { clientId }) => findTreatedClient(db, caller, clientId),
    body: WidgetPlanCreate,
    answer: { status: 201, schema: TreatmentPlan },
    audit: 'change',
    handle: async ({ caller, loaded: { clientId }, body: { id, ...given }, ...source }) => {
      const context = await openChange(parts, caller.tenant, source)
      const row = await db.write(caller.tenant, (tx) => createPlan(tx, context, { clientId, given, id }))
      return describePlan(context.ring, row)
    },
  })
  api.route({
    operation: 'widget.changePlan',
    method: 'PATCH',
    path,
    load,
    body: TreatmentPlanChange,
    answer: { status: 200, schema: TreatmentPlan },
    audit: 'change',
    handle: async ({ caller, loaded: { planId }, body, ifMatch, ...source }) => {
      const context = await openChange(parts, caller.tenant, source)
      const row = await db.write(caller.tenant, (tx) =>
        changePlan(tx, context, { planId, given: body, ifMatch }),
      )
      return showPlan(context.ring, row)
    },
  })
  api.route({
    operation: 'widget.signPlan',
    method: 'POST',
    path: `${path}/sign`,
    load,
    answer: { status: 200, schema: TreatmentPlan },
    audit: 'change',
    handle: async ({ caller, loaded: { planId }, ifMatch, ...source }) => {
      const context = await openChange(parts, caller.tenant, source)
      const row = await db.write(caller.tenant, (tx) => signPlan(tx, context, { planId, ifMatch }))
      return showPlan(context.ring, row)
    },
  })
  api.route({
    operation: 'widget.endPlan',
    method: 'POST',
    path: `${path}/end`,
    load,
    answer: { status: 200, schema: TreatmentPlan },
    audit: 'change',
    handle: async ({ caller, loaded: { planId }, ...source }) => {
      const context = await openChange(parts, caller.tenant, source)
      const row = await db.write(caller.tenant, (tx) => endPlan(tx, context, planId))
      return showPlan(context.ring, row)
    },
  })
}
