import type { NoteType } from '@casenote/contract'

/** Notes of many sections: one that tells all of one history has no words left for the next. */
const sharedNotes: ReadonlySet<NoteType> = new Set(['psychotherapy_intake', 'psychiatric_evaluation'])

/** Sections that have many parts by themselves, and how many statements they may have before others come first. */
const broadSections: ReadonlySet<string> = new Set(['history_of_present_illness', 'risk_assessment', 'plan'])
const broadCount = 3

/** Each statement that a section has makes its next one a tenth lighter; a seventh gave as many facts, a twentieth fewer. */
const lighter = 0.9

/** What a section's next statement weighs when it has so many. */
export const shareOf = (noteType: NoteType, section: string, count: number): number => {
  if (!sharedNotes.has(noteType)) return 1
  return lighter ** Math.max(count - (broadSections.has(section) ? broadCount : 0), 0)
}
