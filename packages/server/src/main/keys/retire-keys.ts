import type { BlobStore } from '../../kernel/blobs/index.js'
import { recordChange } from '../../kernel/audit/index.js'
import type { Database } from '../../kernel/db/database.js'
import { operator } from '../../kernel/operator.js'
import { retireOlderKeys } from '../../kernel/secrets/make-tenant-keys.js'
import type { MasterKeys } from '../../kernel/secrets/master-keys.js'
import { lockTenantKeys } from '../../kernel/secrets/tenant-keys.sql.js'
import { readTenantKeys } from '../../kernel/secrets/tenant-keys.js'
import type { TenantScope } from '../../kernel/tenant.js'
import { needsOlderKey, resealTenant } from './reseal-tenant.js'
import { deleteOutlivedDataKeys, selectDataKeyAge } from './reseal.sql.js'

/** For so long a process may seal with the key that it has cached (decision 0003), and as long again. */
const settledAfterMs = 10_000

/** As long as an unfinished recording is waited for: what a browser sealed under a key of then opens until that. */
const keptForBrowsersDays = 30

export interface RetiredDataKeys {
  versions: number[]
  values: number
  parts: number
  /** Keys that were retired long ago, and are gone now. */
  deleted: number[]
}

/**
 * Seals anew what older data keys sealed, and retires them. They go on opening what a long job still seals with one that it
 * began with; another call seals that anew as well. Null: the newest is too young, somebody may still seal with an older one.
 */
export async function retireDataKeys(
  parts: { db: Database; store: BlobStore; masterKeys: MasterKeys },
  tenant: TenantScope,
): Promise<RetiredDataKeys | null> {
  const { db, masterKeys } = parts
  const [key] = await db.read(tenant, selectDataKeyAge(tenant))
  if ((key?.ageMs ?? 0) < settledAfterMs) return null
  const ring = await readTenantKeys(db, masterKeys, tenant)
  const resealed = await resealTenant(parts, ring)
  const isLeft = await needsOlderKey(db, ring)
  return db.write(tenant, async (tx) => {
    await tx.run(lockTenantKeys(tenant))
    const deleted = isLeft ? [] : await tx.run(deleteOutlivedDataKeys(tenant, keptForBrowsersDays))
    const versions = await retireOlderKeys(tx, 'data')
    // What was begun before and goes on is recorded too.
    const wentOn = resealed.values + resealed.parts + deleted.length > 0
    if (versions.length === 0 && wentOn)
      await recordChange(tx, { ...operator, operation: 'key.reseal', subjects: [tenant.tenantId] })
    return { ...resealed, versions, deleted: deleted.map(({ version }) => version) }
  })
}
