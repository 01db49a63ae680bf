import type { NoteType } from '@casenote/contract'
import { listNoteTypes } from '../templates/choose-note-types.js'
import { useUi } from '../ui-context.js'

/** What the note may become: first what it is, then what this clinician may choose here. */
export function useNoteTypes(current: NoteType): [NoteType, ...NoteType[]] {
  const { engine, getClinician } = useUi()
  const clinician = getClinician()
  const allowed =
    clinician === null ? [] : listNoteTypes(clinician, engine.selection.value.options.noteOptions)
  return [current, ...allowed.filter((type) => type !== current)]
}
