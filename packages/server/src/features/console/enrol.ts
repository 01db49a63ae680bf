import type { AskedHost } from '../../http/console-api.js'
import type { ConsoleUserId, TenantId } from '../../kernel/ids.js'
import { hashLinkToken } from '../../kernel/link-tokens.js'
import { refuse } from '../../kernel/refuse.js'
import type { ConsoleRealm, ConsoleUser } from './console-realm.js'
import {
  actorOf,
  readConsoleScope,
  runRecorded,
  startSession,
  type ConsoleSource,
  type OpenSession,
} from './console-sessions.js'
import { deleteSessionsOf, keepPending } from './console-sessions.sql.js'
import { lockUser, setPassword } from './console-users.sql.js'
import { redeemLink } from './enrolment-links.sql.js'
import { insertPasskey, selectPasskeysOf } from './passkeys.sql.js'
import { makeCreationOptions, verifyMade } from './passkeys.js'
import { hashPassword } from './passwords.js'
import { findTotpStep, makeOtpauthUri, newTotpSecret, toBase32 } from './totp.js'

/** Where the secret of a user's phone is sealed, before and after it is theirs. */
export const totpPlace = (tenantId: TenantId, userId: ConsoleUserId) => ({
  tenantId,
  table: 'console_users',
  row: userId,
  column: 'wrapped_totp',
})

/** Null: the link was used, is too old, or never was. */
export async function redeemConsoleLink(
  realm: ConsoleRealm,
  link: string,
  source: ConsoleSource,
): Promise<{ token: string; userName: string } | null> {
  const { kind, db } = realm
  const scope = readConsoleScope(kind, link)
  if (scope === null) return null
  const [row] = await db.writeAtOnce(scope, redeemLink(kind, scope, hashLinkToken(link)))
  if (row === undefined) return null
  const user = { scope, userId: row.userId, userName: row.name }
  const token = await startSession(realm, user, { operation: 'console.openLink', source, isEnrolment: true })
  return { token, userName: row.name }
}

/** The password is theirs once a code has shown that the phone has the secret, too. */
export async function choosePassword(
  { kind, db, masterKeys }: ConsoleRealm,
  session: OpenSession,
  { password, network }: { password: string; network: string },
  host: AskedHost,
): Promise<{ secret: string; otpauthUri: string }> {
  const { scope, userId, userName } = session
  if (password.toLowerCase().includes(userName))
    throw refuse.rule('console_password_unfit', 'The password must not hold the user name')
  const hashed = await hashPassword(password, network)
  const secret = newTotpSecret()
  const sealedTotp = masterKeys.wrap(totpPlace(scope.tenantId, userId), secret)
  await db.writeAtOnce(scope, keepPending(kind, scope, session.hash, { ...hashed, sealedTotp }))
  return { secret: toBase32(secret), otpauthUri: makeOtpauthUri(secret, userName, host.hostname) }
}

/** Null: the code is wrong. Else a session that may do everything. */
export async function confirmPassword(
  realm: ConsoleRealm,
  session: OpenSession,
  code: string,
  source: ConsoleSource,
): Promise<string | null> {
  const { kind, masterKeys, clock } = realm
  const { scope, userId } = session
  const { pendingSalt, pendingHash, pendingTotp } = session.row
  if (pendingSalt === null || pendingHash === null || pendingTotp === null)
    throw refuse.conflict('console_password_missing', 'Choose a password first')
  const place = totpPlace(scope.tenantId, userId)
  const secret = masterKeys.unwrapRecent(place, pendingTotp)
  if (secret === null) throw refuse.conflict('console_password_missing', 'Choose a password first')
  const step = findTotpStep(secret, code, clock.nowMs())
  if (step === null) return null
  // Anew: the key of a moment ago may be on its way out.
  const sealed = { sealedTotp: masterKeys.wrap(place, secret), masterKeyId: masterKeys.currentId }
  const change = setPassword(kind, scope, userId, { salt: pendingSalt, hash: pendingHash, step, ...sealed })
  await finishEnrolment(realm, session, change, 'console.setPassword', source)
  return startSession(realm, session, { operation: 'console.signIn', source })
}

export async function offerPasskey(
  { kind, db, masterKeys, clock }: ConsoleRealm,
  user: ConsoleUser,
  host: AskedHost,
) {
  const { scope, userId } = user
  const rows = await db.read(scope, selectPasskeysOf(kind, scope, userId))
  const known = rows.filter(({ origin }) => origin === host.origin).map(({ credentialId }) => credentialId)
  return makeCreationOptions(masterKeys, user, host, { nowMs: clock.nowMs(), known })
}

/** Null: what the browser sent is no new passkey of this host. */
export async function addPasskey(
  realm: ConsoleRealm,
  session: OpenSession,
  { credential, host }: { credential: unknown; host: AskedHost },
  source: ConsoleSource,
): Promise<string | null> {
  const made = await verifyMade(realm.masterKeys, credential, host, realm.clock.nowMs())
  if (made === null) return null
  const change = insertPasskey(realm.kind, session.scope, { ...made, userId: session.userId })
  const isNew = await finishEnrolment(realm, session, change, 'console.addPasskey', source)
  return isNew ? startSession(realm, session, { operation: 'console.signIn', source }) : null
}

/** The link's session ends with it, and so does whoever was signed in as them before. */
const finishEnrolment = (
  realm: ConsoleRealm,
  session: OpenSession,
  change: ReturnType<typeof setPassword>,
  operation: string,
  source: ConsoleSource,
): Promise<boolean> => {
  const { scope, userId } = session
  const entry = { operation, actor: actorOf(session, source.from), requestId: source.requestId }
  return realm.db.write(scope, async (tx) => {
    await tx.run(lockUser(realm.kind, scope, userId))
    const isDone = await runRecorded(tx, realm.kind, change, { ...entry, subjects: [userId] })
    if (isDone) await tx.run(deleteSessionsOf(realm.kind, scope, userId))
    return isDone
  })
}
