export { addAddendum } from './add-addendum.js'
export { changeNote } from './change-note.js'
export { readSigningChecks } from './check-before-signing.js'
export { coSigns, selectIsWaiting, selectWaiting } from './co-signatures.sql.js'
export { completeGeneration } from './complete-generation.js'
export { describeState, readPreferences, readReview, readSections, showNote, tagOf } from './describe-note.js'
export { abandonNote, failGeneration } from './fail-generation.js'
export { findPendingGeneration, type PendingGeneration } from './get-generation.js'
export { findLastWritten, findNoteOfSession } from './get-note.js'
export { findRewriting } from './find-rewriting.js'
export { isNoteSigned } from './is-note-signed.js'
export { keepJudgement } from './keep-judgement.js'
export { keepRewriting } from './keep-rewriting.js'
export { listMagicEditsOfNote } from './list-magic-edits.js'
export { isAwaiting, isLoading } from './note-lifecycle.js'
export { readGoals, type NoteGoal } from './note-goals.js'
export { listReturns } from './list-returns.js'
export { listVersions } from './list-versions.js'
export { openNote } from './open-note.js'
export { registerProgressNotes, type NotesParts } from './progress-notes.routes.js'
export {
  selectNoteHeads,
  selectNoteIds,
  selectNoteOfSession,
  type NoteHead,
  type NoteRow,
} from './progress-notes.sql.js'
export { magicEditNote, regenerateNote, startWriting } from './request-generation.js'
export { restoreNote } from './restore-note.js'
export { returnNote } from './return-note.js'
export { signNote } from './sign-note.js'
export { storeSection } from './store-section.js'
export { isWritten, toDangerNote } from './to-danger-note.js'
export { withdrawNote } from './withdraw-note.js'
