import type { Clock } from '../../kernel/clock.js'
import type { Database } from '../../kernel/db/database.js'
import { DirectoryCache, type DirectoryWatch } from '../../kernel/directory-cache.js'
import type { TenantKeys } from '../../kernel/secrets/tenant-keys.js'
import type { TenantScope } from '../../kernel/tenant.js'
import { clientSecretPlace } from './partner-directory.js'
import { selectClientSecrets } from './partners.sql.js'

interface LiveSecret {
  secret: string
  expiresAtMs: number
}

/** A partner's secrets that are good at the moment, the newest first: two during the day after a rotation. */
export function makeClientSecrets(parts: {
  db: Database
  keys: TenantKeys
  watch: DirectoryWatch
  clock: Clock
}): (tenant: TenantScope) => Promise<readonly string[]> {
  const cache = new DirectoryCache<LiveSecret[]>(parts.watch)
  return async (tenant) => {
    const known = await cache.get(tenant.tenantId, () => loadSecrets(parts, tenant))
    const nowMs = parts.clock.nowMs()
    const live = (known ?? []).filter(({ expiresAtMs }) => expiresAtMs > nowMs)
    if (live.length === 0) throw new Error('the tenant has no client secret')
    return live.map(({ secret }) => secret)
  }
}

async function loadSecrets(
  { db, keys }: { db: Database; keys: TenantKeys },
  tenant: TenantScope,
): Promise<LiveSecret[]> {
  const rows = await db.read(tenant, selectClientSecrets(tenant))
  const ring = await keys.get(tenant)
  return rows.map(({ secretId, sealedSecret, expiresAt }) => ({
    secret: ring.unseal(clientSecretPlace(secretId), sealedSecret).toString(),
    expiresAtMs: expiresAt?.getTime() ?? Number.POSITIVE_INFINITY,
  }))
}
