import { recordChange, type ChangeSource } from '../../kernel/audit/index.js'
import type { Database, Tx } from '../../kernel/db/database.js'
import { newId } from '../../kernel/ids.js'
import { refuse } from '../../kernel/refuse.js'
import { endTokens } from '../../kernel/secrets/make-tenant-keys.js'
import type { MasterKeys } from '../../kernel/secrets/master-keys.js'
import { lockTenantKeys } from '../../kernel/secrets/tenant-keys.sql.js'
import type { TenantKeyRing } from '../../kernel/secrets/tenant-keys.js'
import type { TenantScope } from '../../kernel/tenant.js'
import { operator } from '../../kernel/operator.js'
import { endEveryWidgetSession } from '../widget/index.js'
import { digestOf, newApiKey, newClientSecret } from './partner-credentials.js'
import { clientSecretPlace } from './partner-directory.js'
import {
  countRotations,
  deleteExpiredSecrets,
  deleteOutlivedApiKeys,
  endOlderSecrets,
  insertApiKey,
  insertClientSecret,
  insertRotation,
  retireClientSecrets,
  revokeApiKeys,
} from './partners.sql.js'

/** What else must hold, in the rotation's transaction and after its lock: it throws where that does not. */
export type Admit = (tx: Tx) => Promise<void>

const admitAll: Admit = async () => {}

/** More than anybody needs who looks for a fault; each is a row or two that stays for days. */
const rotationsAnHour = 20

/** Whatever kind is rotated, in a console; the command line is not bound. */
export async function boundRotations(tx: Tx): Promise<void> {
  await tx.run(lockTenantKeys(tx.tenant))
  const [made] = await tx.run(countRotations(tx.tenant))
  if (made !== undefined && made.count >= rotationsAnHour)
    throw refuse.tooMany(
      'too_many_rotations',
      `At most ${rotationsAnHour} keys are made in an hour`,
      made.waitSeconds,
    )
  await tx.run(insertRotation(tx.tenant))
}

/**
 * For 24 hours both secrets authenticate and sign (ruling 8). `atOnce`: the old one was stolen, so it ends now, and so does
 * every token that it may have got, for the partner and for clinicians.
 */
export async function rotateSecret(
  db: Database,
  ring: TenantKeyRing,
  atOnce: MasterKeys | null = null,
  by: ChangeSource = operator,
  admit: Admit = admitAll,
): Promise<string> {
  const tenant: TenantScope = { tenantId: ring.tenantId }
  const secretId = newId()
  const clientSecret = newClientSecret()
  const sealed = ring.seal(clientSecretPlace(secretId), Buffer.from(clientSecret))
  await db.write(tenant, async (tx) => {
    await tx.run(lockTenantKeys(tenant))
    await admit(tx)
    await tx.run(retireClientSecrets(tenant, atOnce !== null))
    await tx.run(deleteExpiredSecrets(tenant))
    await tx.run(insertClientSecret(tenant, secretId, sealed))
    await recordChange(tx, { ...by, operation: 'partner.rotateSecret', subjects: [tenant.tenantId] })
    if (atOnce !== null) await endAll(tx, atOnce, by)
  })
  return clientSecret
}

/** A thief may have minted pairs for clinicians, which no key signed: their sessions end, as if all had logged out. */
async function endAll(tx: Tx, masterKeys: MasterKeys, by: ChangeSource): Promise<void> {
  await endTokens(tx, masterKeys, by)
  await endEveryWidgetSession(tx)
}

/** Ends the secrets before the newest now, and not after their 24 hours: whoever had to take the new one has. Gives their ids. */
export async function retireOlderSecrets(tx: Tx, by: ChangeSource = operator): Promise<string[]> {
  const { tenant } = tx
  await tx.run(lockTenantKeys(tenant))
  const ended = await tx.run(endOlderSecrets(tenant))
  if (ended.length > 0)
    await recordChange(tx, { ...by, operation: 'partner.retireSecret', subjects: [tenant.tenantId] })
  return ended.map(({ secretId }) => secretId)
}

/** The old key ends at once: whoever has it may be why it is rotated. `atOnce`: so does every token there is. */
export async function rotateKey(
  db: Database,
  tenant: TenantScope,
  atOnce: MasterKeys | null = null,
  by: ChangeSource = operator,
  admit: Admit = admitAll,
): Promise<string> {
  const apiKey = newApiKey()
  await db.write(tenant, async (tx) => {
    await tx.run(lockTenantKeys(tenant))
    await admit(tx)
    await tx.run(revokeApiKeys(tenant))
    await tx.run(deleteOutlivedApiKeys(tenant))
    await tx.run(insertApiKey(tenant, digestOf(apiKey)))
    await recordChange(tx, { ...by, operation: 'partner.rotateKey', subjects: [tenant.tenantId] })
    if (atOnce !== null) await endAll(tx, atOnce, by)
  })
  return apiKey
}
