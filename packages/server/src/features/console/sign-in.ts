import { isId } from '../../kernel/ids.js'
import type { TenantScope } from '../../kernel/tenant.js'
import { operatorScope, type ConsoleRealm } from './console-realm.js'
import { runRecorded, startSession, type ConsoleSource } from './console-sessions.js'
import {
  findConsoleTenant,
  noteFailure,
  selectPasskey,
  selectUserByName,
  selectUserId,
  takeTotpStep,
  usePasskey,
  type PasskeyRow,
  type UserRow,
} from './console-users.sql.js'
import { unwrapTotp } from './enrol.js'
import { makeRequestOptions, readHandleTenant, verifyUsed, type AskedHost } from './passkeys.js'
import { isPassword } from './passwords.js'
import { findTotpStep } from './totp.js'

/** Tells of whom a session is, for the source's address: sealed by the tenant's key, which is known only then. */
export type SourceOf = (scope: TenantScope) => Promise<ConsoleSource>

/** Null: name, password or code is wrong, or was tried too often; never which. */
export async function signInByPassword(
  realm: ConsoleRealm,
  given: { userName: string; password: string; code: string; network: string },
  sourceOf: SourceOf,
): Promise<string | null> {
  const { kind, db } = realm
  const name = given.userName.trim().toLowerCase()
  const scope = await findScope(realm, name)
  const user = scope === null ? null : await findUser(realm, scope, name)
  const isRight = await isPassword(given.password, user === null ? null : hashedOf(user), given.network)
  if (scope === null || user === null) return null
  const step = isRight && !user.isLocked ? findStep(realm, scope, user, given.code) : null
  const isTaken =
    step !== null &&
    (await db.writeAtOnce(scope, takeTotpStep(kind, scope, user.userId, step)))[0]?.length === 1
  if (!isTaken) {
    await noteRefusal(realm, { scope, userId: user.userId }, await sourceOf(scope), { isCounted: isRight })
    return null
  }
  const source = await sourceOf(scope)
  const signedIn = { scope, userId: user.userId, userName: user.name }
  return startSession(realm, signedIn, { operation: 'console.signIn', source })
}

/** In the log as somebody's: whether it was the user is just what is not known. */
async function noteRefusal(
  { kind, db }: ConsoleRealm,
  { scope, userId }: { scope: TenantScope; userId: string },
  { from, requestId }: ConsoleSource,
  { isCounted }: { isCounted: boolean },
): Promise<void> {
  const actor = { kind, id: null, ...(from === undefined ? {} : { from }) }
  await db.write(scope, async (tx) => {
    const [counted] = isCounted ? await tx.run<{ isLocked: boolean }>(noteFailure(kind, scope, userId)) : []
    const operation = counted?.isLocked === true ? 'console.lock' : 'console.refuse'
    const entry = { operation, actor, requestId, subjects: [userId] }
    await runRecorded(tx, kind, selectUserId(kind, scope, userId), entry)
  })
}

async function findScope({ kind, db }: ConsoleRealm, name: string): Promise<TenantScope | null> {
  if (kind === 'operator') return operatorScope
  const [row] = await db.throughDoor<{ tenantId: string | null }>(findConsoleTenant(name))
  return row?.tenantId == null ? null : { tenantId: row.tenantId }
}

async function findUser(
  { kind, db }: ConsoleRealm,
  scope: TenantScope,
  name: string,
): Promise<UserRow | null> {
  const [row] = (await db.read(scope, selectUserByName(kind, scope, name))) as UserRow[]
  return row ?? null
}

const hashedOf = ({ passwordSalt, passwordHash }: UserRow) =>
  passwordSalt === null || passwordHash === null ? null : { salt: passwordSalt, hash: passwordHash }

function findStep(
  { masterKeys, clock }: ConsoleRealm,
  scope: TenantScope,
  { userId, sealedTotp, masterKeyId }: UserRow,
  code: string,
): number | null {
  if (sealedTotp === null || masterKeyId === null) return null
  const secret = unwrapTotp(masterKeys, { scope, userId }, { sealedTotp, masterKeyId })
  return findTotpStep(secret, code, clock.nowMs())
}

export const askForPasskey = ({ masterKeys, clock }: ConsoleRealm, host: AskedHost) =>
  makeRequestOptions(masterKeys, host, clock.nowMs())

/** Null: it is no passkey of anybody here, or its answer was used before. */
export async function signInByPasskey(
  realm: ConsoleRealm,
  { credential, host }: { credential: unknown; host: AskedHost },
  sourceOf: SourceOf,
): Promise<string | null> {
  const { kind, db, masterKeys, clock } = realm
  const { id, response } = credential as { id?: unknown; response?: { userHandle?: unknown } | null }
  const tenantId = readHandleTenant(response?.userHandle)
  if (tenantId === null || !isId(tenantId) || typeof id !== 'string') return null
  if ((tenantId === operatorScope.tenantId) !== (kind === 'operator')) return null
  const scope = { tenantId }
  const credentialId = Buffer.from(id, 'base64url')
  const [known] = (await db.read(scope, selectPasskey(kind, scope, credentialId))) as PasskeyRow[]
  if (known === undefined) return null
  const used = await verifyUsed(masterKeys, credential, host, { ...known, credentialId }, clock.nowMs())
  const taken = used === null ? [] : await db.writeAtOnce(scope, usePasskey(kind, scope, credentialId, used))
  if (taken[0]?.length !== 1) {
    const refused = { scope, userId: known.userId }
    await noteRefusal(realm, refused, await sourceOf(scope), { isCounted: false })
    return null
  }
  const user = { scope, userId: known.userId, userName: known.name }
  return startSession(realm, user, { operation: 'console.signIn', source: await sourceOf(scope) })
}
