import type { ConsolePasskey } from '@casenote/contract'
import type { AskedHost } from '../../http/console-api.js'
import { refuse } from '../../kernel/refuse.js'
import type { ConsoleRealm } from './console-realm.js'
import {
  actorOf,
  runRecorded,
  takeConfirmation,
  type ConsoleSource,
  type OpenSession,
} from './console-sessions.js'
import { deleteOtherSessionsOf } from './console-sessions.sql.js'
import { lockUser } from './console-users.sql.js'
import { deletePasskey, insertPasskey, selectPasskeysOf } from './passkeys.sql.js'
import { verifyMade } from './passkeys.js'

export async function listOwnPasskeys(
  { kind, db }: ConsoleRealm,
  { scope, userId }: OpenSession,
): Promise<ConsolePasskey[]> {
  const rows = await db.read(scope, selectPasskeysOf(kind, scope, userId))
  return rows.map(({ credentialId, origin, createdAt, usedAt }) => ({
    id: credentialId.toString('base64url'),
    origin,
    createdAt: createdAt.toISOString(),
    usedAt: usedAt?.toISOString() ?? null,
  }))
}

/** A further one, of somebody who is signed in. Null: what the browser sent is no new passkey of this host, or there are too many. */
export async function addFurtherPasskey(
  realm: ConsoleRealm,
  session: OpenSession,
  { credential, host }: { credential: unknown; host: AskedHost },
  { from, requestId }: ConsoleSource,
): Promise<true | null> {
  const { kind, db, masterKeys, clock } = realm
  const { scope, userId } = session
  const made = await verifyMade(masterKeys, credential, host, clock.nowMs())
  if (made === null) return null
  const actor = actorOf(session, from)
  const entry = { operation: 'console.addPasskey', actor, requestId, subjects: [userId] }
  const change = insertPasskey(kind, scope, { ...made, userId })
  const isAdded = await db.write(scope, async (tx) => {
    await tx.run(lockUser(kind, scope, userId))
    const isNew = await runRecorded(tx, kind, change, entry)
    if (isNew) await takeConfirmation(tx, session)
    return isNew
  })
  return isAdded ? true : null
}

/** Never the last way in: a password, or another passkey that signs in at the same address, must be left. */
export async function removeOwnPasskey(
  { kind, db }: ConsoleRealm,
  session: OpenSession,
  { id, host }: { id: string; host: AskedHost },
  { from, requestId }: ConsoleSource,
): Promise<void> {
  const { scope, userId } = session
  const actor = actorOf(session, from)
  const entry = { operation: 'console.removePasskey', actor, requestId, subjects: [userId] }
  await db.write(scope, async (tx) => {
    const [user] = await tx.run(lockUser(kind, scope, userId))
    const rows = await tx.run(selectPasskeysOf(kind, scope, userId))
    const gone = rows.find(({ credentialId }) => credentialId.toString('base64url') === id)
    if (user === undefined || gone === undefined) throw refuse.notFound()
    const isLeft = user.hasPassword || rows.some((row) => row !== gone && row.origin === host.origin)
    if (!isLeft) throw refuse.conflict('console_last_way_in', 'It is the last way in: add another one first')
    await takeConfirmation(tx, session)
    await runRecorded(tx, kind, deletePasskey(kind, scope, userId, gone.credentialId), entry)
    // It may be gone because somebody else has it, who may be signed in with it.
    await tx.run(deleteOtherSessionsOf(kind, scope, userId, session.hash))
  })
}
