import { setImmediate as nextTurn } from 'node:timers/promises'
import type { DangerStanding, NoteSection, OpenDanger, ReviewItem } from '@casenote/contract'
import type { NoteChecker } from '../../engines/checker/note-checker.js'
import { reviewMax } from '../../engines/ledger/list-review.js'
import type { DangerFinding } from '../../engines/reader/reading.js'
import type { Database } from '../../kernel/db/database.js'
import type { ClientId, ClinicianId, DangerItemId, NoteId, SessionId } from '../../kernel/ids.js'
import type { TenantKeyRing } from '../../kernel/secrets/tenant-keys.js'
import { unsealItem, type ItemContent } from './danger-item.js'
import { selectClosedOfSession, selectOpenForNote, type NoteItemRow } from './danger.sql.js'
import { describeItem } from './list-danger.js'

/** A note, as far as what is open is compared with it. */
export interface DangerNote {
  noteId: NoteId
  sessionId: SessionId
  clientId: ClientId
  /** Megabytes, where somebody pasted them: only read where something is compared with them. */
  readSections: () => readonly NoteSection[]
  /** What the ledger says that it leaves out; null for a text from before there was a ledger. */
  review: readonly ReviewItem[] | null
  /** Null unless it waits for the second signature. */
  firstSignedAt: Date | null
}

/** Which answers the note tells of, by the ids of their items. */
export type StatedAnswers = ReadonlySet<string>

/**
 * The ledger's own comparison, in a thread: an answer is a finding that cites no place in a talk. It knows sentences about thoughts, so
 * what else was asked, a plan or an attempt, is stated by none. Where nothing could be compared nothing is stated.
 */
export async function findStatedAnswers(
  { db, checker }: { db: Database; checker: NoteChecker },
  ring: TenantKeyRing,
  { clientId, sessionId, readSections }: DangerNote,
): Promise<StatedAnswers> {
  const tenant = { tenantId: ring.tenantId }
  const statement = selectOpenForNote(tenant, { clientId, sessionId, clinicianId: null })
  const rows = await db.read(tenant, statement)
  return compareAnswers(checker, ring, rows, readSections)
}

async function compareAnswers(
  checker: NoteChecker,
  ring: TenantKeyRing,
  rows: readonly NoteItemRow[],
  readSections: DangerNote['readSections'],
): Promise<StatedAnswers> {
  const findings = rows
    .filter(({ isSinceLastNote }) => isSinceLastNote)
    .map((row) => ({ itemId: row.itemId, content: unsealItem(ring, row) }))
    .filter(({ content }) => content.isAboutThoughts !== false)
    .map(({ itemId, content }) => toFinding(itemId, content))
  if (findings.length === 0) return new Set()
  // Opening the note and handing it on are a turn each.
  await nextTurn()
  const sections = readSections()
  await nextTurn()
  const { entries } = await checker.compare({ sections, findings, transcript: [] }, ring.tenantId)
  return new Set(entries.filter(({ state }) => state === 'stated').map(({ finding }) => finding.id))
}

const toFinding = (itemId: DangerItemId, { question, words }: ItemContent): DangerFinding => ({
  kind: 'danger',
  id: itemId,
  items: [],
  words: `${question ?? ''} ${words}`.trim(),
  matter: 'suicide',
  element: 'unspecified',
  standing: 'affirmed',
  time: 'present',
  whose: 'client',
  certainty: 'plain',
  foundBy: 'answer',
  questionItem: null,
})

/** How an open item stands to a note. What was said is in it when the ledger, which knows it, does not miss it. */
export function standingOf(
  { itemId, isOfSession, isSinceLastNote }: Pick<NoteItemRow, 'itemId' | 'isOfSession' | 'isSinceLastNote'>,
  { findingIds }: Pick<ItemContent, 'findingIds'>,
  { review, stated }: Pick<DangerNote, 'review'> & { stated: StatedAnswers },
): DangerStanding {
  if (isSinceLastNote) return stated.has(itemId) ? 'in_note' : 'not_in_note'
  if (!isOfSession) return 'older'
  // A list that is full may have left it out for want of room.
  const isCompared = review !== null && review.length < reviewMax && findingIds.length > 0
  return isCompared && !review.some(({ id }) => findingIds.includes(id)) ? 'in_note' : 'not_in_note'
}

/**
 * Whether somebody has said why an item is left open, with the first signature of this very text: not one before the note was returned, and
 * not another note's.
 */
export const isAnsweredFor = (
  { ownLeftAt, hasOwnReason }: Pick<NoteItemRow, 'ownLeftAt' | 'hasOwnReason'>,
  firstSignedAt: Date | null,
): boolean =>
  firstSignedAt !== null &&
  hasOwnReason &&
  ownLeftAt !== null &&
  ownLeftAt.getTime() >= firstSignedAt.getTime()

/** For the note's screen. `isWritten` false: there is no text yet that could hold anything. */
export async function listDangerOfNote(
  { db, checker }: { db: Database; checker: NoteChecker },
  ring: TenantKeyRing,
  {
    note,
    clinicianId,
    isWritten,
    isOpenShown,
  }: {
    note: DangerNote
    /** Whose sight of it is told; null: nobody's. */
    clinicianId: ClinicianId | null
    isWritten: boolean
    isOpenShown: boolean
  },
): Promise<OpenDanger> {
  const tenant = { tenantId: ring.tenantId }
  const { clientId, sessionId, readSections, review } = note
  const [rows, closed] = await db.read(
    tenant,
    selectOpenForNote(tenant, { clientId, sessionId, clinicianId }),
    selectClosedOfSession(tenant, sessionId),
  )
  const closedWords = closed.map((row) => unsealItem(ring, row).words)
  if (!isOpenShown) return { items: [], total: 0, closedWords }
  const stated = isWritten ? await compareAnswers(checker, ring, rows, readSections) : new Set<string>()
  const items = rows.map((row) => {
    const standing = isWritten ? standingOf(row, unsealItem(ring, row), { review, stated }) : null
    return { ...describeItem(ring, row, standing), isAnswered: isAnsweredFor(row, note.firstSignedAt) }
  })
  return { items, total: rows[0]?.total ?? 0, closedWords }
}
