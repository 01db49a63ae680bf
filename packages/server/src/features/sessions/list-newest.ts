import type { ConsoleSession, ConsoleSessionCourse, SessionStatus } from '@casenote/contract'
import type { Database } from '../../kernel/db/database.js'
import { isId, type SessionId } from '../../kernel/ids.js'
import type { TenantScope } from '../../kernel/tenant.js'
import { describeFailure } from './session-lifecycle.js'
import {
  countSessionsByStatus,
  selectListedSession,
  selectNewestSessions,
  selectSessionHistory,
  selectSessionSteps,
  type ListedSessionRow,
} from './session-lists.sql.js'

export async function listNewestSessions(
  db: Database,
  tenant: TenantScope,
  filter: { status: SessionStatus | null; before: number | null; most: number },
): Promise<{ seq: number; session: ConsoleSession }[]> {
  const rows = await db.read(tenant, selectNewestSessions(tenant, filter))
  return rows.map((row) => ({ seq: row.seq, session: toListed(row) }))
}

export async function findSessionCourse(
  db: Database,
  tenant: TenantScope,
  sessionId: SessionId,
): Promise<ConsoleSessionCourse | null> {
  if (!isId(sessionId)) return null
  const [[row], steps, history] = await db.read(
    tenant,
    selectListedSession(tenant, sessionId),
    selectSessionSteps(tenant, sessionId),
    selectSessionHistory(tenant, sessionId),
  )
  if (row === undefined) return null
  return {
    ...toListed(row),
    steps: steps.map((step) => ({
      ...step,
      startedAt: step.startedAt?.toISOString() ?? null,
      endedAt: step.endedAt?.toISOString() ?? null,
    })),
    history: history.map(({ at, status }) => ({ at: at.toISOString(), status })),
  }
}

const ended: ReadonlySet<SessionStatus> = new Set(['completed', 'failed'])

/** How many of the newest 20,000 sessions are in each state. */
export async function countNewestSessions(db: Database, tenant: TenantScope) {
  const rows = await db.read(tenant, countSessionsByStatus(tenant))
  const waiting = rows
    .filter(({ status }) => !ended.has(status))
    .map(({ oldestAt }) => oldestAt.toISOString())
  return {
    byStatus: Object.fromEntries(rows.map(({ status, sessions }) => [status, sessions])),
    oldestWaitingAt: waiting.toSorted()[0] ?? null,
  }
}

/** A session as lists show it, by ids, states and times: nothing of what was said, and no address of its file. */
const toListed = (row: ListedSessionRow): ConsoleSession => ({
  id: row.sessionId,
  status: row.status,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
  clinicianId: row.clinicianId,
  clientId: row.clientId,
  organizationId: row.organizationId,
  noteId: row.progressNoteId,
  failure: describeFailure(row.failureCode),
  retryOf: row.retryOf,
  progress: row.progress,
})
