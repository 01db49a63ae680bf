import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  pageOf,
  type AskedPage,
  type Page,
  type PlanContent,
  type TreatmentPlan,
  type TreatmentPlanVersion,
  type WidgetPlans,
} from '@casenote/contract'
import type { Database, Tx } from '../../kernel/db/database.js'
import { isId, type ClientId, type PlanId } from '../../kernel/ids.js'
import { refuse } from '../../kernel/refuse.js'
import type { TenantKeyRing } from '../../kernel/secrets/tenant-keys.js'
import type { TenantScope } from '../../kernel/tenant.js'
import { describePlan, describeVersion, readContent, tagOfPlan } from './describe-plan.js'
import { requireNotEnded } from './plan-lifecycle.js'
import {
  countPlans,
  lockPlan,
  selectActivePlan,
  selectNewestPlans,
  selectPlan,
  selectPlans,
  selectPlanVersions,
  type PlanRow,
} from './treatment-plans.sql.js'

export async function findPlan(db: Database, tenant: TenantScope, planId: PlanId): Promise<PlanRow | null> {
  if (!isId(planId)) return null
  const [row] = await db.read(tenant, selectPlan(tenant, planId))
  return row ?? null
}

export async function getPlan(tx: Tx, planId: PlanId): Promise<PlanRow> {
  const [row] = await tx.run(selectPlan(tx.tenant, planId))
  if (row === undefined) throw refuse.notFound()
  return row
}

/** Locked for a change, and not ended. */
export async function getLockedPlan(tx: Tx, planId: PlanId): Promise<PlanRow> {
  await tx.run(lockPlan(tx.tenant, planId))
  const row = await getPlan(tx, planId)
  requireNotEnded(row)
  return row
}

/** What the client is treated by; null: nothing that was signed. */
export async function findActivePlan(
  db: Database,
  ring: TenantKeyRing,
  clientId: ClientId,
): Promise<({ treatmentPlanId: PlanId } & PlanContent) | null> {
  const tenant = { tenantId: ring.tenantId }
  const [row] = await db.read(tenant, selectActivePlan(tenant, clientId))
  return row === undefined ? null : { treatmentPlanId: row.planId, ...readContent(ring, row.planId, row) }
}

export async function listPlans(
  db: Database,
  ring: TenantKeyRing,
  { clientId, page }: { clientId: ClientId; page: AskedPage },
): Promise<Page<TreatmentPlan>> {
  const tenant = { tenantId: ring.tenantId }
  const [rows, [count]] = await db.read(
    tenant,
    selectPlans(tenant, clientId, page),
    countPlans(tenant, clientId),
  )
  const plans = await inTurns(rows, (row) => describePlan(ring, row))
  return pageOf(plans, count?.total ?? 0, page)
}

/** As many as a clinician looks through; a partner pages through all. */
const newestMax = 10

export async function listNewestPlans(
  db: Database,
  ring: TenantKeyRing,
  clientId: ClientId,
): Promise<WidgetPlans['plans']> {
  const tenant = { tenantId: ring.tenantId }
  const rows = await db.read(tenant, selectNewestPlans(tenant, clientId, newestMax))
  return inTurns(rows, (row) => ({ ...describePlan(ring, row), etag: tagOfPlan(row) }))
}

export async function listPlanVersions(
  db: Database,
  ring: TenantKeyRing,
  { plan, page }: { plan: PlanRow; page: AskedPage },
): Promise<Page<TreatmentPlanVersion>> {
  const tenant = { tenantId: ring.tenantId }
  const rows = await db.read(tenant, selectPlanVersions(tenant, plan.planId, page))
  const versions = await inTurns(rows, (row) => describeVersion(ring, plan.planId, row))
  return pageOf(versions, plan.version, page)
}

/** A page of the longest plans has a megabyte: other requests come in between. */
async function inTurns<Row, Described>(
  rows: readonly Row[],
  describe: (row: Row) => Described,
): Promise<Described[]> {
  const described: Described[] = []
  for (const row of rows) {
    described.push(describe(row))
    await nextTurn()
  }
  return described
}
