import { recordChange } from '../../kernel/audit/index.js'
import type { BlobStore } from '../../kernel/blobs/index.js'
import type { Database } from '../../kernel/db/database.js'
import { operator } from '../../kernel/operator.js'
import type { MasterKeys } from '../../kernel/secrets/master-keys.js'
import { readTenantKeys } from '../../kernel/secrets/tenant-keys.js'
import { listTenants } from '../backup/tenants.js'
import { sealForOwners } from './seal-for-owners.js'

/**
 * As the owner: of most tables the services may not change what is sealed in them. Before every backup, so that none holds of a client
 * what the client's key does not seal.
 */
export async function sealAllForOwners({
  db,
  masterKeys,
  store,
}: {
  db: Database
  masterKeys: MasterKeys
  store: BlobStore
}): Promise<{ values: number; parts: number }> {
  const done = { values: 0, parts: 0 }
  if (masterKeys.clientKeys === null) return done
  for (const tenant of await listTenants(db)) {
    const { values, parts } = await sealForOwners({ db, store }, await readTenantKeys(db, masterKeys, tenant))
    if (values + parts > 0)
      await db.write(tenant, (tx) =>
        recordChange(tx, { ...operator, operation: 'key.reseal', subjects: [tenant.tenantId] }),
      )
    done.values += values
    done.parts += parts
  }
  return done
}
