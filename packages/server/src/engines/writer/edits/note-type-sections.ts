import type { NoteTemplate } from '@casenote/contract'
import { findSection, listKeys, placeOf } from '../templates/note-template.js'

/** What a section is about, whatever a template calls it; from the nearest to the farthest relative. */
const relatives: readonly (readonly string[])[] = [
  [
    'subjective',
    'data',
    'behavior',
    'problem',
    'presenting_problem',
    'interval_history',
    'chief_complaint',
    'history_of_present_illness',
    'goal',
  ],
  ['objective', 'mental_status_exam', 'data', 'behavior', 'response'],
  ['assessment', 'diagnostic_impression', 'diagnoses', 'response', 'risk_assessment'],
  ['intervention', 'data', 'assessment', 'plan'],
  ['response', 'assessment', 'data', 'response_to_medication'],
  ['goal', 'treatment_goals', 'plan', 'assessment'],
  ['risk_assessment', 'assessment', 'behavior', 'response'],
  ['psychiatric_history', 'past_psychiatric_history'],
  ['past_psychiatric_history', 'psychiatric_history'],
  ['family_history', 'family_psychiatric_history'],
  ['psychosocial_history', 'social_history'],
  ['substance_use_history', 'substance_use'],
  ['medical_history', 'current_medications'],
  ['current_medications', 'medication_changes', 'medical_history'],
  ['medication_changes', 'plan'],
  ['vitals_labs', 'objective', 'mental_status_exam'],
]

/**
 * The section of another template that a sentence of this one belongs to: by its name, by what it is about, or by what both hold.
 * Every template has one for each.
 */
export function findNearestSection(key: string, to: NoteTemplate, from?: NoteTemplate): string {
  const keys = listKeys(to)
  if (keys.includes(key)) return key
  const lists = [
    ...relatives.filter(([own]) => own === key),
    ...relatives.filter((list) => list.slice(1).includes(key)),
  ]
  const near = lists.flat().find((candidate) => keys.includes(candidate))
  if (near !== undefined) return near
  const kinds = from === undefined ? [] : (findSection(from, key)?.holds ?? [])
  const alike = to.sections.find(({ holds = [] }) => holds.some((one) => kinds.includes(one)))
  return alike?.key ?? placeOf(to, 'reported')
}
