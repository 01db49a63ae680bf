import { recordChange } from '../../kernel/audit/index.js'
import type { BlobStore } from '../../kernel/blobs/index.js'
import type { Database } from '../../kernel/db/database.js'
import { operator } from '../../kernel/operator.js'
import type { MasterKeys } from '../../kernel/secrets/master-keys.js'
import { readTenantKeys } from '../../kernel/secrets/tenant-keys.js'
import { listTenants } from '../backup/tenants.js'
import { updateUnopened } from './erasure.sql.js'
import { sealForOwners, Unopened } from './seal-for-owners.js'

/**
 * As the owner: of most tables the services may not change what is sealed in them. Before every backup, so that none holds of a client
 * what the client's key does not seal. What cannot be sealed is told, here and by a metric, and stops no backup.
 */
export async function sealAllForOwners({
  db,
  masterKeys,
  store,
}: {
  db: Database
  masterKeys: MasterKeys
  store: BlobStore
}): Promise<{ values: number; parts: number; unopened: Unopened }> {
  const done = { values: 0, parts: 0, unopened: new Unopened() }
  if (masterKeys.clientKeys === null) return done
  for (const tenant of await listTenants(db)) {
    const ring = await readTenantKeys(db, masterKeys, tenant)
    const { values, parts } = await sealForOwners({ db, store }, ring, done.unopened)
    if (values + parts > 0)
      await db.write(tenant, (tx) =>
        recordChange(tx, { ...operator, operation: 'key.reseal', subjects: [tenant.tenantId] }),
      )
    done.values += values
    done.parts += parts
  }
  await db.throughDoor(updateUnopened(done.unopened.count))
  return done
}
