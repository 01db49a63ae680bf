import { isDeepStrictEqual } from 'node:util'
import { plansOfClientMax, planVersionsMax } from '@casenote/contract'
import type { PlanContent, TreatmentPlanChange, TreatmentPlanCreate } from '@casenote/contract'
import { recordChange } from '../../kernel/audit/index.js'
import type { ChangeContext } from '../../kernel/change-context.js'
import type { Tx } from '../../kernel/db/database.js'
import { newId, type ClientId, type PlanId } from '../../kernel/ids.js'
import { refuse } from '../../kernel/refuse.js'
import { sealJson } from '../../kernel/secrets/sealed-json.js'
import { lockClient } from '../clients/index.js'
import { matchesPlanTag, planPlace, readContent } from './describe-plan.js'
import { mergePlan, noPlan } from './merge-plan.js'
import { findLengthProblem } from './plan-length.js'
import { getPlan, getLockedPlan } from './read-plans.js'
import {
  countPlans,
  insertPlan,
  insertPlanHistory,
  insertPlanVersion,
  selectPlan,
  updatePlanVersion,
  type PlanRow,
} from './treatment-plans.sql.js'

/**
 * A draft: nobody is treated by it before it is signed. `id`, where whoever asks chose one: the same plan again, after a lost answer, is
 * not written twice.
 */
export async function createPlan(
  tx: Tx,
  context: ChangeContext,
  { clientId, given, id }: { clientId: ClientId; given: TreatmentPlanCreate; id?: string | undefined },
): Promise<PlanRow> {
  const [client] = await tx.run(lockClient(tx.tenant, clientId))
  if (client === undefined) throw refuse.notFound()
  const content = merge(noPlan, given)
  const planId = id ?? newId()
  const [known] = id === undefined ? [] : await tx.run(selectPlan(tx.tenant, planId))
  if (known !== undefined) {
    if (known.clientId !== clientId || !isSaidIn(content, readContent(context.ring, planId, known)))
      throw refuse.conflict('treatment_plan_differs', differs)
    return known
  }
  requireLength(content, given, noPlan)
  if (client.status === 'archived') throw refuse.conflict('client_archived', 'Client is archived')
  const [count] = await tx.run(countPlans(tx.tenant, clientId))
  if ((count?.total ?? 0) >= plansOfClientMax)
    throw refuse.conflict('treatment_plans_full', `A client has at most ${plansOfClientMax} treatment plans`)
  await tx.run(insertPlan(tx.tenant, { planId, clientId }))
  await insertVersion(tx, context, { planId, clientId, version: 1, content })
  const created = { action: 'create', fromStatus: null, toStatus: 'draft', version: 1 } as const
  await tx.run(insertPlanHistory(tx.tenant, planId, created))
  await recordPlanChange(tx, context, 'treatmentPlan.create', { planId, clientId })
  return getPlan(tx, planId)
}

/** Shown to clinicians. */
const differs =
  'This plan was saved already, with other words: close this form, and change the plan in the list'

/** Its parts have ids of their own each time. */
const isSaidIn = (content: PlanContent, known: PlanContent): boolean =>
  withoutIds(content) === withoutIds(known)
const withoutIds = (content: PlanContent): string =>
  JSON.stringify(content, (name, value: unknown) => (name === 'id' ? undefined : value))

/**
 * Another version, which nobody has signed yet. `ifMatch` refuses a lost update. What says the same is no other version: the plan stays
 * as it is, and nothing is recorded.
 */
export async function changePlan(
  tx: Tx,
  context: ChangeContext,
  { planId, given, ifMatch }: { planId: PlanId; given: TreatmentPlanChange; ifMatch: string | null },
): Promise<PlanRow> {
  const plan = await getLockedPlan(tx, planId)
  requireMatch(plan, ifMatch)
  const known = readContent(context.ring, planId, plan)
  const content = merge(known, given)
  if (isDeepStrictEqual(content, known)) return plan
  requireLength(content, given, known)
  if (plan.version >= planVersionsMax)
    throw refuse.conflict('treatment_plans_full', `A treatment plan has at most ${planVersionsMax} versions`)
  const version = plan.version + 1
  if ((await tx.run(updatePlanVersion(tx.tenant, planId, version))).length === 0)
    throw new Error('a treatment plan that is locked for it could not be changed')
  await insertVersion(tx, context, { planId, clientId: plan.clientId, version, content })
  await recordPlanChange(tx, context, 'treatmentPlan.change', plan)
  return getPlan(tx, planId)
}

export function requireMatch(plan: PlanRow, ifMatch: string | null): void {
  if (ifMatch !== null && !matchesPlanTag(ifMatch, plan))
    throw refuse.conflict('treatment_plan_changed', 'Treatment plan has changed since it was read')
}

/** With the client among the subjects: the question to an audit log is whose data was touched. */
export const recordPlanChange = (
  tx: Tx,
  { actor, requestId }: ChangeContext,
  operation: string,
  { planId, clientId }: Pick<PlanRow, 'planId' | 'clientId'>,
): Promise<void> => recordChange(tx, { operation, actor, requestId, subjects: [planId, clientId] })

function merge(known: PlanContent, given: TreatmentPlanChange): PlanContent {
  const { content, problems } = mergePlan(known, given, newId)
  if (problems.length > 0) throw refuse.invalid(problems)
  return content
}

function requireLength(content: PlanContent, given: TreatmentPlanChange, known: PlanContent): void {
  const problem = findLengthProblem(content, given, known)
  if (problem !== null) throw refuse.invalid([problem])
}

const insertVersion = (
  tx: Tx,
  { ring }: ChangeContext,
  {
    planId,
    clientId,
    version,
    content,
  }: { planId: PlanId; clientId: ClientId; version: number; content: PlanContent },
): Promise<unknown> =>
  tx.run(
    insertPlanVersion(tx.tenant, {
      planId,
      version,
      versionId: newId(),
      sealedPlan: sealJson(ring.forClient(clientId), planPlace(planId, version), content),
    }),
  )
