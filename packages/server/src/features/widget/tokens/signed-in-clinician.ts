import { isId, type TenantId } from '../../../kernel/ids.js'
import { readClaimedTenant, readToken } from '../../../kernel/secrets/signed-tokens.js'
import type { TenantScope } from '../../../kernel/tenant.js'
import type { WidgetCaller } from '../../../http/widget-caller.js'
import type { TokenParts } from './token-parts.js'
import {
  selectOpenSessions,
  selectSignedInClinician,
  type SignedInClinicianRow,
} from './widget-sessions.sql.js'

export interface SignedInClinician extends SignedInClinicianRow, WidgetCaller {}

/**
 * Whom an access token acts for. Null: malformed, forged, a partner's, expired, or its session has ended. The session
 * is read each time, so that a logout or a revocation holds at once and on every instance (ruling 9).
 */
export async function findSignedInClinician(
  { db, keys, clock, widget }: TokenParts,
  accessToken: string,
): Promise<SignedInClinician | null> {
  const tenantId = readClaimedTenant(accessToken)
  if (tenantId === null || !isId(tenantId)) return null
  const tenant: TenantScope = { tenantId }
  const read = readToken(await keys.get(tenant), 'clinician', accessToken, clock.nowMs())
  if (read.state !== 'valid') return null
  const { sub: clinicianId, wsid: widgetSessionId, exp } = read.claims
  const [row] = await db.read(
    tenant,
    selectSignedInClinician(tenant, { clinicianId, widgetSessionId }, widget.lifetimeHours),
  )
  if (row === undefined) return null
  return { ...row, tenant, widgetSessionId, expiresAtMs: exp * 1_000, tokenKeyVersion: read.keyVersion }
}

/**
 * The same questions again, of callers who are being answered. Not whether their tokens have expired meanwhile: an upload
 * over a slow line may take longer than that.
 */
export async function mayGoOn(
  { db, keys, widget }: TokenParts,
  tenantId: TenantId,
  callers: readonly WidgetCaller[],
): Promise<boolean[]> {
  const tenant: TenantScope = { tenantId }
  const ids = [...new Set(callers.map(({ widgetSessionId }) => widgetSessionId))]
  const rows = await db.read(tenant, selectOpenSessions(tenant, ids, widget.lifetimeHours))
  const open = new Set(rows.map(({ widgetSessionId }) => widgetSessionId))
  const ring = await keys.get(tenant)
  return callers.map(
    ({ widgetSessionId, tokenKeyVersion }) =>
      open.has(widgetSessionId) &&
      ring.find('token', tokenKeyVersion) !== null &&
      !ring.isRetired('token', tokenKeyVersion),
  )
}
