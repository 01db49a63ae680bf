import type { Statement } from '../../kernel/db/database.js'
import type { ConsoleUserId } from '../../kernel/ids.js'
import type { TenantScope } from '../../kernel/tenant.js'
import type { ConsoleKind } from './console-realm.js'
import { isServed, table } from './console-tables.sql.js'

/** How many passkeys one user may have: their phones, keys and computers, with room to spare. */
const passkeysMax = 20

export const insertPasskey = (
  kind: ConsoleKind,
  tenant: TenantScope,
  key: { credentialId: Buffer; userId: ConsoleUserId; origin: string; publicKey: Buffer; signCount: number },
): Statement => ({
  text: `insert into ${table(kind, 'passkeys')} (tenant_id, credential_id, user_id, origin, public_key, sign_count)
    select $1, $2, $3, $4, $5, $6 where (select count(*) from ${table(kind, 'passkeys')}
      where tenant_id = $1 and user_id = $3) < ${passkeysMax}
    on conflict do nothing returning 1`,
  values: [tenant.tenantId, key.credentialId, key.userId, key.origin, key.publicKey, key.signCount],
})

export interface PasskeyRow {
  userId: ConsoleUserId
  name: string
  origin: string
  publicKey: Buffer
  signCount: number
}

export const selectPasskey = (
  kind: ConsoleKind,
  tenant: TenantScope,
  credentialId: Buffer,
): Statement<PasskeyRow> => ({
  text: `select p.user_id as "userId", u.name, p.origin, p.public_key as "publicKey", p.sign_count as "signCount"
    from ${table(kind, 'passkeys')} p
    join ${table(kind, 'users')} u on u.tenant_id = p.tenant_id and u.user_id = p.user_id
    where p.tenant_id = $1 and p.credential_id = $2 and ${isServed(kind)}`,
  values: [tenant.tenantId, credentialId],
})

export interface OwnPasskeyRow {
  credentialId: Buffer
  origin: string
  createdAt: Date
  usedAt: Date | null
}

export const selectPasskeysOf = (
  kind: ConsoleKind,
  tenant: TenantScope,
  userId: ConsoleUserId,
): Statement<OwnPasskeyRow> => ({
  text: `select credential_id as "credentialId", origin, created_at as "createdAt",
      nullif(challenged_at, '-infinity') as "usedAt"
    from ${table(kind, 'passkeys')} where tenant_id = $1 and user_id = $2 order by created_at limit ${passkeysMax}`,
  values: [tenant.tenantId, userId],
})

export const deletePasskey = (
  kind: ConsoleKind,
  tenant: TenantScope,
  userId: ConsoleUserId,
  credentialId: Buffer,
): Statement => ({
  text: `delete from ${table(kind, 'passkeys')} where tenant_id = $1 and user_id = $2 and credential_id = $3 returning 1`,
  values: [tenant.tenantId, userId, credentialId],
})

/** An answer to a challenge that is not newer than the last one was used before. */
export const usePasskey = (
  kind: ConsoleKind,
  tenant: TenantScope,
  credentialId: Buffer,
  use: { signCount: number; challengedAt: Date },
): Statement => ({
  text: `update ${table(kind, 'passkeys')} set sign_count = $3, challenged_at = $4
    where tenant_id = $1 and credential_id = $2 and challenged_at < $4 returning 1`,
  values: [tenant.tenantId, credentialId, use.signCount, use.challengedAt],
})
