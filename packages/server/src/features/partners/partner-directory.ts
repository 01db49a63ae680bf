import type { CallerTenant } from '../../http/gateway.js'
import type { Database } from '../../kernel/db/database.js'
import { DirectoryCache, type DirectoryWatch } from '../../kernel/directory-cache.js'
import type { TenantKeys } from '../../kernel/secrets/tenant-keys.js'
import { targetsOf, type TenantScope } from '../../kernel/tenant.js'
import type { Guesses } from './guesses.js'
import { digestOf, isApiKeyShaped } from './partner-credentials.js'
import { findApiKey, selectClientSecrets, selectTenant } from './partners.sql.js'

export interface PartnerDirectory {
  /** `onEnded` is told whose key it was that is good no more. Of several calls at once with one key one is told. */
  findByApiKey(
    apiKey: string,
    address: string,
    onEnded?: (tenant: TenantScope) => void,
  ): CallerTenant | null | Promise<CallerTenant | null>
  /** Nothing has been told that could change what the key stands for, the tenant's keys included. */
  isCurrent(partner: CallerTenant, apiKey: string): boolean
}

export function makePartnerDirectory(parts: {
  db: Database
  keys: TenantKeys
  watch: DirectoryWatch
  guesses: Guesses
}): PartnerDirectory {
  const cache = new DirectoryCache<CallerTenant>(parts.watch)
  return {
    findByApiKey: (apiKey, address, onEnded = () => {}) => {
      if (!isApiKeyShaped(apiKey)) return null
      const load = (): Promise<CallerTenant | null> => loadPartner(parts, apiKey, onEnded)
      return cache.get(apiKey, () => parts.guesses.guardKey(address, apiKey, load))
    },
    isCurrent: (partner, apiKey) => cache.peek(apiKey) === partner,
  }
}

async function loadPartner(
  { db, keys, watch }: { db: Database; keys: TenantKeys; watch: DirectoryWatch },
  apiKey: string,
  onEnded: (tenant: TenantScope) => void,
): Promise<CallerTenant | null> {
  const [found] = await db.throughDoor(findApiKey(digestOf(apiKey)))
  if (found === undefined) return null
  const scope: TenantScope = { tenantId: found.tenantId }
  if (found.isEnded) {
    onEnded(scope)
    return null
  }
  const [tenants, secrets] = await db.read(scope, selectTenant(scope), selectClientSecrets(scope))
  const tenant = tenants[0]
  if (tenant === undefined) return null
  const ring = await keys.get(scope)
  const { ratePerSecond, burst, perDay, environment, notReadyStatus, tokenEpoch } = tenant
  const { idempotency, uniqueExternalIds } = tenant
  const targets = targetsOf(environment, watch.isSandboxHome())
  return {
    ...scope,
    environment,
    targets,
    limits: { ratePerSecond, burst, perDay },
    notReadyStatus,
    idempotency,
    uniqueExternalIds,
    hasFaults: targets === 'sandbox' && tenant.hasFaults,
    tokenEpoch,
    ring,
    clientIdDigest: digestOf(tenant.clientId),
    secretDigests: secrets.map((row) => ({
      digest: digestOf(ring.unseal(clientSecretPlace(row.secretId), row.sealedSecret).toString()),
      expiresAtMs: row.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY,
    })),
  }
}

export const clientSecretPlace = (secretId: string) => ({
  table: 'client_secrets',
  row: secretId,
  column: 'sealed_secret',
})
