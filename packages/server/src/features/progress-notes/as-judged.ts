import type { NoteSection } from '@casenote/contract'

/** A version that was kept before sentences had a judgement: what its checker bore out was checked by rules alone. */
export const asJudged = (sections: readonly NoteSection[]): NoteSection[] =>
  sections.map((section) => ({
    ...section,
    evidence: section.evidence.map((entry) => ({
      ...entry,
      // Kept versions may lack them, whatever the type says of new ones.
      judgement:
        (entry.judgement as typeof entry.judgement | undefined) ??
        (entry.supported ? 'exact_checks_only' : 'refused'),
      reason: (entry.reason as typeof entry.reason | undefined) ?? (entry.supported ? null : 'not_said'),
    })),
  }))
