import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  type NotePreferences,
  type NoteSection,
  type NoteSigner,
  type ProgressNote,
  type ReviewItem,
} from '@casenote/contract'
import { unreadTalk } from '../../engines/ledger/unread-talk.js'
import { otherLanguage } from '../../engines/reader/reading.js'
import { readWriter } from '../../engines/writer/made-by.js'
import { templateFor } from '../../engines/writer/templates/built-in-templates.js'
import { Tagged } from '../../http/tagged.js'
import { unsealJson } from '../../kernel/secrets/sealed-json.js'
import type { TenantKeyRing } from '../../kernel/secrets/tenant-keys.js'
import {
  draftPlace,
  judgedReviewPlace,
  judgedSectionsPlace,
  preferencesPlace,
  reviewPlace,
  versionPlace,
} from './note-content.js'
import { readAddenda } from './add-addendum.js'
import { asJudged } from './as-judged.js'
import { coSignatureMarks, describeCoSignature } from './co-signature.js'
import { isLoading } from './note-lifecycle.js'
import { describeGoals } from './note-goals.js'
import type { NoteHead, NoteRow } from './progress-notes.sql.js'

const noPreferences: NotePreferences = { treatmentApproaches: [], sessionSetting: null }

/** The note as the world sees it. While something is being written it is `generating`, whatever it was before. */
function describeNote(ring: TenantKeyRing, row: NoteRow): ProgressNote {
  const { noteType, sessionType } = row
  const { id, version, title, sections } = templateFor(row)
  return {
    id: row.progressNoteId,
    progressNoteId: row.progressNoteId,
    sessionId: row.sessionId,
    noteType,
    template: {
      noteType,
      sessionType,
      id,
      version,
      title,
      sections: sections.map(({ key, title: sectionTitle, holds = [] }) => ({
        key,
        title: sectionTitle,
        holds,
      })),
    },
    preferences: readPreferences(ring, row),
    ...describeState(row),
    isEmptied: row.isEmptied,
    note: readSections(ring, row),
    review: [...nameUnread(row), ...readReview(ring, row)],
    goals: describeGoals(ring, row),
    writer: readWriter(row.madeBy),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    finalizedAt: row.finalizedAt?.toISOString() ?? null,
    signedBy: readSigner(row),
    coSignedBy: readCoSigner(row),
    coSignature: describeCoSignature(ring, row),
    addenda: readAddenda(ring, row.noteId, row.addenda),
  }
}

function readSigner(row: NoteHead): NoteSigner | null {
  const { signerKind, signerId, signerName } = row
  const at = row.signedAt ?? row.finalizedAt
  if (signerKind === null || signerId === null || at === null) return null
  return { kind: signerKind, id: signerId, name: signerName, at: at.toISOString() }
}

function readCoSigner({ coSignerKind, coSignerId, coSignerName, finalizedAt }: NoteHead): NoteSigner | null {
  if (coSignerKind === null || coSignerId === null || finalizedAt === null) return null
  return { kind: coSignerKind, id: coSignerId, name: coSignerName, at: finalizedAt.toISOString() }
}

export const readPreferences = (ring: TenantKeyRing, row: NoteHead): NotePreferences =>
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
  if (row.sealedJudgedSections !== null)
    return unsealJson(ring, judgedSectionsPlace(row.noteId), row.sealedJudgedSections)
  if (row.sealedSections === null) return []
  return asJudged(unsealJson(ring, versionPlace(row.noteId, row.version), row.sealedSections))
}

/** Names that the talk was never read, as long as there is a text: also of one that somebody changed since. */
const nameUnread = ({ language, version, activeGenerationId }: NoteRow): ReviewItem[] =>
  otherLanguage(language) === null || version === 0 || activeGenerationId !== null ? [] : [unreadTalk]

/** The review of the current version only: while something is written, nobody knows yet what it leaves out. */
export const readReview = (ring: TenantKeyRing, row: NoteRow): ReviewItem[] =>
  row.activeGenerationId === null ? readKeptReview(ring, row) : []

export const readKeptReview = (ring: TenantKeyRing, row: NoteRow): ReviewItem[] => {
  if (row.sealedJudgedReview !== null)
    return unsealJson(ring, judgedReviewPlace(row.noteId), row.sealedJudgedReview)
  return row.sealedReview === null
    ? []
    : unsealJson(ring, reviewPlace(row.noteId, row.version), row.sealedReview)
}

export const describeState = (row: NoteHead): Pick<ProgressNote, 'status' | 'isLoading'> => {
  const loading = isLoading(row)
  return { status: loading ? 'generating' : row.status, isLoading: loading }
}

/**
 * The tag is made of all that the answer is made from, and not of the answer: a version never changes, so its number stands for a text of
 * megabytes. A failed regeneration restores the note and with it its tag.
 */
export function tagOf(ring: TenantKeyRing, row: NoteHead): string {
  const { progressNoteId, version, status, activeGenerationId, draftDigest, noteType, sessionType } = row
  const { madeBy, createdAt, updatedAt, finalizedAt, addendaCount, judgedAt } = row
  const state = [progressNoteId, version, status, activeGenerationId, draftDigest, noteType, sessionType]
  const made = [readPreferences(ring, row), madeBy, createdAt, updatedAt, finalizedAt, addendaCount]
  const judged = judgedAt === null ? [] : [{ judgedAt }]
  const digest = createHash('sha256')
    .update(JSON.stringify([...state, ...made, ...coSignatureMarks(row), ...judged]))
    .digest('base64url')
  return `"${digest.slice(0, 27)}"`
}

/** A proxy that compresses may have marked the tag as weak; what it stands for is the same. */
export function matchesTag(ifMatch: string, ring: TenantKeyRing, row: NoteHead): boolean {
  const tag = tagOf(ring, row)
  return ifMatch.split(',').some((one) => ['*', tag].includes(one.trim().replace(/^W\//, '')))
}

/** For whoever reads it, with the tag to change it by. */
export async function showNote(ring: TenantKeyRing, row: NoteRow): Promise<Tagged<ProgressNote>> {
  // Reading a row of megabytes, opening it and writing it down are a turn each.
  await nextTurn()
  const note = describeNote(ring, row)
  await nextTurn()
  return new Tagged(note, tagOf(ring, row))
}
