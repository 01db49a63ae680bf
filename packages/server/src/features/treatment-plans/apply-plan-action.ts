import { toSigner } from '../../kernel/audit/index.js'
import type { ChangeContext } from '../../kernel/change-context.js'
import type { Tx } from '../../kernel/db/database.js'
import type { PlanId } from '../../kernel/ids.js'
import { recordEvent } from '../../kernel/outbox/index.js'
import { refuse } from '../../kernel/refuse.js'
import { lockClient } from '../clients/index.js'
import { PLAN_TRANSITIONS, type PlanAction } from './plan-lifecycle.js'
import { getPlan, getLockedPlan } from './read-plans.js'
import {
  insertPlanHistory,
  lockPlan,
  selectActivePlan,
  signPlanVersion,
  updatePlanStatus,
  type PlanRow,
} from './treatment-plans.sql.js'
import { recordPlanChange, requireMatch } from './write-plan.js'

/** The client is treated by this version from now on. Signed already, it is as it was. */
export async function signPlan(
  tx: Tx,
  context: ChangeContext,
  { planId, ifMatch }: { planId: PlanId; ifMatch: string | null },
): Promise<PlanRow> {
  // Before the plan, as whoever writes one: of two drafts that are signed at once the second one finds the first.
  await tx.run(lockClient(tx.tenant, (await getPlan(tx, planId)).clientId))
  const plan = await getLockedPlan(tx, planId)
  requireMatch(plan, ifMatch)
  if (plan.signedAt !== null) return plan
  const [active] = await tx.run(selectActivePlan(tx.tenant, plan.clientId))
  if (active !== undefined && active.planId !== planId)
    throw refuse.conflict(
      'treatment_plan_active',
      'The client has another active treatment plan: end it first',
    )
  const signer = toSigner(context.actor)
  await tx.run(signPlanVersion(tx.tenant, { planId, version: plan.version, signer }))
  await applyPlanAction(tx, context, plan, 'sign')
  return getPlan(tx, planId)
}

/** Final. Ended already, it is as it was. */
export async function endPlan(tx: Tx, context: ChangeContext, planId: PlanId): Promise<PlanRow> {
  await tx.run(lockPlan(tx.tenant, planId))
  const plan = await getPlan(tx, planId)
  if (plan.status === 'ended') return plan
  await applyPlanAction(tx, context, plan, 'end')
  return getPlan(tx, planId)
}

/** The one way to change a plan's status: compare and set, with the history row, the event and the audit entry. */
async function applyPlanAction(
  tx: Tx,
  context: ChangeContext,
  { planId, clientId, version }: PlanRow,
  action: PlanAction,
): Promise<void> {
  const { from, to, event } = PLAN_TRANSITIONS[action]
  const [changed] = await tx.run(updatePlanStatus(tx.tenant, planId, { from, to }))
  if (changed === undefined) throw new Error('a treatment plan that is locked for it could not be moved')
  const { fromStatus } = changed
  await tx.run(insertPlanHistory(tx.tenant, planId, { action, fromStatus, toStatus: to, version }))
  await recordEvent(tx, {
    eventType: event,
    payload: {
      clientId,
      treatmentPlanId: planId,
      version,
      status: to,
      treatmentPlanUrl: `${context.publicUrl}/v2/treatment-plans/${planId}`,
    },
    onceKey: `${event}/${planId}/${version}/${to}`,
    nowMs: context.nowMs,
  })
  await recordPlanChange(tx, context, `treatmentPlan.${action}`, { planId, clientId })
}
