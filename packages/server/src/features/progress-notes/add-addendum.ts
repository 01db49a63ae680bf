import { addendaMax, type Addendum, type AddendumRequest } from '@casenote/contract'
import { toSigner } from '../../kernel/audit/index.js'
import type { ChangeContext } from '../../kernel/change-context.js'
import type { Tx } from '../../kernel/db/database.js'
import { newId, type NoteId } from '../../kernel/ids.js'
import { refuse } from '../../kernel/refuse.js'
import type { TenantKeyRing } from '../../kernel/secrets/tenant-keys.js'
import { insertAddendum, type SealedAddendum } from './addenda.sql.js'
import { getLockedNote, getNote } from './get-note.js'
import { addendumPlace } from './note-content.js'
import type { NoteState } from './note-lifecycle.js'
import type { NoteRow } from './progress-notes.sql.js'
import { recordNoteChange } from './record-note-change.js'

/** Refuses an addendum to a note that is not finalized: until then the note is edited. */
function requireFinalized({ status }: NoteState): void {
  if (status !== 'finalized') throw refuse.conflict('note_not_finalized', 'Progress note is not finalized')
}

/**
 * Adds to a signed note, whose text and `updatedAt` stay. The contract has no event for it: the note's `ETag` changes, and
 * whoever watches the session is told. The same id with the same text again, after a lost answer, adds nothing.
 */
export async function addAddendum(
  tx: Tx,
  context: ChangeContext,
  noteId: NoteId,
  { id, text }: AddendumRequest,
): Promise<{ row: NoteRow; addendum: Addendum }> {
  const note = await getLockedNote(tx, noteId)
  requireFinalized(note)
  const addendumId = id?.toLowerCase() ?? newId()
  const known = readAddenda(context.ring, noteId, note.addenda).find((one) => one.id === addendumId)
  if (known !== undefined) {
    if (known.text !== text)
      throw refuse.conflict('addendum_differs', 'An addendum with this id says something else')
    return { row: note, addendum: known }
  }
  if (note.addendaCount >= addendaMax)
    throw refuse.conflict('addenda_full', `A progress note takes at most ${addendaMax} addenda`)
  const number = note.addendaCount + 1
  const sealedText = context.ring
    .forClient(note.clientId)
    .seal(addendumPlace(noteId, number), Buffer.from(text))
  const author = toSigner(context.actor)
  await tx.run(insertAddendum(tx.tenant, { noteId, number, addendumId, author, sealedText }))
  await recordNoteChange(tx, context, 'progressNote.addAddendum', note)
  const row = await getNote(tx, noteId)
  const addendum = readAddenda(context.ring, noteId, row.addenda.slice(-1))[0] as Addendum
  return { row, addendum }
}

export const readAddenda = (
  ring: TenantKeyRing,
  noteId: NoteId,
  sealed: readonly SealedAddendum[],
): Addendum[] =>
  sealed.map(({ number, id, kind, authorId, authorName, sealedText, createdAt }) => ({
    id,
    text: ring.unseal(addendumPlace(noteId, number), Buffer.from(sealedText, 'base64')).toString(),
    author: { kind, id: authorId, name: authorName },
    createdAt: new Date(createdAt).toISOString(),
  }))
