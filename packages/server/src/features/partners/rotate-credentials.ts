import { recordChange } from '../../kernel/audit/index.js'
import type { Database } from '../../kernel/db/database.js'
import { newId } from '../../kernel/ids.js'
import type { TenantKeyRing } from '../../kernel/secrets/tenant-keys.js'
import type { TenantScope } from '../../kernel/tenant.js'
import { operator } from '../../kernel/operator.js'
import { digestOf, newApiKey, newClientSecret } from './partner-credentials.js'
import { clientSecretPlace } from './partner-directory.js'
import {
  deleteExpiredSecrets,
  insertApiKey,
  insertClientSecret,
  retireClientSecrets,
  revokeApiKeys,
} from './partners.sql.js'

/** For 24 hours both secrets authenticate and sign (decisions 8). */
export async function rotateSecret(db: Database, ring: TenantKeyRing): Promise<string> {
  const tenant: TenantScope = { tenantId: ring.tenantId }
  const secretId = newId()
  const clientSecret = newClientSecret()
  const sealed = ring.seal(clientSecretPlace(secretId), Buffer.from(clientSecret))
  await db.write(tenant, async (tx) => {
    await tx.run(retireClientSecrets(tenant))
    await tx.run(deleteExpiredSecrets(tenant))
    await tx.run(insertClientSecret(tenant, secretId, sealed))
    await recordChange(tx, { ...operator, operation: 'partner.rotateSecret', subjects: [tenant.tenantId] })
  })
  return clientSecret
}

/** The old key ends at once: whoever has it may be why it is rotated. */
export async function rotateKey(db: Database, tenant: TenantScope): Promise<string> {
  const apiKey = newApiKey()
  await db.write(tenant, async (tx) => {
    await tx.run(revokeApiKeys(tenant))
    await tx.run(insertApiKey(tenant, digestOf(apiKey)))
    await recordChange(tx, { ...operator, operation: 'partner.rotateKey', subjects: [tenant.tenantId] })
  })
  return apiKey
}
