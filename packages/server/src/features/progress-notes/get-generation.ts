import type { NoteSection, NoteTemplate, ReviewItem } from '@casenote/contract'
import { templateFor } from '../../engines/writer/templates/built-in-templates.js'
import type { Tx } from '../../kernel/db/database.js'
import type { ClinicianId, GenerationId, SessionId } from '../../kernel/ids.js'
import { unsealJson } from '../../kernel/secrets/sealed-json.js'
import type { TenantKeyRing } from '../../kernel/secrets/tenant-keys.js'
import { readKeptReview, readPreferences } from './describe-note.js'
import { getLockedNote } from './get-note.js'
import { instructionsPlace, judgedSectionsPlace, versionPlace } from './note-content.js'
import { selectGeneration, type GenerationKind, type GenerationRow } from './note-generations.sql.js'
import { selectCurrentSections, type NoteRow } from './progress-notes.sql.js'

/** What a writer is given to work on. */
export interface PendingGeneration {
  kind: GenerationKind
  sessionId: SessionId
  clinicianId: ClinicianId
  template: NoteTemplate
  /** The session's template changes with this text. */
  isTemplateChange: boolean
  /** What the note said when the generation was asked for; empty for the first one. */
  sections: NoteSection[]
  /** The list of that text. */
  review: readonly ReviewItem[]
  /** Only a magic edit has them. */
  userInstructions: string | null
  /** The approaches to treatment, as the clinician named them in the widget. */
  treatmentApproaches: readonly string[]
}

/** Null: it does not exist, has ended, or has been taken from the note. */
export async function findPendingGeneration(
  tx: Tx,
  ring: TenantKeyRing,
  generationId: GenerationId,
): Promise<PendingGeneration | null> {
  const locked = await findLockedGeneration(tx, generationId)
  if (locked === null) return null
  const { note, generation } = locked
  const [current] = await tx.run(selectCurrentSections(tx.tenant, note.noteId))
  return {
    kind: generation.kind,
    sessionId: note.sessionId,
    clinicianId: note.clinicianId,
    template: templateFor(note),
    isTemplateChange: generation.noteType !== null,
    sections: current === undefined ? [] : readCurrent(ring, note, current.sealedSections),
    review: readKeptReview(ring, note),
    userInstructions:
      generation.sealedInstructions === null
        ? null
        : unsealJson(ring, instructionsPlace(generationId), generation.sealedInstructions),
    treatmentApproaches: readPreferences(ring, note).treatmentApproaches,
  }
}

/** The current sections, with what they rest on by the words of now, where some were put right since they were written. */
const readCurrent = (ring: TenantKeyRing, note: NoteRow, sealedSections: Buffer): NoteSection[] =>
  note.sealedJudgedSections === null
    ? unsealJson(ring, versionPlace(note.noteId, note.version), sealedSections)
    : unsealJson(ring, judgedSectionsPlace(note.noteId), note.sealedJudgedSections)

/** The fence: locks the note and gives it only to the generation that is active on it. */
export async function findLockedGeneration(
  tx: Tx,
  generationId: GenerationId,
): Promise<{ note: NoteRow; generation: GenerationRow } | null> {
  const [generation] = await tx.run(selectGeneration(tx.tenant, generationId))
  if (generation === undefined) return null
  const note = await getLockedNote(tx, generation.noteId)
  return note.activeGenerationId === generationId ? { note, generation } : null
}
