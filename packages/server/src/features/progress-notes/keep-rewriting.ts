import type { ChangeContext } from '../../kernel/change-context.js'
import type { Tx } from '../../kernel/db/database.js'
import type { GenerationId, NoteId } from '../../kernel/ids.js'
import { getLockedNote } from './get-note.js'
import { requireUnlocked } from './note-lifecycle.js'
import { keepRewritings } from './note-generations.sql.js'
import { recordNoteChange } from './record-note-change.js'

/** The clinician has seen what changed, and it stays. Recorded once, with whether something was named as gone. */
export async function keepRewriting(
  tx: Tx,
  context: ChangeContext,
  noteId: NoteId,
  { generationId, goneCount }: { generationId: GenerationId; goneCount: number },
): Promise<void> {
  const note = await getLockedNote(tx, noteId)
  requireUnlocked(note)
  if ((await tx.run(keepRewritings(tx.tenant, noteId, generationId))).length === 0) return
  const operation = goneCount > 0 ? 'progressNote.keepDespiteGone' : 'progressNote.keepRewriting'
  await recordNoteChange(tx, context, operation, note)
}
