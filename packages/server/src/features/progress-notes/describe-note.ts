import { createHash } from 'node:crypto'
import {
  NOTE_TEMPLATES,
  type NotePreferences,
  type NoteSection,
  type NoteSigner,
  type ProgressNote,
  type ReviewItem,
} from '@casenote/contract'
import { readWriter } from '../../engines/writer/made-by.js'
import { unsealJson } from '../../kernel/secrets/sealed-json.js'
import type { TenantKeyRing } from '../../kernel/secrets/tenant-keys.js'
import { draftPlace, preferencesPlace, reviewPlace, versionPlace } from './note-content.js'
import { asJudged } from './as-judged.js'
import { isLoading } from './note-lifecycle.js'
import type { NoteRow } from './progress-notes.sql.js'

const noPreferences: NotePreferences = { treatmentApproaches: [], sessionSetting: null }

/** The note as the world sees it. While something is being written it is `generating`, whatever it was before. */
export function describeNote(ring: TenantKeyRing, row: NoteRow): ProgressNote {
  const { noteType, sessionType } = row
  const loading = isLoading(row)
  return {
    id: row.progressNoteId,
    progressNoteId: row.progressNoteId,
    sessionId: row.sessionId,
    noteType,
    template: {
      noteType,
      sessionType,
      title: NOTE_TEMPLATES[noteType].title,
      sections: [...NOTE_TEMPLATES[noteType].sections],
    },
    preferences: readPreferences(ring, row),
    status: loading ? 'generating' : row.status,
    isLoading: loading,
    note: readSections(ring, row),
    review: readReview(ring, row),
    writer: readWriter(row.madeBy),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    finalizedAt: row.finalizedAt?.toISOString() ?? null,
    signedBy: readSigner(row),
  }
}

function readSigner({ signerKind, signerId, signerName, finalizedAt }: NoteRow): NoteSigner | null {
  if (signerKind === null || signerId === null || finalizedAt === null) return null
  return { kind: signerKind, id: signerId, name: signerName, at: finalizedAt.toISOString() }
}

export const readPreferences = (ring: TenantKeyRing, row: NoteRow): NotePreferences =>
  row.sealedPreferences === null
    ? noPreferences
    : unsealJson(ring, preferencesPlace(row.noteId), row.sealedPreferences)

/** The sections so far while a generation is active, else those of the current version. */
export function readSections(ring: TenantKeyRing, row: NoteRow): NoteSection[] {
  if (row.activeGenerationId !== null) {
    return row.sealedDraft === null
      ? []
      : unsealJson(ring, draftPlace(row.activeGenerationId), row.sealedDraft)
  }
  if (row.sealedSections === null) return []
  return asJudged(unsealJson(ring, versionPlace(row.noteId, row.version), row.sealedSections))
}

/** Of the current version only: while something is written, nobody knows yet what it leaves out. */
const readReview = (ring: TenantKeyRing, row: NoteRow): ReviewItem[] =>
  row.activeGenerationId !== null || row.sealedReview === null
    ? []
    : unsealJson(ring, reviewPlace(row.noteId, row.version), row.sealedReview)

/** Of the whole answer: a failed regeneration restores the note and with it its tag. */
export const tagOf = (note: ProgressNote): string =>
  `"${createHash('sha256').update(JSON.stringify(note)).digest('base64url').slice(0, 27)}"`

/** A proxy that compresses may have marked the tag as weak; what it stands for is the same. */
export const matchesTag = (ifMatch: string, note: ProgressNote): boolean =>
  ifMatch.split(',').some((one) => ['*', tagOf(note)].includes(one.trim().replace(/^W\//, '')))
