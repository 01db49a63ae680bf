import { pageOf, type Page, type Session, type SessionStatus, type AskedPage } from '@casenote/contract'
import type { Database, Tx } from '../../kernel/db/database.js'
import { isId, type ClientId, type SessionId } from '../../kernel/ids.js'
import type { TenantKeyRing } from '../../kernel/secrets/tenant-keys.js'
import type { TenantScope } from '../../kernel/tenant.js'
import { describeSession } from './describe-session.js'
import { wordFailure } from './session-lifecycle.js'
import {
  countSessionsOfClient,
  lockSession,
  selectIsPrescriber,
  selectSession,
  selectSessions,
  selectStanding,
  type SessionRow,
} from './sessions.sql.js'

export async function findSession(
  db: Database,
  tenant: TenantScope,
  sessionId: SessionId,
): Promise<SessionRow | null> {
  if (!isId(sessionId)) return null
  const [row] = await db.read(tenant, selectSession(tenant, sessionId))
  return row ?? null
}

export async function getSession(tx: Tx, sessionId: SessionId): Promise<SessionRow> {
  const [row] = await tx.run(selectSession(tx.tenant, sessionId))
  if (row === undefined) throw new Error('a session does not exist')
  return row
}

/** For whoever changes it later in the transaction. */
export async function getLockedSession(tx: Tx, sessionId: SessionId): Promise<SessionRow> {
  await tx.run(lockSession(tx.tenant, sessionId))
  return getSession(tx, sessionId)
}

/** The rows of a client's sessions, with what no answer shows; for whoever goes through all of a client's. */
export async function listSessionRows(
  db: Database,
  tenant: TenantScope,
  { clientId, page }: { clientId: ClientId; page: AskedPage },
): Promise<SessionRow[]> {
  return await db.read(tenant, selectSessions(tenant, clientId, page))
}

export async function listSessions(
  db: Database,
  ring: TenantKeyRing,
  { clientId, page }: { clientId: ClientId; page: AskedPage },
): Promise<Page<Session>> {
  const tenant = { tenantId: ring.tenantId }
  const [rows, [count]] = await db.read(
    tenant,
    selectSessions(tenant, clientId, page),
    countSessionsOfClient(tenant, clientId),
  )
  return pageOf(
    rows.map((row) => describeSession(ring, row)),
    count?.total ?? 0,
    page,
  )
}

/** Whether the clinician of a session prescribes, now. */
export async function isPrescriberSession(
  db: Database,
  tenant: TenantScope,
  sessionId: SessionId,
): Promise<boolean> {
  const [row] = await db.read(tenant, selectIsPrescriber(tenant, sessionId))
  return row?.prescriber === true
}

export interface SessionStanding {
  status: SessionStatus
  progress: number
  /** Why the session failed, in words; null: it has not. */
  failure: string | null
  /** When the session's step is tried next, where it waits for a server that is away or for another attempt after a fault. */
  nextTryAt: Date | null
}

/** How far a session is, and nothing of what was said in it. */
export async function findStanding(
  db: Database,
  tenant: TenantScope,
  sessionId: SessionId,
): Promise<SessionStanding | null> {
  const [row] = await db.read(tenant, selectStanding(tenant, sessionId))
  if (row === undefined) return null
  const { status, progress, failureCode, nextTryAt } = row
  return { status, progress, failure: wordFailure(failureCode), nextTryAt }
}
