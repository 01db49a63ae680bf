/** The part of a section that people edit. */
export interface SectionText {
  key: string
  content: string
}

export type Drafts = ReadonlyMap<string, string>

/** A section that was changed here and there. `theirs` is null where the section is gone from the note. */
export interface Conflict {
  key: string
  theirs: string | null
  mine: string
}

export interface Rebased {
  drafts: Map<string, string>
  conflicts: Conflict[]
}

/**
 * Moves unsaved drafts from the note they were typed on (`base`) to the one that is saved now (`theirs`). A draft of a
 * section that nobody else touched stays a draft; one that says what is saved already is done; the rest is for the
 * clinician to decide: no text is dropped by itself.
 */
export function rebaseDrafts(
  base: readonly SectionText[],
  theirs: readonly SectionText[],
  drafts: Drafts,
): Rebased {
  const rebased: Rebased = { drafts: new Map(), conflicts: [] }
  for (const [key, mine] of drafts) {
    const before = findContent(base, key)
    const now = findContent(theirs, key)
    if (now === mine || (now === null && mine === '')) continue
    if (now !== null && now === before) rebased.drafts.set(key, mine)
    else if (mine !== before || now === null) rebased.conflicts.push({ key, theirs: now, mine })
  }
  return rebased
}

export const findContent = (sections: readonly SectionText[], key: string): string | null =>
  sections.find((section) => section.key === key)?.content ?? null

/** Conflicts that are still open after the saved note changed once more. */
export const renewConflicts = (conflicts: readonly Conflict[], theirs: readonly SectionText[]): Conflict[] =>
  conflicts
    .map((conflict) => ({ ...conflict, theirs: findContent(theirs, conflict.key) }))
    .filter((conflict) => conflict.theirs !== conflict.mine)
