import type { TenantKeyRing } from '../../kernel/secrets/tenant-keys.js'
import type { DangerNote } from '../danger/index.js'
import { readReview, readSections } from './describe-note.js'
import { isAwaiting, isLoading } from './note-lifecycle.js'
import type { NoteRow } from './progress-notes.sql.js'

/** There is a text to compare something with. */
export const isWritten = (note: NoteRow): boolean => note.version > 0 && !isLoading(note)

export const toDangerNote = (ring: TenantKeyRing, note: NoteRow): DangerNote => ({
  noteId: note.noteId,
  sessionId: note.sessionId,
  clientId: note.clientId,
  readSections: () => readSections(ring, note),
  review: note.sealedReview === null && note.sealedJudgedReview === null ? null : readReview(ring, note),
  firstSignedAt: isAwaiting(note) ? note.signedAt : null,
})
