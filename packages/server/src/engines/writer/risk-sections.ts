import type { NoteType } from '@casenote/contract'

/** Where a clinician looks for danger in each type of note (docs/clinical/note-types.md 1). */
export const RISK_SECTIONS: Readonly<Record<NoteType, string>> = {
  soap: 'assessment',
  dap: 'assessment',
  birp: 'behavior',
  girp: 'response',
  pirp: 'problem',
  psychotherapy_intake: 'risk_assessment',
  psychiatric_evaluation: 'risk_assessment',
  medication_management: 'risk_assessment',
}
