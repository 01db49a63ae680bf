import { noteReturnsMax } from '@casenote/contract'
import { enqueueStep } from '../../jobs/enqueue-step.js'
import type { ChangeContext } from '../../kernel/change-context.js'
import type { Tx } from '../../kernel/db/database.js'
import type { ClinicianId, NoteId } from '../../kernel/ids.js'
import { refuse } from '../../kernel/refuse.js'
import { insertReturn, updateReturned } from './co-signatures.sql.js'
import { getLockedNote, getNote } from './get-note.js'
import { returnPlace } from './note-content.js'
import { isAwaiting } from './note-lifecycle.js'
import { insertNoteHistory, type NoteRow } from './progress-notes.sql.js'
import { recordNoteChange } from './record-note-change.js'

/**
 * Gives a note back that waits for a co-signature, with a word why: by the supervisor, or by who signed it. The signature
 * is gone with it, and the text is open again.
 */
export async function returnNote(
  tx: Tx,
  context: ChangeContext,
  noteId: NoteId,
  { clinicianId, reason }: { clinicianId: ClinicianId; reason: string },
): Promise<NoteRow> {
  const note = await getLockedNote(tx, noteId)
  if (note.status === 'finalized') throw refuse.forbidden('note_finalized', 'Progress note is locked')
  if (!isAwaiting(note))
    throw refuse.conflict('not_awaiting_co_signature', 'Progress note does not wait for a co-signature')
  if (clinicianId !== note.supervisorId && clinicianId !== note.signerId) {
    throw refuse.forbidden('not_the_signer', 'Only who signed the note, or their supervisor, can return it')
  }
  const number = note.returnsCount + 1
  if (number > noteReturnsMax)
    throw refuse.conflict('note_returns_full', `A progress note is returned at most ${noteReturnsMax} times`)
  if ((await tx.run(updateReturned(tx.tenant, noteId))).length === 0) {
    throw new Error('a note that waits could not be returned')
  }
  const sealedReason = context.ring
    .forClient(note.clientId)
    .seal(returnPlace(noteId, number), Buffer.from(reason))
  await tx.run(insertReturn(tx.tenant, { noteId, number, clinicianId, sealedReason }))
  const { progressNoteId, status } = note
  const history = { action: 'return', fromStatus: status, toStatus: status, progressNoteId }
  await tx.run(insertNoteHistory(tx.tenant, noteId, history))
  // What was put right in the transcript while the note was locked has not been compared with it.
  await enqueueStep(tx, 'note_back', note.sessionId)
  await recordNoteChange(tx, context, 'progressNote.return', note)
  return getNote(tx, noteId)
}
