import type { NoteSection, ReviewItem } from '@casenote/contract'
import { templateFor } from '../../engines/writer/templates/built-in-templates.js'
import type { ChangeContext } from '../../kernel/change-context.js'
import type { Tx } from '../../kernel/db/database.js'
import { newId, type GenerationId } from '../../kernel/ids.js'
import { sealJson } from '../../kernel/secrets/sealed-json.js'
import { applyNoteAction } from './apply-note-action.js'
import { findLockedGeneration } from './get-generation.js'
import { reviewPlace, versionPlace } from './note-content.js'
import { sealGoals, type NoteGoal } from './note-goals.js'
import { endGeneration } from './note-generations.sql.js'
import { insertNoteId, insertNoteVersion } from './progress-notes.sql.js'
import { recordNoteChange } from './record-note-change.js'

export interface Writing {
  generationId: GenerationId
  sections: readonly NoteSection[]
  /** What was found and is not in it. */
  review: readonly ReviewItem[]
  /** Which of its sentences speak to which goal. */
  goals?: readonly NoteGoal[]
  /** Engine, model, prompt and template versions. */
  madeBy: string
}

/**
 * The end of a writing that went well, of whatever kind. The first text of a note keeps the note's id and makes it
 * `generated`; every later one brings a new id and makes it `regenerated`, also where those before were struck. False:
 * fenced off, nothing was changed.
 */
export async function completeGeneration(
  tx: Tx,
  context: ChangeContext,
  { generationId, sections, review, goals = [], madeBy }: Writing,
): Promise<boolean> {
  const locked = await findLockedGeneration(tx, generationId)
  if (locked === null) return false
  const { note, generation } = locked
  const { noteId } = note
  const before = Math.max(note.version, note.versionsGone)
  const isFirst = before === 0
  const progressNoteId = isFirst ? note.progressNoteId : newId()
  if (!isFirst) await tx.run(insertNoteId(tx.tenant, noteId, progressNoteId))
  const action = isFirst ? 'completeGeneration' : 'completeRegeneration'
  const change = { generationId, progressNoteId, addedVersions: 1 } as const
  if (!(await applyNoteAction(tx, context, note, action, change))) {
    throw new Error('an active generation could not be completed')
  }
  const version = before + 1
  const ring = context.ring.forClient(note.clientId)
  await tx.run(
    insertNoteVersion(tx.tenant, {
      noteId,
      version,
      versionId: newId(),
      progressNoteId,
      origin: isFirst ? 'generation' : generation.kind,
      generationId,
      sealedSections: sealJson(ring, versionPlace(noteId, version), sections),
      sealedReview: sealJson(ring, reviewPlace(noteId, version), review),
      sealedGoals: sealGoals(ring, { noteId, version, goals }),
      madeBy,
      template: templateFor(note),
    }),
  )
  await tx.run(endGeneration(tx.tenant, generationId, { status: 'completed', sealedFailure: null }))
  await recordNoteChange(tx, context, `progressNote.${action}`, { ...note, progressNoteId })
  return true
}
