import type { NoteSection, ReviewItem, NotePreferences } from '@casenote/contract'
import type { GenerationId, NoteId } from '../../kernel/ids.js'
import type { JsonPlace } from '../../kernel/secrets/sealed-json.js'

/** Where each sealed text of a note stands: what is copied elsewhere does not open. */
export const versionPlace = (noteId: NoteId, version: number): JsonPlace<NoteSection[]> => ({
  table: 'note_versions',
  row: `${noteId}/${version}`,
  column: 'sealed_sections',
})

export const reviewPlace = (noteId: NoteId, version: number): JsonPlace<ReviewItem[]> => ({
  table: 'note_versions',
  row: `${noteId}/${version}`,
  column: 'sealed_review',
})

export const draftPlace = (generationId: GenerationId): JsonPlace<NoteSection[]> => ({
  table: 'note_generations',
  row: generationId,
  column: 'sealed_sections',
})

export const instructionsPlace = (generationId: GenerationId): JsonPlace<string> => ({
  table: 'note_generations',
  row: generationId,
  column: 'sealed_instructions',
})

export const failurePlace = (generationId: GenerationId): JsonPlace<string> => ({
  table: 'note_generations',
  row: generationId,
  column: 'sealed_failure',
})

export const preferencesPlace = (noteId: NoteId): JsonPlace<NotePreferences> => ({
  table: 'progress_notes',
  row: noteId,
  column: 'sealed_preferences',
})

export const judgedSectionsPlace = (noteId: NoteId): JsonPlace<NoteSection[]> => ({
  table: 'progress_notes',
  row: noteId,
  column: 'sealed_judged_sections',
})

export const judgedReviewPlace = (noteId: NoteId): JsonPlace<ReviewItem[]> => ({
  table: 'progress_notes',
  row: noteId,
  column: 'sealed_judged_review',
})

export const returnPlace = (noteId: NoteId, number: number) => ({
  table: 'note_returns',
  row: `${noteId}/${number}`,
  column: 'sealed_reason',
})

export const addendumPlace = (noteId: NoteId, number: number) => ({
  table: 'note_addenda',
  row: `${noteId}/${number}`,
  column: 'sealed_text',
})
