import type { Statement } from '../../kernel/db/database.js'
import type { ConsoleUserId } from '../../kernel/ids.js'
import type { TenantScope } from '../../kernel/tenant.js'
import type { ConsoleKind } from './console-realm.js'
import { isServed, table } from './console-tables.sql.js'

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
