import type { AskedHost } from '../../http/console-api.js'
import { recordChange } from '../../kernel/audit/index.js'
import { isId, type ConsoleUserId } from '../../kernel/ids.js'
import type { TenantScope } from '../../kernel/tenant.js'
import { operatorScope, type ConsoleRealm, type ConsoleUser } from './console-realm.js'
import {
  actorOf,
  runRecorded,
  startSession,
  type ConsoleSource,
  type OpenSession,
} from './console-sessions.js'
import { confirmSession } from './console-sessions.sql.js'
import {
  findConsoleTenant,
  countFailure,
  selectUserByName,
  takeTotpStep,
  type UserRow,
} from './console-users.sql.js'
import { insertOperatorRefusal } from './operator-refusals.sql.js'
import { selectPasskey, usePasskey } from './passkeys.sql.js'
import { totpPlace } from './enrol.js'
import { makeRequestOptions, readHandleTenant, verifyUsed } from './passkeys.js'
import { isPassword } from './passwords.js'
import { findTotpStep } from './totp.js'

/** Tells of whom a session is, for the source's address: sealed by the tenant's key, which is known only then. */
export type SourceOf = (scope: TenantScope) => Promise<ConsoleSource>

interface GivenPassword {
  password: string
  code: string
  network: string
}

/** Null: name, password or code is wrong, or was tried too often; never which. */
export async function signInByPassword(
  realm: ConsoleRealm,
  given: GivenPassword & { userName: string },
  sourceOf: SourceOf,
): Promise<string | null> {
  const name = given.userName.trim().toLowerCase()
  const scope = await findScope(realm, name)
  const user = scope === null ? null : await findUser(realm, scope, name)
  const found = scope === null || user === null ? null : { scope, user }
  if (!(await isTheirs(realm, found, given, sourceOf)) || found === null) return null
  const signedIn = { scope: found.scope, userId: found.user.userId, userName: found.user.name }
  const source = await sourceOf(found.scope)
  return startSession(realm, signedIn, { operation: 'console.signIn', source })
}

/** Whether a password is theirs; for a user that is not there it takes the same time, and never is. */
async function isTheirs(
  realm: ConsoleRealm,
  found: { scope: TenantScope; user: UserRow } | null,
  given: GivenPassword,
  sourceOf: SourceOf,
): Promise<boolean> {
  const { kind, db } = realm
  const isRight = await isPassword(
    given.password,
    found === null ? null : hashedOf(found.user),
    given.network,
  )
  if (found === null) return false
  const { scope, user } = found
  const step = isRight && !user.isLocked ? await findStep(realm, scope, user, given.code) : null
  const isTaken =
    step !== null && (await db.writeAtOnce(scope, takeTotpStep(kind, scope, user.userId, step))).length === 1
  if (!isTaken)
    await recordRefusal(realm, { scope, userId: user.userId }, await sourceOf(scope), { isCounted: isRight })
  return isTaken
}

/** Has whoever is signed in show the password once more. Null: refused, as for a sign-in. */
export async function confirmByPassword(
  realm: ConsoleRealm,
  session: OpenSession,
  given: GivenPassword,
  sourceOf: SourceOf,
): Promise<true | null> {
  const { scope, userName } = session
  const user = await findUser(realm, scope, userName)
  const found = user === null ? null : { scope, user }
  if (!(await isTheirs(realm, found, given, sourceOf))) return null
  return confirm(realm, session, await sourceOf(scope))
}

export async function confirmByPasskey(
  realm: ConsoleRealm,
  session: OpenSession,
  used: UsedPasskey,
  sourceOf: SourceOf,
): Promise<true | null> {
  const user = await takePasskey(realm, used, sourceOf)
  const isSame = user?.userId === session.userId && user.scope.tenantId === session.scope.tenantId
  return isSame ? confirm(realm, session, await sourceOf(session.scope)) : null
}

async function confirm(
  { kind, db }: ConsoleRealm,
  session: OpenSession,
  { from, requestId }: ConsoleSource,
): Promise<true | null> {
  const { scope, hash, userId } = session
  const entry = { operation: 'console.confirm', actor: actorOf(session, from), requestId, subjects: [userId] }
  const isKept = await db.write(scope, (tx) =>
    runRecorded(tx, kind, confirmSession(kind, scope, hash), entry),
  )
  return isKept ? true : null
}

