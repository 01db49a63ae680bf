import { recordChange, sealAddress } from '../../../kernel/audit/index.js'
import type { Database } from '../../../kernel/db/database.js'
import type { WidgetSessionId } from '../../../kernel/ids.js'
import type { TenantScope } from '../../../kernel/tenant.js'
import { hashRefreshToken, readRefreshTenant } from './clinician-tokens.js'
import type { SignedInClinician } from './signed-in-clinician.js'
import type { TokenParts } from './token-parts.js'
import { endSession, selectSpentToken, type LifetimeHours } from './widget-sessions.sql.js'

/**
 * Ends the browser session of an access token or, when that has expired, of a refresh token. Logging out twice is
 * fine: the second time there is nothing left to end. Null: neither token is good.
 */
export async function logOut(
  { db, keys, widget }: Pick<TokenParts, 'db' | 'keys' | 'widget'>,
  by: { clinician: SignedInClinician | null; refreshToken: string | undefined },
  { requestId, address }: { requestId: string; address: string },
): Promise<true | null> {
  const session =
    by.clinician ??
    (by.refreshToken === undefined
      ? null
      : await findSessionOfToken(db, by.refreshToken, widget.lifetimeHours))
  if (session === null) return null
  const from = sealAddress(await keys.get(session.tenant), address)
  await db.write(session.tenant, async (tx) => {
    const [ended] = await tx.run(endSession(tx.tenant, session.widgetSessionId))
    if (ended === undefined) return
    await recordChange(tx, {
      operation: 'widget.logout',
      actor: { kind: 'clinician', id: ended.clinicianId, from },
      requestId,
      subjects: [ended.clinicianId],
    })
  })
  return true
}

async function findSessionOfToken(
  db: Database,
  token: string,
  lifetimeHours: LifetimeHours,
): Promise<{ tenant: TenantScope; widgetSessionId: WidgetSessionId } | null> {
  const tenant = readRefreshTenant(token)
  if (tenant === null) return null
  const [row] = await db.read(tenant, selectSpentToken(tenant, hashRefreshToken(token), lifetimeHours))
  return row === undefined ? null : { tenant, widgetSessionId: row.widgetSessionId }
}
