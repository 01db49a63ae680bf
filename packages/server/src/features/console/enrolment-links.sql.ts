import type { Statement } from '../../kernel/db/database.js'
import type { ConsoleUserId } from '../../kernel/ids.js'
import type { TenantScope } from '../../kernel/tenant.js'
import type { ConsoleKind } from './console-realm.js'
import { isServed, table } from './console-tables.sql.js'

/** A new one ends those before it. */
export const deleteLinksOf = (kind: ConsoleKind, tenant: TenantScope, userId: ConsoleUserId): Statement => ({
  text: `delete from ${table(kind, 'links')} where tenant_id = $1 and user_id = $2`,
  values: [tenant.tenantId, userId],
})

export const insertLink = (
  kind: ConsoleKind,
  tenant: TenantScope,
  link: { hash: Buffer; userId: ConsoleUserId },
): Statement => ({
  text: `insert into ${table(kind, 'links')} (tenant_id, link_hash, user_id, expires_at)
    values ($1, $2, $3, now() + interval '24 hours') returning 1`,
  values: [tenant.tenantId, link.hash, link.userId],
})

export const redeemLink = (
  kind: ConsoleKind,
  tenant: TenantScope,
  hash: Buffer,
): Statement<{ userId: ConsoleUserId; name: string }> => ({
  text: `update ${table(kind, 'links')} l set used_at = now() from ${table(kind, 'users')} u
    where l.tenant_id = $1 and l.link_hash = $2 and l.used_at is null and l.expires_at > now()
      and u.tenant_id = l.tenant_id and u.user_id = l.user_id and ${isServed(kind)}
    returning l.user_id as "userId", u.name`,
  values: [tenant.tenantId, hash],
})
