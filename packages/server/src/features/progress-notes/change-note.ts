import { setImmediate as nextTurn } from 'node:timers/promises'
import type { NotePatch, NoteSection, NoteTemplate, ReviewItem } from '@casenote/contract'
import type { NoteChecker } from '../../engines/checker/note-checker.js'
import type { PackedTalk } from '../../engines/checker/checker-requests.js'
import { keepLeftOut } from '../../engines/ledger/left-out.js'
import { templateFor } from '../../engines/writer/templates/built-in-templates.js'
import { withUnmet } from '../../engines/writer/templates/list-unmet.js'
import { listKeys } from '../../engines/writer/templates/note-template.js'
import type { ChangeContext } from '../../kernel/change-context.js'
import type { Database, Tx } from '../../kernel/db/database.js'
import type { NoteId, TenantId } from '../../kernel/ids.js'
import type { PlaceLine } from '../../kernel/place-line.js'
import { refuse } from '../../kernel/refuse.js'
import type { TenantScope } from '../../kernel/tenant.js'
import { matchesTag, readReview, readSections } from './describe-note.js'
import { getLockedNote } from './get-note.js'
import { keepEditedVersion } from './keep-edited-version.js'
import { linkChanged } from './link-goals.js'
import { readGoals, type NoteGoal } from './note-goals.js'
import { requireUnlocked, requireWritten } from './note-lifecycle.js'
import type { NoteRow } from './progress-notes.sql.js'
import { inRecheckPlace, notChecked } from './recheck-places.js'

export interface RecheckParts {
  db: Database
  checker: NoteChecker
  rechecks: PlaceLine
}

export interface NoteChange {
  patch: NotePatch
  ifMatch: string | null
  /** What the new sentences are checked against; null for a session without a transcript. */
  findTalk: () => Promise<PackedTalk | null>
  /** Asks once more under the lock whether the caller may still reach the note, as for a signature. */
  requireAccess?: (tx: Tx) => Promise<void>
}

/**
 * The clinician's own hand: a new version under the same id and status, without an event (ruling 4). Only where a strike left nothing, and
 * it could not be written again, words by hand also make it a note that can be signed. The evidence is
 * checked before the note is locked, in a thread, and again if somebody else changed the note meanwhile.
 */
export const changeNote = (
  parts: RecheckParts,
  tenant: TenantScope,
  context: ChangeContext,
  read: NoteRow,
  change: NoteChange,
): Promise<NoteRow> =>
  inRecheckPlace(parts.rechecks, tenant, read, () => checkAndChange(parts, tenant, context, read, change))

async function checkAndChange(
  { db, checker }: RecheckParts,
  tenant: TenantScope,
  context: ChangeContext,
  read: NoteRow,
  change: NoteChange,
): Promise<NoteRow> {
  let note = read
  for (let tries = 1; tries <= triesMost; tries++) {
    const checked = await checkSections(checker, context, note, change)
    const outcome = await db.write(tenant, async (tx) => {
      const locked = await requireChangeable(tx, context, note.noteId, change)
      if (isOther(locked, note)) return { isDone: false, note: locked }
      const kept = { ...checked, template: templateFor(locked), operation: 'progressNote.change' } as const
      return { isDone: true, note: await keepEditedVersion(tx, context, locked, kept) }
    })
    if (outcome.isDone) return outcome.note
    note = outcome.note
  }
  throw changedMeanwhile()
}

/** Whether the note has become another one: another text, one that was struck, or one that was judged anew by words that were put right meanwhile. */
const isOther = (one: NoteRow, other: NoteRow): boolean =>
  one.version !== other.version ||
  one.updatedAt.getTime() !== other.updatedAt.getTime() ||
  one.judgedAt?.getTime() !== other.judgedAt?.getTime()

/** A check takes milliseconds: who loses this often writes against a machine. */
const triesMost = 5

export const changedMeanwhile = () =>
  refuse.conflict('note_changed', 'Progress note has changed since it was read')

