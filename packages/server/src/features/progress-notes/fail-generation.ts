import type { ChangeContext } from '../../kernel/change-context.js'
import type { Tx } from '../../kernel/db/database.js'
import type { GenerationId, SessionId } from '../../kernel/ids.js'
import { sealJson } from '../../kernel/secrets/sealed-json.js'
import { applyNoteAction } from './apply-note-action.js'
import { findLockedGeneration } from './get-generation.js'
import { getLockedNote } from './get-note.js'
import { failurePlace } from './note-content.js'
import { endGeneration, releaseGeneration } from './note-generations.sql.js'
import { selectNoteOfSession, type NoteRow } from './progress-notes.sql.js'
import { recordNoteChange } from './record-note-change.js'

/**
 * The end of a writing that did not succeed. A first one leaves the note failed; any other leaves note and status as
 * they were. No event either way. False: fenced off, nothing was changed.
 */
export async function failGeneration(
  tx: Tx,
  context: ChangeContext,
  { generationId, reason }: { generationId: GenerationId; reason: string },
): Promise<boolean> {
  const locked = await findLockedGeneration(tx, generationId)
  if (locked === null) return false
  await endFailed(tx, context, locked.note, generationId, reason)
  return true
}

/** Gives a note up with its session, which has failed: nothing will be written any more. A note that has a text keeps it. */
export async function abandonNote(tx: Tx, context: ChangeContext, sessionId: SessionId): Promise<void> {
  const [found] = await tx.run(selectNoteOfSession(tx.tenant, sessionId))
  if (found === undefined) throw new Error('a session has no note')
  const note = await getLockedNote(tx, found.noteId)
  if (note.activeGenerationId !== null) {
    await endFailed(tx, context, note, note.activeGenerationId, 'The session has failed')
  } else if (note.status === 'generating') {
    await markFailed(tx, context, note, null)
  }
}

async function endFailed(
  tx: Tx,
  context: ChangeContext,
  note: NoteRow,
  generationId: GenerationId,
  reason: string,
): Promise<void> {
  if (note.status === 'generating') await markFailed(tx, context, note, generationId)
  else await tx.run(releaseGeneration(tx.tenant, note.noteId, generationId))
  const sealedFailure = sealJson(context.ring.forClient(note.clientId), failurePlace(generationId), reason)
  await tx.run(endGeneration(tx.tenant, generationId, { status: 'failed', sealedFailure }))
  await recordNoteChange(tx, context, 'progressNote.failGeneration', note)
}

async function markFailed(
  tx: Tx,
  context: ChangeContext,
  note: NoteRow,
  generationId: GenerationId | null,
): Promise<void> {
  const { progressNoteId } = note
  const change = { generationId, progressNoteId, addedVersions: 0 } as const
  if (!(await applyNoteAction(tx, context, note, 'failGeneration', change))) {
    throw new Error('a note that was being generated could not be failed')
  }
}
