import { recordChange, recordedInEveryLog, type Actor, type AuditEntry } from '../../kernel/audit/index.js'
import type { Statement, Tx } from '../../kernel/db/database.js'
import { hashLinkToken, newLinkToken, readLinkTenant } from '../../kernel/link-tokens.js'
import { refuse } from '../../kernel/refuse.js'
import type { TenantScope } from '../../kernel/tenant.js'
import { operatorScope, type ConsoleRealm, type ConsoleUser } from './console-realm.js'
import {
  deleteEndedSessions,
  deleteSession,
  insertSession,
  selectSession,
  touchSession,
  useConfirmation,
  type SessionRow,
} from './console-sessions.sql.js'
import { selectIsOpen } from './console-users.sql.js'

/** Who asks, where from: for the audit log. */
export interface ConsoleSource {
  requestId: string
  /** Sealed, where there is a tenant whose key seals it. */
  from?: string
}

/** A person of the console, in the audit log: by name, as an operator of the command line is. */
export const actorOf = ({ kind, scope, userName }: ConsoleUser, from?: string): Actor => ({
  kind,
  id: kind === 'operator' ? userName : scope.tenantId,
  as: kind === 'operator' ? 'console' : userName,
  ...(from === undefined ? {} : { from }),
})

export interface OpenSession
  extends ConsoleUser, Pick<SessionRow, 'isEnrolment' | 'hasPassword' | 'hasPasskey' | 'isFresh'> {
  hash: Buffer
  row: SessionRow
}

/** Null: nobody is signed in with that. One of the other console is none here. What a page asks by itself keeps no session open. */
export async function findConsoleSession(
  { kind, db }: ConsoleRealm,
  token: string,
  { isByItself }: { isByItself: boolean },
): Promise<OpenSession | null> {
  const scope = readConsoleScope(kind, token)
  if (scope === null) return null
  const hash = hashLinkToken(token)
  const [row] = await db.read(scope, selectSession(kind, scope, hash))
  if (row === undefined) return null
  if (row.isStale && !isByItself) await db.writeAtOnce(scope, touchSession(kind, scope, hash))
  const { userId, name, isEnrolment, hasPassword, hasPasskey, isFresh } = row
  return { kind, scope, userId, userName: name, isEnrolment, hasPassword, hasPasskey, isFresh, hash, row }
}

/** Links and sessions name their tenant; an operator's name none. */
export function readConsoleScope(kind: ConsoleRealm['kind'], token: string): TenantScope | null {
  const scope = readLinkTenant(token)
  if (scope === null) return null
  return (scope.tenantId === operatorScope.tenantId) === (kind === 'operator') ? scope : null
}

/** The token is told once; its hash is kept. */
export async function startSession(
  { kind, db }: ConsoleRealm,
  user: Omit<ConsoleUser, 'kind'>,
  {
    operation,
    source,
    isEnrolment = false,
  }: { operation: string; source: ConsoleSource; isEnrolment?: boolean },
): Promise<string> {
  const { scope, userId } = user
  const token = newLinkToken(scope)
  const entry = {
    operation,
    actor: actorOf({ ...user, kind }, source.from),
    requestId: source.requestId,
    subjects: [userId],
  }
  await db.write(scope, async (tx) => {
    await tx.run(deleteEndedSessions(kind, scope))
    const session = { hash: hashLinkToken(token), userId, isEnrolment }
    await runRecorded(tx, kind, insertSession(kind, scope, session), entry)
  })
  return token
}

export async function endSession(
  { kind, db }: ConsoleRealm,
  session: OpenSession,
  source: ConsoleSource,
): Promise<void> {
  const { scope, hash, userId } = session
  const actor = actorOf(session, source.from)
  const entry = { operation: 'console.signOut', actor, requestId: source.requestId, subjects: [userId] }
  await db.write(scope, (tx) => runRecorded(tx, kind, deleteSession(kind, scope, hash), entry))
}

/**
 * A confirmation, or the sign-in, is good for one dangerous act: a stolen cookie does not get a second one out of it. In the act's
 * transaction, so that one that fails leaves it.
 */
export async function takeConfirmation(tx: Tx, { kind, scope, hash }: OpenSession): Promise<void> {
  const taken = await tx.run(useConfirmation(kind, scope, hash))
  if (taken.length === 0) throw refuse.conflict('console_confirm_first', 'Show once more that it is you')
}

/**
 * With its entry in the partner's log; what an operator does to nobody's in particular stands in every log, for it concerns
 * all. False: nothing was changed, and nothing is recorded.
 */
export async function runRecorded(
  tx: Tx,
  kind: ConsoleRealm['kind'],
  change: Statement,
  entry: AuditEntry,
): Promise<boolean> {
  const rows = await tx.run(kind === 'operator' ? recordedInEveryLog(change, entry) : change)
  if (rows.length > 0 && kind === 'partner') await recordChange(tx, entry)
  return rows.length > 0
}

/** How long what was found is good: a first user is let in that much later. */
const openKnownMs = 2_000

/** Whether anybody may use it: until then the console is an unknown route. */
export function makeIsOpen({ kind, db }: Pick<ConsoleRealm, 'kind' | 'db'>): () => Promise<boolean> {
  let isOpen = false
  let askedAtMs = Number.NEGATIVE_INFINITY
  return async () => {
    if (performance.now() - askedAtMs < openKnownMs) return isOpen
    const [row] = await db.throughDoor(selectIsOpen(kind))
    isOpen = row?.isOpen === true
    askedAtMs = performance.now()
    return isOpen
  }
}
