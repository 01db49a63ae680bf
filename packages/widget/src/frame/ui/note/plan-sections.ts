import type { NoteSection } from '@casenote/contract'

/** For pages that keep the treatment plan themselves (`hideTreatmentPlan`): neither shown nor copied, never removed. */
const planKeys = new Set(['plan', 'treatment_plan', 'treatment_goals'])

export const withoutPlan = <Section extends { key: string }>(
  sections: readonly Section[],
  hideTreatmentPlan: boolean | undefined,
): Section[] => sections.filter(({ key }) => hideTreatmentPlan !== true || !planKeys.has(key))

export type SectionWords = Pick<NoteSection, 'title' | 'content'>

/** As it is pasted into a record. */
export const toPlainText = (sections: readonly SectionWords[]): string =>
  sections
    .filter(({ content }) => content.trim() !== '')
    .map(({ title, content }) => `${title}\n${content.trim()}`)
    .join('\n\n')
