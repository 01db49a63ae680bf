import type { Statement } from '../../kernel/db/database.js'
import type { ConsoleUserId, MasterKeyId, TenantId } from '../../kernel/ids.js'
import type { TenantScope } from '../../kernel/tenant.js'
import type { ConsoleKind } from './console-realm.js'
import { isServed, table } from './console-tables.sql.js'

/** A door: whose user that is. */
export const findConsoleTenant = (name: string): Statement<{ tenantId: TenantId | null }> => ({
  name: 'find_console_tenant',
  text: 'select casenote.find_console_tenant($1) as "tenantId"',
  values: [name],
})

/** Whether anybody may use that console. The partners' is asked through a door. */
export const selectIsOpen = (kind: ConsoleKind): Statement<{ isOpen: boolean }> => ({
  text:
    kind === 'partner'
      ? 'select casenote.has_console_users() as "isOpen"'
      : `select exists (select from ${table(kind, 'users')}) as "isOpen"`,
  values: [],
})

export interface UserRow {
  userId: ConsoleUserId
  name: string
  passwordSalt: Buffer | null
  passwordHash: Buffer | null
  sealedTotp: Buffer | null
  masterKeyId: MasterKeyId | null
  isLocked: boolean
}

const userColumns = `u.user_id as "userId", u.name, u.password_salt as "passwordSalt", u.password_hash as "passwordHash",
  u.wrapped_totp as "sealedTotp", u.master_key_id as "masterKeyId", coalesce(u.locked_until > now(), false) as "isLocked"`

export const selectUserByName = (
  kind: ConsoleKind,
  tenant: TenantScope,
  name: string,
  { evenSuspended = false }: { evenSuspended?: boolean } = {},
): Statement<UserRow> => ({
  text: `select ${userColumns} from ${table(kind, 'users')} u
    where u.tenant_id = $1 and u.name = $2 and ${evenSuspended ? 'true' : isServed(kind)}`,
  values: [tenant.tenantId, name],
})

export interface ListedUser {
  tenantId: TenantId
  userId: ConsoleUserId
  name: string
  createdAt: Date
  hasPassword: boolean
  passkeys: number
  seenAt: Date | null
}

/** For the operator alone: as the owner, of all tenants. */
export const selectAllUsers = (kind: ConsoleKind): Statement<ListedUser> => ({
  text: `select u.tenant_id as "tenantId", u.user_id as "userId", u.name, u.created_at as "createdAt",
      u.password_hash is not null as "hasPassword",
      (select count(*) from ${table(kind, 'passkeys')} p
        where p.tenant_id = u.tenant_id and p.user_id = u.user_id)::int as passkeys,
      (select max(s.seen_at) from ${table(kind, 'sessions')} s
        where s.tenant_id = u.tenant_id and s.user_id = u.user_id and not s.is_enrolment) as "seenAt"
    from ${table(kind, 'users')} u order by u.name limit 10000`,
  values: [],
})

export const insertUser = (
  kind: ConsoleKind,
  tenant: TenantScope,
  user: { userId: ConsoleUserId; name: string },
): Statement => ({
  text: `insert into ${table(kind, 'users')} (tenant_id, user_id, name) values ($1, $2, $3)
    returning user_id as "userId"`,
  values: [tenant.tenantId, user.userId, user.name],
})

/** Links, sessions and passkeys go with them. */
export const deleteUser = (kind: ConsoleKind, tenant: TenantScope, userId: ConsoleUserId): Statement => ({
  text: `delete from ${table(kind, 'users')} where tenant_id = $1 and user_id = $2 returning 1`,
  values: [tenant.tenantId, userId],
})

export const setPassword = (
  kind: ConsoleKind,
  tenant: TenantScope,
  userId: ConsoleUserId,
  password: { salt: Buffer; hash: Buffer; sealedTotp: Buffer; masterKeyId: MasterKeyId; step: number },
): Statement => ({
  text: `update ${table(kind, 'users')} set password_salt = $3, password_hash = $4, wrapped_totp = $5,
      master_key_id = $6, totp_step = $7, failures = 0, locks = 0, locked_until = null
    where tenant_id = $1 and user_id = $2 returning 1`,
  values: [
    tenant.tenantId,
    userId,
    password.salt,
    password.hash,
    password.sealedTotp,
    password.masterKeyId,
    password.step,
  ],
})

/** Uses a code of a phone up: of two uses one wins. */
export const takeTotpStep = (
  kind: ConsoleKind,
  tenant: TenantScope,
  userId: ConsoleUserId,
  step: number,
): Statement => ({
  text: `update ${table(kind, 'users')} set totp_step = $3, failures = 0, locks = 0, locked_until = null
    where tenant_id = $1 and user_id = $2 and coalesce(totp_step, -1) < $3
      and coalesce(locked_until <= now(), true) returning 1`,
  values: [tenant.tenantId, userId, step],
})

/**
 * For whoever has the password: the tenth wrong code in a row closes its way for five minutes, the tenth after that for ten, and so on
 * up to a day. Wrong passwords lock nobody out, for anybody can type them; they cost their address.
 */
export const countFailure = (
  kind: ConsoleKind,
  tenant: TenantScope,
  userId: ConsoleUserId,
): Statement<{ isLocked: boolean }> => ({
  text: `update ${table(kind, 'users')} set
      failures = case when failures >= 9 then 0 else failures + 1 end,
      locks = case when failures >= 9 then locks + 1 else locks end,
      locked_until = case when failures >= 9
        then now() + least(interval '5 minutes' * power(2, least(locks, 9)), interval '1 day') else locked_until end
    where tenant_id = $1 and user_id = $2 and coalesce(locked_until <= now(), true)
    returning failures = 0 as "isLocked"`,
  values: [tenant.tenantId, userId],
})

/** Locks a user: of two who add or take away a way in, the second sees what the first left. */
export const lockUser = (
  kind: ConsoleKind,
  tenant: TenantScope,
  userId: ConsoleUserId,
): Statement<{ hasPassword: boolean }> => ({
  text: `select password_hash is not null as "hasPassword" from ${table(kind, 'users')}
    where tenant_id = $1 and user_id = $2 for update`,
  values: [tenant.tenantId, userId],
})

export interface SealedTotpRow {
  tenantId: TenantId
  userId: ConsoleUserId
  sealedTotp: Buffer
  masterKeyId: MasterKeyId
}

/** For the owner: what another master key wraps. */
export const selectSealedTotps = (kind: ConsoleKind, exceptKeyId: string): Statement<SealedTotpRow> => ({
  text: `select tenant_id as "tenantId", user_id as "userId", wrapped_totp as "sealedTotp", master_key_id as "masterKeyId"
    from ${table(kind, 'users')} where master_key_id <> $1 limit 10000`,
  values: [exceptKeyId],
})

export const updateSealedTotp = (
  kind: ConsoleKind,
  tenant: TenantScope,
  { userId, sealedTotp, masterKeyId }: Omit<SealedTotpRow, 'tenantId'>,
  before: string,
): Statement => ({
  text: `update ${table(kind, 'users')} set wrapped_totp = $3, master_key_id = $4
    where tenant_id = $1 and user_id = $2 and master_key_id = $5`,
  values: [tenant.tenantId, userId, sealedTotp, masterKeyId, before],
})