const checkSections = async (
  checker: NoteChecker,
  { ring }: ChangeContext,
  note: NoteRow,
  { patch, findTalk }: NoteChange,
): Promise<CheckedNote & { goals: NoteGoal[] }> => {
  // Of each try: a stretch may have been struck since the last.
  const talk = await findTalk()
  // The talk's megabytes and the note's are a turn each.
  await nextTurn()
  const template = templateFor(note)
  const stood = readSections(ring, note)
  const sections = mergeSections(template, patch.note, stood)
  const before = readReview(ring, note)
  const checked = await recheckNote(checker, ring.tenantId, { template, sections, talk, before })
  const links = { goals: readGoals(ring, note), sections: checked.sections, before: stood }
  return { ...checked, goals: await linkChanged(checker, ring.tenantId, links) }
}

interface CheckedNote {
  sections: NoteSection[]
  review: readonly ReviewItem[]
}

interface UncheckedNote {
  template: NoteTemplate
  sections: NoteSection[]
  talk: PackedTalk | null
  /** The list of the text of before. */
  before: readonly ReviewItem[]
}

/** What stayed keeps its judgement, what is new is the clinician's; and what the note leaves out now. */
export async function recheckNote(
  checker: NoteChecker,
  tenantId: TenantId,
  { template, sections, talk, before }: UncheckedNote,
): Promise<CheckedNote> {
  if (talk === null) {
    const plain = sections.map((section) => ({ ...section, evidence: [] }))
    const unmet = await checker.listUnmet({ template, sections: plain }, tenantId)
    if (unmet === null) throw notChecked()
    return { sections: plain, review: withUnmet([], unmet) }
  }
  // So are opening a note and handing it on.
  await nextTurn()
  const rechecked = await checker.recheck({ noteType: template.noteType, sections, talk }, tenantId)
  if (rechecked === null) throw notChecked()
  const unmet = await checker.listUnmet({ template, sections: rechecked.sections }, tenantId)
  if (unmet === null) throw notChecked()
  return {
    sections: rechecked.sections,
    review: withUnmet(keepLeftOut(rechecked.ledger.review, before), unmet),
  }
}

async function requireChangeable(
  tx: Tx,
  { ring }: ChangeContext,
  noteId: NoteId,
  { patch, ifMatch, requireAccess }: NoteChange,
): Promise<NoteRow> {
  const note = await getLockedNote(tx, noteId)
  await requireAccess?.(tx)
  requireUnlocked(note)
  const problems = findSectionProblems(templateFor(note), patch.note)
  if (problems.length > 0) throw refuse.invalid(problems)
  // Where what was struck could not be written again, whoever puts words there answers for them. Blank sections are none.
  if (!note.isEmptied || !patch.note.some(({ content }) => /[\p{L}\p{N}]/u.test(content)))
    requireWritten(note)
  if (ifMatch !== null && !matchesTag(ifMatch, ring, note)) {
    throw changedMeanwhile()
  }
  return note
}

type GivenSections = NotePatch['note']

/** Sections of the template only, none twice. Which of them, and in which order, is the clinician's choice. */
function findSectionProblems(template: NoteTemplate, given: GivenSections): string[] {
  const known = listKeys(template)
  return given.flatMap(({ key }, index) => {
    if (!known.includes(key))
      return [`note.${index}.key must be one of the following values: ${known.join(', ')}`]
    return given.findIndex((one) => one.key === key) < index ? [`note.${index}.key must be unique`] : []
  })
}

/** Evidence is ours and cannot be sent: the checker leaves it with the sentences that stayed, and finds it for the others. */
function mergeSections(
  template: NoteTemplate,
  given: GivenSections,
  before: readonly NoteSection[],
): NoteSection[] {
  const titles = new Map(template.sections.map(({ key, title }) => [key, title]))
  return given.map(({ key, title, content }) => ({
    key,
    title: title ?? titles.get(key) ?? key,
    content,
    evidence: before.find((section) => section.key === key)?.evidence ?? [],
  }))
}
