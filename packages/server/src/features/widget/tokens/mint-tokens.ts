import type { ClinicianTokens } from '@casenote/contract'
import { recordChange, type AuditEntry } from '../../../kernel/audit/index.js'
import type { Database, Tx } from '../../../kernel/db/database.js'
import { newId, type ClinicianId } from '../../../kernel/ids.js'
import { refuse } from '../../../kernel/refuse.js'
import { selectLiveTokenKey, shareTenantKeys } from '../../../kernel/secrets/tenant-keys.sql.js'
import type { TenantKeyRing } from '../../../kernel/secrets/tenant-keys.js'
import type { TenantScope } from '../../../kernel/tenant.js'
import { requireActive } from '../../clinicians/index.js'
import { composeTokens, hashRefreshToken, newRefreshToken } from './clinician-tokens.js'
import { insertRefreshToken, insertWidgetSession } from './widget-sessions.sql.js'

type Minting = Pick<AuditEntry, 'actor' | 'requestId' | 'operation'> & { nowMs: number }

/** Starts a browser session: one pair each (contract part 5, rule 6). */
export const mintTokens = (
  db: Database,
  tenant: TenantScope,
  ring: TenantKeyRing,
  clinicianId: ClinicianId,
  minting: Minting,
): Promise<ClinicianTokens> => db.write(tenant, (tx) => mintTokensWith(tx, ring, clinicianId, minting))

/** Mints tokens within a transaction, with whatever else it commits. */
export async function mintTokensWith(
  tx: Tx,
  ring: TenantKeyRing,
  clinicianId: ClinicianId,
  { nowMs, ...audit }: Minting,
): Promise<ClinicianTokens> {
  const { tenant } = tx
  const session = { clinicianId, widgetSessionId: newId() }
  const refreshToken = newRefreshToken(tenant)
  await requireActive(tx, clinicianId)
  await requireLiveKeys(tx, ring)
  await tx.run(insertWidgetSession(tenant, session))
  await tx.run(insertRefreshToken(tenant, session.widgetSessionId, hashRefreshToken(refreshToken)))
  await recordChange(tx, { ...audit, subjects: [clinicianId] })
  return composeTokens(ring, session, refreshToken, nowMs)
}

/**
 * A process that has not heard yet that all tokens were ended would begin a session behind those that were ended with them: good for
 * seven days, for whoever stole the partner's token. Asked in the order of the database.
 */
async function requireLiveKeys(tx: Tx, ring: TenantKeyRing): Promise<void> {
  await tx.run(shareTenantKeys(tx.tenant))
  const live = await tx.run(selectLiveTokenKey(tx.tenant, ring.newest('token').version))
  if (live.length === 0) throw refuse.unauthorized('token_expired', 'Access-Token has expired')
}
