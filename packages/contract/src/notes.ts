/** Ruling 7. */
export const NOTE_TYPES = [
  'soap',
  'dap',
  'birp',
  'girp',
  'pirp',
  'psychotherapy_intake',
  'psychiatric_evaluation',
  'medication_management',
] as const
export type NoteType = (typeof NOTE_TYPES)[number]

/** Only they get MDM elements, and only a prescriber may use them. */
export const PRESCRIBER_NOTE_TYPES = [
  'psychiatric_evaluation',
  'medication_management',
] as const satisfies NoteType[]

export const isPrescriberNoteType = (noteType: NoteType): boolean =>
  (PRESCRIBER_NOTE_TYPES as readonly NoteType[]).includes(noteType)
