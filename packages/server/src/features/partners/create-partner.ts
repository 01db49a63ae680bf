import { recordChange } from '../../kernel/audit/index.js'
import type { Database, Tx } from '../../kernel/db/database.js'
import { newId, type TenantId } from '../../kernel/ids.js'
import type { MasterKeys } from '../../kernel/secrets/master-keys.js'
import { makeTenantKeyRing } from '../../kernel/secrets/make-tenant-keys.js'
import { insertTenantKey } from '../../kernel/secrets/tenant-keys.sql.js'
import type { Environment } from '../../kernel/tenant.js'
import { operator } from '../../kernel/operator.js'
import {
  digestOf,
  newApiKey,
  newClientId,
  newClientSecret,
  type PartnerSecrets,
} from './partner-credentials.js'
import { clientSecretPlace } from './partner-directory.js'
import { insertApiKey, insertClientSecret, insertTenant } from './partners.sql.js'

export interface NewPartner extends PartnerSecrets {
  partnerId: TenantId
}

export const newPartnerSecrets = (): NewPartner => ({
  partnerId: newId(),
  clientId: newClientId(),
  clientSecret: newClientSecret(),
  apiKey: newApiKey(),
})

/**
 * Takes the secrets instead of making them: the sandbox writes them to its file first, so that a kill between the
 * two loses no credential. `alsoInside` provisions more in the same transaction.
 */
export async function createPartner(
  db: Database,
  masterKeys: MasterKeys,
  partner: NewPartner & { name: string; environment: Environment; homeOnly?: boolean },
  alsoInside: (tx: Tx) => Promise<void> = async () => {},
): Promise<void> {
  const tenant = { tenantId: partner.partnerId }
  const { ring, wrapped } = makeTenantKeyRing(masterKeys, tenant)
  const secretId = newId()
  const sealed = ring.seal(clientSecretPlace(secretId), Buffer.from(partner.clientSecret))
  await db.write(tenant, async (tx) => {
    await tx.run(insertTenant(tenant, partner))
    for (const key of wrapped) await tx.run(insertTenantKey(tenant, key))
    await tx.run(insertClientSecret(tenant, secretId, sealed))
    await tx.run(insertApiKey(tenant, digestOf(partner.apiKey)))
    await recordChange(tx, { ...operator, operation: 'partner.create', subjects: [tenant.tenantId] })
    await alsoInside(tx)
  })
}
