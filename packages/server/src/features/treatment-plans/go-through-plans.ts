import { planVersionsMax, type TreatmentPlan, type TreatmentPlanVersion } from '@casenote/contract'
import type { Database } from '../../kernel/db/database.js'
import type { ClientId, PlanId } from '../../kernel/ids.js'
import type { TenantKeyRing } from '../../kernel/secrets/tenant-keys.js'
import { describePlan, describeVersion } from './describe-plan.js'
import {
  selectPlanHistory,
  selectPlans,
  selectPlanVersions,
  type PlanHistoryRow,
  type PlanRow,
} from './treatment-plans.sql.js'

/** The longest have a megabyte together, which is opened before the next page is asked for. */
const pageSize = 10

/** Every plan of a client as its newest version says, with how its state changed, oldest first. */
export async function* goThroughPlans(
  db: Database,
  ring: TenantKeyRing,
  clientId: ClientId,
): AsyncGenerator<TreatmentPlan & { history: PlanHistoryRow[] }> {
  const tenant = { tenantId: ring.tenantId }
  for await (const row of goThroughRows(db, ring, clientId)) {
    const history = await db.read(tenant, selectPlanHistory(tenant, row.planId))
    yield { ...describePlan(ring, row), history }
  }
}

/** Every version of every plan of a client, each with who signed it. */
export async function* goThroughPlanVersions(
  db: Database,
  ring: TenantKeyRing,
  clientId: ClientId,
): AsyncGenerator<TreatmentPlanVersion & { treatmentPlanId: PlanId }> {
  const tenant = { tenantId: ring.tenantId }
  for await (const { planId } of goThroughRows(db, ring, clientId)) {
    for (let number = 1; number <= planVersionsMax / pageSize; number += 1) {
      const page = { number, size: pageSize }
      const rows = await db.read(tenant, selectPlanVersions(tenant, planId, page))
      for (const row of rows) yield { treatmentPlanId: planId, ...describeVersion(ring, planId, row) }
      if (rows.length < pageSize) break
    }
  }
}

async function* goThroughRows(
  db: Database,
  ring: TenantKeyRing,
  clientId: ClientId,
): AsyncGenerator<PlanRow> {
  const tenant = { tenantId: ring.tenantId }
  let rows: PlanRow[]
  let number = 1
  do {
    const page = { number, size: pageSize }
    rows = await db.read(tenant, selectPlans(tenant, clientId, page))
    yield* rows
    number += 1
  } while (rows.length === pageSize)
}
