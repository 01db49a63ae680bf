import type { GenerationId, NoteId } from '../../kernel/ids.js'

/** Where each sealed text of a note stands: what is copied elsewhere does not open. */
export const versionPlace = (noteId: NoteId, version: number) => ({
  table: 'note_versions',
  row: `${noteId}/${version}`,
  column: 'sealed_sections',
})

export const reviewPlace = (noteId: NoteId, version: number) => ({
  table: 'note_versions',
  row: `${noteId}/${version}`,
  column: 'sealed_review',
})

export const goalsPlace = (noteId: NoteId, version: number) => ({
  table: 'note_versions',
  row: `${noteId}/${version}`,
  column: 'sealed_goals',
})

export const draftPlace = (generationId: GenerationId) => ({
  table: 'note_generations',
  row: generationId,
  column: 'sealed_sections',
})

export const instructionsPlace = (generationId: GenerationId) => ({
  table: 'note_generations',
  row: generationId,
  column: 'sealed_instructions',
})

export const failurePlace = (generationId: GenerationId) => ({
  table: 'note_generations',
  row: generationId,
  column: 'sealed_failure',
})

export const preferencesPlace = (noteId: NoteId) => ({
  table: 'progress_notes',
  row: noteId,
  column: 'sealed_preferences',
})

export const judgedPlace = (noteId: NoteId, column: 'sealed_judged_sections' | 'sealed_judged_review') => ({
  table: 'progress_notes',
  row: noteId,
  column,
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
