import type { NoteSection, ProgressNote } from '@casenote/contract'

type KnownSection = ProgressNote['template']['sections'][number]

/** What a section of a plan may hold; one that holds anything else, above all danger, is a section of the session. */
const ofPlans: ReadonlySet<KnownSection['holds'][number]> = new Set(['plan', 'treatment_goals', 'done'])

const planKeys = new Set(['plan', 'treatment_plan', 'treatment_goals'])

const isPlan = ({ holds }: KnownSection): boolean =>
  holds.some((kind) => kind === 'plan' || kind === 'treatment_goals') &&
  holds.every((kind) => ofPlans.has(kind))

/**
 * For pages that keep the treatment plan themselves (`hideTreatmentPlan`): neither shown nor copied, never removed. By what the sections of
 * the note's template hold, whatever they are called; of another template's, as in an older version, by the names that ours have.
 */
export const withoutPlan = <Section extends { key: string }>(
  sections: readonly Section[],
  template: Pick<ProgressNote['template'], 'sections'> | undefined,
  hideTreatmentPlan: boolean | undefined,
): Section[] => {
  if (hideTreatmentPlan !== true) return [...sections]
  const known = new Map(template?.sections.map((section) => [section.key, isPlan(section)]))
  return sections.filter(({ key }) => !(known.get(key) ?? planKeys.has(key)))
}

export type SectionWords = Pick<NoteSection, 'title' | 'content'>

/** As it is pasted into a record. */
export const toPlainText = (sections: readonly SectionWords[]): string =>
  sections
    .filter(({ content }) => content.trim() !== '')
    .map(({ title, content }) => `${title}\n${content.trim()}`)
    .join('\n\n')
