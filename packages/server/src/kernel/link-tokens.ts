import { createHash } from 'node:crypto'
import { isId, newSecretText } from './ids.js'
import type { TenantScope } from './tenant.js'

/** Tenant and 256 random bits: whoever is given one back finds its tenant without looking across them. */
export const newLinkToken = (tenant: TenantScope): string =>
  `${tenant.tenantId.replaceAll('-', '')}.${newSecretText()}`

const linkTokenPattern =
  /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})\.[A-Za-z0-9_-]{43}$/

/** Null: it is none of ours. */
export function readLinkTenant(token: string): TenantScope | null {
  const tenantId = linkTokenPattern.exec(token)?.slice(1).join('-')
  return tenantId !== undefined && isId(tenantId) ? { tenantId } : null
}

/** What is kept of it. */
export const hashLinkToken = (token: string): Buffer => createHash('sha256').update(token).digest()
