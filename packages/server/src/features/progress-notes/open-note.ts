import type { NotePreferences } from '@casenote/contract'
import type { Tx } from '../../kernel/db/database.js'
import { newId, type SessionId } from '../../kernel/ids.js'
import { sealJson } from '../../kernel/secrets/sealed-json.js'
import type { TenantKeyRing } from '../../kernel/secrets/tenant-keys.js'
import { preferencesPlace } from './note-content.js'
import { insertNote, insertNoteHistory, insertNoteId } from './progress-notes.sql.js'

/** Opens a note with its session: it has its id from the start, and is loading until it is written. */
export async function openNote(
  tx: Tx,
  ring: TenantKeyRing,
  { sessionId, preferences }: { sessionId: SessionId; preferences: NotePreferences | null },
): Promise<string> {
  const noteId = newId()
  const progressNoteId = newId()
  const sealedPreferences =
    preferences === null ? null : sealJson(ring, preferencesPlace(noteId), preferences)
  await tx.run(insertNote(tx.tenant, { noteId, sessionId, progressNoteId, sealedPreferences }))
  await tx.run(insertNoteId(tx.tenant, noteId, progressNoteId))
  const opened = { action: 'open', fromStatus: null, toStatus: 'generating', progressNoteId } as const
  await tx.run(insertNoteHistory(tx.tenant, noteId, opened))
  return progressNoteId
}
