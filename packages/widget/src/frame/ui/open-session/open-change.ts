import type { NoteRewriting, NoteSection } from '@casenote/contract'

/** Section by section only where both texts have the same sections and one grew out of the other. */
export const isCompared = (change: NoteRewriting): boolean =>
  change.kind === 'magic_edit' && !change.isOtherType

/**
 * The sections that undoing the whole change brings back. Not what the change never touched, nor what was kept and then typed
 * into: that is the clinician's. Null: the whole note, because a note of another type has other sections.
 */
export function listUndone(
  change: NoteRewriting,
  kept: ReadonlySet<string>,
  now: readonly NoteSection[],
): string[] | null {
  if (change.isOtherType) return null
  const texts = new Map(now.map(({ key, content }) => [key, content]))
  return change.sections
    .filter(({ key, after }) => !isCompared(change) || !kept.has(key) || (texts.get(key) ?? null) === after)
    .map(({ key }) => key)
}
