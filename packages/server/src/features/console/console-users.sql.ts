import type { Statement } from '../../kernel/db/database.js'
import type { ConsoleUserId, MasterKeyId, TenantId } from '../../kernel/ids.js'
import type { TenantScope } from '../../kernel/tenant.js'
import type { ConsoleKind } from './console-realm.js'

type Part = 'users' | 'links' | 'sessions' | 'passkeys'

/** How many passkeys one user may have: their phones, keys and computers, with room to spare. */
const passkeysMax = 20

/** The table of a kind of user. There are two with the same columns: only the owner may touch the operator's. */
const table = (kind: ConsoleKind, part: Part): string =>
  `casenote.${kind === 'operator' ? 'operator' : 'console'}_${part}`

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

/** A suspended partner's people are let in as little as its key. */
const isServed = (kind: ConsoleKind): string =>
  kind === 'operator'
    ? 'true'
    : 'exists (select from casenote.tenants t where t.tenant_id = u.tenant_id and t.suspended_at is null)'

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

/** Half an hour without a call ends a session, and twelve hours in any case; one from a link has ten minutes. */
export const insertSession = (
  kind: ConsoleKind,
  tenant: TenantScope,
  session: { hash: Buffer; userId: ConsoleUserId; isEnrolment: boolean },
): Statement => ({
  text: `insert into ${table(kind, 'sessions')} (tenant_id, session_hash, user_id, is_enrolment, expires_at)
    values ($1, $2, $3, $4, now() + case when $4 then interval '10 minutes' else interval '12 hours' end)
    returning 1`,
  values: [tenant.tenantId, session.hash, session.userId, session.isEnrolment],
})

export const deleteEndedSessions = (kind: ConsoleKind, tenant: TenantScope): Statement => ({
  text: `delete from ${table(kind, 'sessions')} where tenant_id = $1 and expires_at < now()`,
  values: [tenant.tenantId],
})

export interface SessionRow {
  userId: ConsoleUserId
  name: string
  isEnrolment: boolean
  hasPassword: boolean
  hasPasskey: boolean
  pendingSalt: Buffer | null
  pendingHash: Buffer | null
  pendingTotp: Buffer | null
  /** A minute or more has passed since it was last written down that it is used. */
  isStale: boolean
  /** Whether the user showed less than five minutes ago that it is them, and nothing dangerous was done since. */
  isFresh: boolean
}

export const selectSession = (
  kind: ConsoleKind,
  tenant: TenantScope,
  hash: Buffer,
): Statement<SessionRow> => ({
  text: `select s.user_id as "userId", u.name, s.is_enrolment as "isEnrolment",
      u.password_hash is not null as "hasPassword",
      exists (select from ${table(kind, 'passkeys')} p where p.tenant_id = u.tenant_id and p.user_id = u.user_id) as "hasPasskey",
      s.pending_salt as "pendingSalt", s.pending_hash as "pendingHash", s.pending_totp as "pendingTotp",
      s.seen_at < now() - interval '1 minute' as "isStale", coalesce(s.confirmed_at > now() - interval '5 minutes', false) as "isFresh"
    from ${table(kind, 'sessions')} s
    join ${table(kind, 'users')} u on u.tenant_id = s.tenant_id and u.user_id = s.user_id
    where s.tenant_id = $1 and s.session_hash = $2 and s.expires_at > now()
      and s.seen_at > now() - interval '30 minutes' and ${isServed(kind)}`,
  values: [tenant.tenantId, hash],
})

export const touchSession = (kind: ConsoleKind, tenant: TenantScope, hash: Buffer): Statement => ({
  text: `update ${table(kind, 'sessions')} set seen_at = now() where tenant_id = $1 and session_hash = $2`,
  values: [tenant.tenantId, hash],
})

export const confirmSession = (kind: ConsoleKind, tenant: TenantScope, hash: Buffer): Statement => ({
  text: `update ${table(kind, 'sessions')} set confirmed_at = now() where tenant_id = $1 and session_hash = $2 returning 1`,
  values: [tenant.tenantId, hash],
})

/** Uses a confirmation up: of two acts at once one takes it. */
export const useConfirmation = (kind: ConsoleKind, tenant: TenantScope, hash: Buffer): Statement => ({
  text: `update ${table(kind, 'sessions')} set confirmed_at = null
    where tenant_id = $1 and session_hash = $2 and confirmed_at > now() - interval '5 minutes' returning 1`,
  values: [tenant.tenantId, hash],
})

export const deleteSession = (kind: ConsoleKind, tenant: TenantScope, hash: Buffer): Statement => ({
  text: `delete from ${table(kind, 'sessions')} where tenant_id = $1 and session_hash = $2 returning user_id as "userId"`,
  values: [tenant.tenantId, hash],
})

/** How somebody signs in has changed: whoever is signed in as them is not asked whether they did it. */
export const deleteSessionsOf = (
  kind: ConsoleKind,
  tenant: TenantScope,
  userId: ConsoleUserId,
): Statement => ({
  text: `delete from ${table(kind, 'sessions')} where tenant_id = $1 and user_id = $2`,
  values: [tenant.tenantId, userId],
})

export const deleteOtherSessionsOf = (
  kind: ConsoleKind,
  tenant: TenantScope,
  userId: ConsoleUserId,
  hash: Buffer,
): Statement => ({
  text: `delete from ${table(kind, 'sessions')} where tenant_id = $1 and user_id = $2 and session_hash <> $3`,
  values: [tenant.tenantId, userId, hash],
})

export const keepPending = (
  kind: ConsoleKind,
  tenant: TenantScope,
  hash: Buffer,
  pending: { salt: Buffer; hash: Buffer; sealedTotp: Buffer },
): Statement => ({
  text: `update ${table(kind, 'sessions')} set pending_salt = $3, pending_hash = $4, pending_totp = $5
    where tenant_id = $1 and session_hash = $2`,
  values: [tenant.tenantId, hash, pending.salt, pending.hash, pending.sealedTotp],
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

interface OperatorRefusal {
  userId: ConsoleUserId
  operation: 'console.refuse' | 'console.lock'
  requestId: string
}

/** Whoever knows a name can add to it, as fast as their address may: the newest are kept. */
const refusalsMax = 10_000

export const insertOperatorRefusal = (tenant: TenantScope, refusal: OperatorRefusal): Statement => ({
  text: `with added as (
      insert into casenote.operator_refusals (tenant_id, user_id, operation, request_id) values ($1, $2, $3, $4)
      returning refusal_id
    ) delete from casenote.operator_refusals r using added a
      where r.tenant_id = $1 and r.refusal_id <= a.refusal_id - ${refusalsMax}`,
  values: [tenant.tenantId, refusal.userId, refusal.operation, refusal.requestId],
})

export interface OperatorRefusalRow {
  at: Date
  /** Null: they were removed since. */
  name: string | null
  operation: OperatorRefusal['operation']
}

/** Who was turned away from the operator's console. Only the owner may read it. */
export const selectOperatorRefusals = (tenant: TenantScope, most: number): Statement<OperatorRefusalRow> => ({
  text: `select r.at, u.name, r.operation from casenote.operator_refusals r
    left join casenote.operator_users u on u.tenant_id = r.tenant_id and u.user_id = r.user_id
    where r.tenant_id = $1 order by r.refusal_id desc limit $2`,
  values: [tenant.tenantId, most],
})
