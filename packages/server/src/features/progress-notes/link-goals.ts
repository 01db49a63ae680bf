import type { NoteSection } from '@casenote/contract'
import type { NoteChecker } from '../../engines/checker/note-checker.js'
import type { GoalLinks } from '../../engines/background.js'
import type { TenantId } from '../../kernel/ids.js'
import { addLinks, keepLinks, linkKey, type NoteGoal } from './note-goals.js'

/** Which sentences speak to which of the goals, in their order: by their words, in a thread. Null: no answer. */
export const askLinks = (
  checker: NoteChecker,
  tenantId: TenantId,
  { goals, sections }: { goals: readonly NoteGoal[]; sections: readonly NoteSection[] },
): Promise<GoalLinks[] | null> => {
  const asked = goals.map(({ goalId, text, objectives = [] }) => ({ goalId, texts: [text, ...objectives] }))
  // Links are made of the evidence: a text of megabytes need not go to a thread once more.
  const slim = sections.map((section) => ({ ...section, content: '' }))
  return checker.linkGoals({ sections: slim, goals: asked }, tenantId)
}

/**
 * After somebody changed the text: what stayed keeps its links, and what was not there before is linked by its words. Nobody is kept from saving
 * by a link that is wanting.
 */
export async function linkChanged(
  checker: NoteChecker,
  tenantId: TenantId,
  {
    goals,
    sections,
    before,
  }: { goals: readonly NoteGoal[]; sections: readonly NoteSection[]; before: readonly NoteSection[] },
): Promise<NoteGoal[]> {
  const kept = keepLinks(goals, sections)
  if (kept.length === 0) return kept
  const stood = new Set(
    before.flatMap(({ key, evidence }) =>
      evidence.map(({ sentence }) => linkKey({ section: key, sentence })),
    ),
  )
  const typed = sections.map((section) => ({
    ...section,
    evidence: section.evidence.filter(
      ({ sentence }) => !stood.has(linkKey({ section: section.key, sentence })),
    ),
  }))
  if (typed.every(({ evidence }) => evidence.length === 0)) return kept
  const links = await askLinks(checker, tenantId, { goals: kept, sections: typed })
  if (links === null) return kept
  return kept.map((goal, index) => addLinks(goal, links[index]?.sentences ?? []))
}
