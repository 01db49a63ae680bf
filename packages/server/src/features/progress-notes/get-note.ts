import type { Database, Tx } from '../../kernel/db/database.js'
import { isId, type ClientId, type NoteId, type ProgressNoteId, type SessionId } from '../../kernel/ids.js'
import type { TenantScope } from '../../kernel/tenant.js'
import {
  lockNote,
  selectLastEmptied,
  selectLastWritten,
  selectNote,
  selectNoteByAnyId,
  selectNoteOfSession,
  type NoteRow,
} from './progress-notes.sql.js'

/** A note by any id that it ever had. */
export async function findNote(
  db: Database,
  tenant: TenantScope,
  progressNoteId: ProgressNoteId,
): Promise<NoteRow | null> {
  if (!isId(progressNoteId)) return null
  const [row] = await db.read(tenant, selectNoteByAnyId(tenant, progressNoteId))
  return row ?? null
}

export async function findNoteOfSession(
  db: Database,
  tenant: TenantScope,
  sessionId: SessionId,
): Promise<NoteRow | null> {
  if (!isId(sessionId)) return null
  const [row] = await db.read(tenant, selectNoteOfSession(tenant, sessionId))
  return row ?? null
}

/** The note of the client's newest session that has a written one, and when that session was. */
export async function findLastWritten(
  db: Database,
  tenant: TenantScope,
  clientId: ClientId,
): Promise<{ note: NoteRow; happenedAt: Date } | null> {
  const [row] = await db.read(tenant, selectLastWritten(tenant, clientId))
  return row === undefined ? null : { note: row, happenedAt: row.happenedAt }
}

/** The client's newest session whose note says nothing since a strike, where no newer one is written. */
export async function findLastEmptied(
  db: Database,
  tenant: TenantScope,
  clientId: ClientId,
): Promise<{ sessionId: SessionId; happenedAt: Date } | null> {
  const [row] = await db.read(tenant, selectLastEmptied(tenant, clientId))
  return row ?? null
}

export async function getNote(tx: Tx, noteId: NoteId): Promise<NoteRow> {
  const [row] = await tx.run(selectNote(tx.tenant, noteId))
  if (row === undefined) throw new Error('a note is gone')
  return row
}

/** Whoever changes a note locks it first, so that all that follows is decided on one state. */
export async function getLockedNote(tx: Tx, noteId: NoteId): Promise<NoteRow> {
  await tx.run(lockNote(tx.tenant, noteId))
  return getNote(tx, noteId)
}
