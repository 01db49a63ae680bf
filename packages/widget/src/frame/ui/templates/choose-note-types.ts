import { isPrescriberNoteType, NOTE_TYPES, type NoteType, type WidgetClinician } from '@casenote/contract'
import type { NoteOptions } from '../../../protocol.js'

/** What this clinician may choose, as far as the page allows it. An offer that leaves nothing is no offer. */
export function listNoteTypes(clinician: WidgetClinician, options: NoteOptions = {}): NoteType[] {
  const allowed = NOTE_TYPES.filter((noteType) => clinician.prescriber || !isPrescriberNoteType(noteType))
  const offered = allowed.filter((noteType) => options.availableNoteTypes?.includes(noteType))
  return offered.length > 0 ? offered : allowed
}

/** The page's wish, else the clinician's own habit, else the first of the list. */
export function chooseNoteType(clinician: WidgetClinician, options: NoteOptions = {}): NoteType {
  const choices = listNoteTypes(clinician, options)
  const wished = choices.find((noteType) => noteType === options.noteType)
  const habitual = choices.find((noteType) => noteType === clinician.defaultNoteType)
  return wished ?? habitual ?? choices[0] ?? 'soap'
}
