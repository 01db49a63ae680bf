import { pageOf, type Page, type WidgetSession, type AskedPage } from '@casenote/contract'
import type { WidgetCaller } from '../../../http/widget-caller.js'
import type { Database, Statement, Tx } from '../../../kernel/db/database.js'
import { isId, type SessionId } from '../../../kernel/ids.js'
import { refuse } from '../../../kernel/refuse.js'
import type { TenantKeys } from '../../../kernel/secrets/tenant-keys.js'
import type { TenantScope } from '../../../kernel/tenant.js'
import {
  selectNoteHeads,
  selectNoteOfSession,
  selectWaiting,
  type NoteHead,
  type NoteRow,
} from '../../progress-notes/index.js'
import { describeWidgetSession } from './describe-widget-session.js'
import { selectSessionView, selectSessionViews, type SessionViewRow } from './session-views.sql.js'

export interface ReadParts {
  db: Database
  keys: TenantKeys
}

/**
 * A session of a client whom the clinician treats, or whose note they co-sign, with how its note stands; null for all
 * others.
 */
export interface TreatedSession {
  row: SessionViewRow
  note: NoteHead
}

export async function findTreatedSession(
  db: Database,
  { tenant, clinicianId }: Pick<WidgetCaller, 'tenant' | 'clinicianId'>,
  sessionId: SessionId,
): Promise<TreatedSession | null> {
  if (!isId(sessionId)) return null
  const [[row], [note]] = await db.read(
    tenant,
    selectSessionView(tenant, { clinicianId, sessionId }),
    selectNoteHeads(tenant, [sessionId]),
  )
  return row === undefined || note === undefined ? null : { row, note }
}

/** For what a supervisor may read and not change. */
export async function findSessionToCorrect(
  db: Database,
  caller: Pick<WidgetCaller, 'tenant' | 'clinicianId'>,
  sessionId: SessionId,
): Promise<TreatedSession | null> {
  const found = await findTreatedSession(db, caller, sessionId)
  return found?.row.isTreated === true ? found : null
}

/** The note of such a session, with what it says. */
export async function findTreatedNote(
  db: Database,
  { tenant, clinicianId }: Pick<WidgetCaller, 'tenant' | 'clinicianId'>,
  sessionId: SessionId,
): Promise<NoteRow | null> {
  if (!isId(sessionId)) return null
  const [[row], [note]] = await db.read(
    tenant,
    selectSessionView(tenant, { clinicianId, sessionId }),
    selectNoteOfSession(tenant, sessionId),
  )
  return row === undefined ? null : (note ?? null)
}

/** Whoever treats the client may read a session; only its clinician knows who was there, and in which language. */
export async function findOwnNote(
  db: Database,
  caller: Pick<WidgetCaller, 'tenant' | 'clinicianId'>,
  sessionId: SessionId,
): Promise<NoteRow | null> {
  const note = await findTreatedNote(db, caller, sessionId)
  return note?.clinicianId === caller.clinicianId ? note : null
}

/** Refuses a note that is not theirs to read, in the transaction that locks it: it may have been returned since it was loaded. */
export async function requireReadable(
  tx: Tx,
  { clinicianId }: Pick<WidgetCaller, 'clinicianId'>,
  { sessionId }: Pick<NoteRow, 'sessionId'>,
): Promise<void> {
  const [row] = await tx.run(selectSessionView(tx.tenant, { clinicianId, sessionId }))
  if (row === undefined) throw refuse.notFound()
}

export async function getWidgetSession(
  { db, keys }: ReadParts,
  caller: Pick<WidgetCaller, 'tenant' | 'clinicianId'>,
  sessionId: SessionId,
): Promise<WidgetSession> {
  const found = await findTreatedSession(db, caller, sessionId)
  if (found === null) throw new Error('a session that was just changed is gone')
  return describeWidgetSession(await keys.get(caller.tenant), found.row, found.note)
}

export async function listWidgetSessions(
  { db, keys }: ReadParts,
  tenant: TenantScope,
  [select, count]: [Statement<SessionViewRow>, Statement<{ total: number }>],
  page: AskedPage,
): Promise<Page<WidgetSession>> {
  const [rows, [counted]] = await db.read(tenant, select, count)
  return pageOf(await describeRows({ db, keys }, tenant, rows), counted?.total ?? 0, page)
}

/** What waits for the clinician's co-signature. */
export async function listWaitingSessions(
  { db, keys }: ReadParts,
  { tenant, clinicianId }: Pick<WidgetCaller, 'tenant' | 'clinicianId'>,
  page: AskedPage,
): Promise<Page<WidgetSession>> {
  const [waiting, [counted]] = await db.read(
    tenant,
    ...selectWaiting(tenant, { supervisorId: clinicianId, page }),
  )
  const sessionIds = waiting.map(({ sessionId }) => sessionId)
  const rows = await db.read(tenant, selectSessionViews(tenant, { clinicianId, sessionIds }))
  return pageOf(await describeRows({ db, keys }, tenant, rows), counted?.total ?? 0, page)
}

async function describeRows(
  { db, keys }: ReadParts,
  tenant: TenantScope,
  rows: readonly SessionViewRow[],
): Promise<WidgetSession[]> {
  const ids = rows.map(({ sessionId }) => sessionId)
  const notes = await db.read(tenant, selectNoteHeads(tenant, ids))
  const noteOf = new Map(notes.map((note) => [note.sessionId, note]))
  const ring = await keys.get(tenant)
  return rows.flatMap((row) => {
    const note = noteOf.get(row.sessionId)
    return note === undefined ? [] : [describeWidgetSession(ring, row, note)]
  })
}
