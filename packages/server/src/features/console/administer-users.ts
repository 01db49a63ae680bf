import type { ChangeSource } from '../../kernel/audit/index.js'
import type { Database } from '../../kernel/db/database.js'
import { newId, type ConsoleUserId } from '../../kernel/ids.js'
import { hashLinkToken, newLinkToken } from '../../kernel/link-tokens.js'
import type { MasterKeys } from '../../kernel/secrets/master-keys.js'
import type { TenantScope } from '../../kernel/tenant.js'
import { operatorScope, type ConsoleKind } from './console-realm.js'
import { runRecorded } from './console-sessions.js'
import {
  deleteUser,
  findConsoleTenant,
  insertUser,
  selectAllUsers,
  selectSealedTotps,
  selectUserByName,
  updateSealedTotp,
  type ListedUser,
  type UserRow,
} from './console-users.sql.js'
import { deleteLinksOf, insertLink } from './enrolment-links.sql.js'
import { totpPlace } from './enrol.js'

/** The names that users may have, as the check constraint has it. */
export const userNamePattern = /^[a-z0-9][a-z0-9._@-]{0,63}$/

/** A link for somebody new, or for somebody who has lost what they sign in with. As the owner. */
export async function inviteConsoleUser(
  owner: Database,
  { name, tenant }: { name: string; tenant: TenantScope | null },
  by: ChangeSource,
): Promise<{ userId: ConsoleUserId; token: string }> {
  const kind: ConsoleKind = tenant === null ? 'operator' : 'partner'
  const scope = tenant ?? operatorScope
  if (tenant !== null) await requireOwnName(owner, tenant, name)
  const known = await findByName(owner, kind, scope, name)
  const userId = known?.userId ?? newId()
  const token = newLinkToken(scope)
  await owner.write(scope, async (tx) => {
    if (known === null) await tx.run(insertUser(kind, scope, { userId, name }))
    await tx.run(deleteLinksOf(kind, scope, userId))
    const link = insertLink(kind, scope, { hash: hashLinkToken(token), userId })
    await runRecorded(tx, kind, link, { ...by, operation: 'console.invite', subjects: [userId] })
  })
  return { userId, token }
}

/** Names are typed without a partner: of two the second could not sign in. */
async function requireOwnName(owner: Database, tenant: TenantScope, name: string): Promise<void> {
  const [row] = await owner.throughDoor(findConsoleTenant(name))
  if (row?.tenantId != null && row.tenantId !== tenant.tenantId)
    throw new Error(`${name} is the name of another partner's user`)
}

export interface ConsoleUserOf extends ListedUser {
  kind: ConsoleKind
}

export async function listConsoleUsers(owner: Database): Promise<ConsoleUserOf[]> {
  const users: ConsoleUserOf[] = []
  for (const kind of ['operator', 'partner'] as const) {
    const rows = await owner.throughDoor(selectAllUsers(kind))
    users.push(...rows.map((row) => ({ ...row, kind })))
  }
  return users
}

/** Ends their sessions at once. False: there is no such user. */
export async function removeConsoleUser(
  owner: Database,
  { name, tenant }: { name: string; tenant: TenantScope | null },
  by: ChangeSource,
): Promise<boolean> {
  const kind: ConsoleKind = tenant === null ? 'operator' : 'partner'
  const scope = tenant ?? operatorScope
  const known = await findByName(owner, kind, scope, name)
  if (known === null) return false
  const entry = { ...by, operation: 'console.remove', subjects: [known.userId] }
  return owner.write(scope, (tx) => runRecorded(tx, kind, deleteUser(kind, scope, known.userId), entry))
}

async function findByName(
  owner: Database,
  kind: ConsoleKind,
  scope: TenantScope,
  name: string,
): Promise<UserRow | null> {
  const [row] = await owner.read(scope, selectUserByName(kind, scope, name, { evenSuspended: true }))
  return row ?? null
}

/** Wraps the secrets of console users anew with the current master key, as tenants' keys are. */
export async function rewrapConsoleUsers(owner: Database, masterKeys: MasterKeys): Promise<number> {
  let count = 0
  for (const kind of ['operator', 'partner'] as const) {
    const rows = await owner.throughDoor(selectSealedTotps(kind, masterKeys.currentId))
    for (const { tenantId, userId, sealedTotp, masterKeyId } of rows) {
      const place = totpPlace(tenantId, userId)
      const again = masterKeys.wrap(place, masterKeys.unwrap(masterKeyId, place, sealedTotp))
      const row = { userId, sealedTotp: again, masterKeyId: masterKeys.currentId }
      await owner.writeAtOnce({ tenantId }, updateSealedTotp(kind, { tenantId }, row, masterKeyId))
      count += 1
    }
  }
  return count
}
