import type { NoteSection, ReviewItem } from '@casenote/contract'
import type { ChangeContext } from '../../kernel/change-context.js'
import type { Tx } from '../../kernel/db/database.js'
import { sealJson } from '../../kernel/secrets/sealed-json.js'
import { getLockedNote } from './get-note.js'
import { judgedReviewPlace, judgedSectionsPlace } from './note-content.js'
import { updateJudgement, type NoteRow } from './progress-notes.sql.js'
import { recordNoteChange } from './record-note-change.js'

export interface Judgement {
  /** The sections with the same text as the note's, and what their sentences rest on now. */
  sections: readonly NoteSection[]
  review: readonly ReviewItem[]
}

/**
 * What a text rests on by the words of now, in the place of what was judged when it was written; the text, its version and
 * its id stay. False: the note is another by now, is being written, or is signed, and nothing was changed.
 */
export async function keepJudgement(
  tx: Tx,
  context: ChangeContext,
  { noteId, version }: Pick<NoteRow, 'noteId' | 'version'>,
  { sections, review }: Judgement,
): Promise<boolean> {
  const note = await getLockedNote(tx, noteId)
  const ring = context.ring.forClient(note.clientId)
  const judged = {
    version,
    sealedSections: sealJson(ring, judgedSectionsPlace(noteId), sections),
    sealedReview: sealJson(ring, judgedReviewPlace(noteId), review),
  }
  if ((await tx.run(updateJudgement(tx.tenant, noteId, judged))).length === 0) return false
  await recordNoteChange(tx, context, 'progressNote.judgeAgain', note)
  return true
}
