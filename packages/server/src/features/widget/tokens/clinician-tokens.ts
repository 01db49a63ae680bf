import { createHash, createHmac } from 'node:crypto'
import { clinicianTokenSeconds, type ClinicianTokens } from '@casenote/contract'
import { isId, newSecretText, type ClinicianId, type WidgetSessionId } from '../../../kernel/ids.js'
import { signToken } from '../../../kernel/secrets/signed-tokens.js'
import { deriveKey, type TenantKeyRing } from '../../../kernel/secrets/tenant-keys.js'
import type { TenantScope } from '../../../kernel/tenant.js'

/** Tenant and 256 random bits: the tenant is read from the token, so no look-up has to cross tenants. */
export const newRefreshToken = (tenant: TenantScope): string => joinRefreshToken(tenant, newSecretText())

const joinRefreshToken = (tenant: TenantScope, secret: string): string =>
  `${tenant.tenantId.replaceAll('-', '')}.${secret}`

const refreshTokenPattern =
  /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})\.[A-Za-z0-9_-]{43}$/

export function readRefreshTenant(token: string): TenantScope | null {
  const parts = refreshTokenPattern.exec(token)
  const tenantId = parts?.slice(1).join('-')
  return tenantId !== undefined && isId(tenantId) ? { tenantId } : null
}

export const hashRefreshToken = (token: string): Buffer => createHash('sha256').update(token).digest()

/**
 * The successor follows from the token, the renewal's id and a key outside the database: a renewal whose answer was
 * lost can be answered again without any token being stored. Null: the key is gone or retired.
 */
export function deriveSuccessor(
  ring: TenantKeyRing,
  keyVersion: number,
  consumed: { token: string; renewalId: string },
): string | null {
  const key = ring.find('token', keyVersion)
  if (key === null || ring.isRetired('token', keyVersion)) return null
  const secret = createHmac('sha256', deriveKey(key, 'refresh successor'))
    .update(JSON.stringify([consumed.token, consumed.renewalId]))
    .digest('base64url')
  return joinRefreshToken({ tenantId: ring.tenantId }, secret)
}

export function composeTokens(
  ring: TenantKeyRing,
  session: { clinicianId: ClinicianId; widgetSessionId: WidgetSessionId },
  refreshToken: string,
  nowMs: number,
): ClinicianTokens {
  const claims = { sub: session.clinicianId, wsid: session.widgetSessionId }
  const accessToken = signToken(ring, 'clinician', claims, { nowMs, seconds: clinicianTokenSeconds })
  return {
    AccessToken: accessToken,
    IdToken: accessToken,
    RefreshToken: refreshToken,
    ExpiresIn: clinicianTokenSeconds,
  }
}
