/** Where each sealed text of a note stands: what is copied elsewhere does not open. */
export const versionPlace = (noteId: string, version: number) => ({
  table: 'note_versions',
  row: `${noteId}/${version}`,
  column: 'sealed_sections',
})

export const reviewPlace = (noteId: string, version: number) => ({
  table: 'note_versions',
  row: `${noteId}/${version}`,
  column: 'sealed_review',
})

export const goalsPlace = (noteId: string, version: number) => ({
  table: 'note_versions',
  row: `${noteId}/${version}`,
  column: 'sealed_goals',
})

export const draftPlace = (generationId: string) => ({
  table: 'note_generations',
  row: generationId,
  column: 'sealed_sections',
})

export const instructionsPlace = (generationId: string) => ({
  table: 'note_generations',
  row: generationId,
  column: 'sealed_instructions',
})

export const failurePlace = (generationId: string) => ({
  table: 'note_generations',
  row: generationId,
  column: 'sealed_failure',
})

export const preferencesPlace = (noteId: string) => ({
  table: 'progress_notes',
  row: noteId,
  column: 'sealed_preferences',
})

export const judgedPlace = (noteId: string, column: 'sealed_judged_sections' | 'sealed_judged_review') => ({
  table: 'progress_notes',
  row: noteId,
  column,
})

export const returnPlace = (noteId: string, number: number) => ({
  table: 'note_returns',
  row: `${noteId}/${number}`,
  column: 'sealed_reason',
})

export const addendumPlace = (noteId: string, number: number) => ({
  table: 'note_addenda',
  row: `${noteId}/${number}`,
  column: 'sealed_text',
})
