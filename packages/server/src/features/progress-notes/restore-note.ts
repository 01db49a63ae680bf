import type { NoteSection } from '@casenote/contract'
import type { PackedTalk } from '../../engines/checker/checker-requests.js'
import { enqueueStep } from '../../jobs/enqueue-step.js'
import type { ChangeContext } from '../../kernel/change-context.js'
import type { Tx } from '../../kernel/db/database.js'
import { refuse } from '../../kernel/refuse.js'
import { unsealJson, unsealLongJson } from '../../kernel/secrets/sealed-json.js'
import type { TenantScope } from '../../kernel/tenant.js'
import { findKeptTemplate } from '../templates/index.js'
import { asJudged } from './as-judged.js'
import { changedMeanwhile, recheckNote, type RecheckParts } from './change-note.js'
import { readReview, readSections } from './describe-note.js'
import { findRewritten } from './find-rewriting.js'
import { getLockedNote } from './get-note.js'
import { keepEditedVersion } from './keep-edited-version.js'
import { reviewPlace, versionPlace } from './note-content.js'
import { dropEmptyWordings, keepLinks, readGoals, readGoalsOf, uniteGoals } from './note-goals.js'
import { keepRewritings } from './note-generations.sql.js'
import { requireUnlocked, requireWritten } from './note-lifecycle.js'
import { selectNoteVersion, type NoteRow } from './progress-notes.sql.js'
import { inRecheckPlace } from './recheck-places.js'

export interface Restoration {
  version: number
  /** Null: all of them. */
  sectionKeys: readonly string[] | null
  /** Finds the talk that the note is compared with, as for a change. */
  findTalk: () => Promise<PackedTalk | null>
  /** Asks once more under the lock whether the caller may still reach the note, as for a signature. */
  requireAccess: (tx: Tx) => Promise<void>
}

/**
 * The note is again what an earlier version was, as a new version by the clinician's hand: nothing that was written is
 * lost, and like any edit it sends no event. Speakers may have been corrected since: evidence is judged by the transcript
 * as it is now, in a thread and before the note is locked; versions never change, but a strike takes them all away.
 */
export const restoreNote = (
  parts: RecheckParts,
  tenant: TenantScope,
  context: ChangeContext,
  note: NoteRow,
  restoration: Restoration,
): Promise<NoteRow> =>
  inRecheckPlace(parts.rechecks, tenant, note, () =>
    checkAndRestore(parts, tenant, context, note, restoration),
  )

async function checkAndRestore(
  { db, checker }: RecheckParts,
  tenant: TenantScope,
  context: ChangeContext,
  note: NoteRow,
  { version, sectionKeys, findTalk, requireAccess }: Restoration,
): Promise<NoteRow> {
  const { ring } = context
  const { noteId } = note
  const talk = await findTalk()
  const [old] = await db.read(tenant, selectNoteVersion(tenant, noteId, version))
  if (old === undefined) {
    requireUnlocked(note)
    throw refuse.invalid(['version must be a version of the note'])
  }
  const { noteType: typeThen, templateId, templateVersion } = old
  const noteType = typeThen ?? note.noteType
  const template = await db.write(tenant, (tx) =>
    findKeptTemplate(tx, { noteType, templateId, templateVersion }),
  )
  if (sectionKeys !== null && noteType !== note.noteType)
    throw refuse.invalid(['version must have the note type that the note has now'])
  const whole = await unsealLongJson(ring, versionPlace(noteId, version), old.sealedSections)
  // While something is written, the sections are its draft: should it fail, they are nobody's text.
  if (sectionKeys !== null) requireUnlocked(note)
  const written = sectionKeys === null ? whole : putBack(whole, readSections(ring, note), sectionKeys)
  // What was left out goes with its text; of sections of both nobody knows from which it was.
  const ofOld =
    old.sealedReview === null ? [] : unsealJson(ring, reviewPlace(noteId, version), old.sealedReview)
  const checked = await recheckNote(checker, tenant.tenantId, {
    template,
    sections: asJudged(written),
    talk,
    before: sectionKeys === null ? ofOld : [...readReview(ring, note), ...ofOld],
  })
  // Those of then, and whatever of now stands in it.
  const united = uniteGoals(readGoalsOf(ring, { noteId, version, ...old }), readGoals(ring, note))
  const goals = dropEmptyWordings(keepLinks(united, checked.sections))
  const open = await findRewritten(db, ring, note, { sections: written, noteType })
  return db.write(tenant, async (tx) => {
    const locked = await getLockedNote(tx, noteId)
    await requireAccess(tx)
    requireUnlocked(locked)
    requireWritten(locked)
    const [still] = await tx.run(selectNoteVersion(tenant, noteId, version))
    if (still === undefined) throw changedMeanwhile()
    // The other sections are those that were read: what somebody typed meanwhile stays.
    if (sectionKeys !== null && locked.version !== note.version) throw changedMeanwhile()
    // Undone altogether: what is typed from now on is not to be taken for the rewriting's work.
    if (open?.sections.length === 0 && locked.version === note.version)
      await tx.run(keepRewritings(tenant, noteId, open.generationId))
    // Its evidence is of the time when it was written: words may have been put right since.
    await enqueueStep(tx, 'note_back', note.sessionId)
    const restored = { ...checked, goals, template, operation: 'progressNote.restore' } as const
    return keepEditedVersion(tx, context, locked, restored)
  })
}

/**
 * Some sections as they were: one that was not there goes, one that is gone comes back behind the one that it followed. The
 * others stay where they are, because their order is the clinician's.
 */
function putBack(
  old: readonly NoteSection[],
  now: readonly NoteSection[],
  sectionKeys: readonly string[],
): NoteSection[] {
  const wanted = new Map(old.filter(({ key }) => sectionKeys.includes(key)).map((one) => [one.key, one]))
  const merged = now.flatMap((section) =>
    sectionKeys.includes(section.key) ? (wanted.get(section.key) ?? []) : section,
  )
  const isPresent = (key: string): boolean => merged.some((section) => section.key === key)
  for (const [index, section] of old.entries()) {
    if (!wanted.has(section.key) || isPresent(section.key)) continue
    const ahead = old.slice(0, index).findLast(({ key }) => isPresent(key))
    merged.splice(merged.findIndex(({ key }) => key === ahead?.key) + 1, 0, section)
  }
  return merged
}
