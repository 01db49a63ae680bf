import { recordChange } from '../../kernel/audit/index.js'
import type { Database, Statement } from '../../kernel/db/database.js'
import { refuse } from '../../kernel/refuse.js'
import type { TenantScope } from '../../kernel/tenant.js'
import { operator } from '../../kernel/operator.js'
import { updateEmbeddingOrigins, updateLimits, updateSuspension } from './partners.sql.js'

/** A suspended partner's key, tokens and widgets stop working; its data stays. */
export const suspendPartner = (db: Database, tenant: TenantScope): Promise<void> =>
  change(db, tenant, 'partner.suspend', updateSuspension(tenant, true))

export const resumePartner = (db: Database, tenant: TenantScope): Promise<void> =>
  change(db, tenant, 'partner.resume', updateSuspension(tenant, false))

export const setLimits = (
  db: Database,
  tenant: TenantScope,
  limits: { ratePerSecond: number | null; burst: number | null; perDay: number | null },
): Promise<void> => change(db, tenant, 'partner.setLimits', updateLimits(tenant, limits))

/** Null: any origin, which the database allows for a sandbox only. */
export const setOrigins = (db: Database, tenant: TenantScope, origins: string[] | null): Promise<void> =>
  change(db, tenant, 'partner.setOrigins', updateEmbeddingOrigins(tenant, origins))

async function change(
  db: Database,
  tenant: TenantScope,
  operation: string,
  statement: Statement,
): Promise<void> {
  await db.write(tenant, async (tx) => {
    if ((await tx.run(statement)).length === 0) throw refuse.notFound()
    await recordChange(tx, { ...operator, operation, subjects: [tenant.tenantId] })
  })
}