/**
 * In the log as somebody's: whether it was the user is just what is not known. An operator's concerns no partner, and stands in a
 * list of the operator's own.
 */
async function recordRefusal(
  { kind, db }: ConsoleRealm,
  { scope, userId }: { scope: TenantScope; userId: ConsoleUserId },
  { from, requestId }: ConsoleSource,
  { isCounted }: { isCounted: boolean },
): Promise<void> {
  const actor = { kind, id: null, ...(from === undefined ? {} : { from }) }
  await db.write(scope, async (tx) => {
    const [counted] = isCounted ? await tx.run(countFailure(kind, scope, userId)) : []
    const operation = counted?.isLocked === true ? 'console.lock' : 'console.refuse'
    if (kind === 'operator') await tx.run(insertOperatorRefusal(scope, { userId, operation, requestId }))
    else await recordChange(tx, { operation, actor, requestId, subjects: [userId] })
  })
}

async function findScope({ kind, db }: ConsoleRealm, name: string): Promise<TenantScope | null> {
  if (kind === 'operator') return operatorScope
  const [row] = await db.throughDoor(findConsoleTenant(name))
  return row?.tenantId == null ? null : { tenantId: row.tenantId }
}

async function findUser(
  { kind, db }: ConsoleRealm,
  scope: TenantScope,
  name: string,
): Promise<UserRow | null> {
  const [row] = await db.read(scope, selectUserByName(kind, scope, name))
  return row ?? null
}

const hashedOf = ({ passwordSalt, passwordHash }: UserRow) =>
  passwordSalt === null || passwordHash === null ? null : { salt: passwordSalt, hash: passwordHash }

async function findStep(
  { masterKeys, clock }: ConsoleRealm,
  scope: TenantScope,
  { userId, sealedTotp, masterKeyId }: UserRow,
  code: string,
): Promise<number | null> {
  if (sealedTotp === null || masterKeyId === null) return null
  await masterKeys.know(masterKeyId)
  const secret = masterKeys.unwrap(masterKeyId, totpPlace(scope.tenantId, userId), sealedTotp)
  return findTotpStep(secret, code, clock.nowMs())
}

export const askForPasskey = ({ masterKeys, clock }: ConsoleRealm, host: AskedHost) =>
  makeRequestOptions(masterKeys, host, clock.nowMs())

interface UsedPasskey {
  credential: unknown
  host: AskedHost
}

/** Null: it is no passkey of anybody here, or its answer was used before. */
export async function signInByPasskey(
  realm: ConsoleRealm,
  used: UsedPasskey,
  sourceOf: SourceOf,
): Promise<string | null> {
  const user = await takePasskey(realm, used, sourceOf)
  if (user === null) return null
  return startSession(realm, user, { operation: 'console.signIn', source: await sourceOf(user.scope) })
}

/** Whose it is. An answer is taken once. */
async function takePasskey(
  realm: ConsoleRealm,
  { credential, host }: UsedPasskey,
  sourceOf: SourceOf,
): Promise<Omit<ConsoleUser, 'kind'> | null> {
  const { kind, db, masterKeys, clock } = realm
  const { id, response } = credential as { id?: unknown; response?: { userHandle?: unknown } | null }
  const tenantId = readHandleTenant(response?.userHandle)
  if (tenantId === null || !isId(tenantId) || typeof id !== 'string') return null
  if ((tenantId === operatorScope.tenantId) !== (kind === 'operator')) return null
  const scope = { tenantId }
  const credentialId = Buffer.from(id, 'base64url')
  const [known] = await db.read(scope, selectPasskey(kind, scope, credentialId))
  if (known === undefined) return null
  const used = await verifyUsed(masterKeys, credential, host, { ...known, credentialId }, clock.nowMs())
  const taken = used === null ? [] : await db.writeAtOnce(scope, usePasskey(kind, scope, credentialId, used))
  if (taken.length === 1) return { scope, userId: known.userId, userName: known.name }
  await recordRefusal(realm, { scope, userId: known.userId }, await sourceOf(scope), { isCounted: false })
  return null
}
