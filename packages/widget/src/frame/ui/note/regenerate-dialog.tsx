import type { NoteType } from '@casenote/contract'
import { useSignal } from '@preact/signals'
import { ConfirmDialog } from '../parts/confirm-dialog.js'
import { Choice } from '../parts/field.js'
import { listNoteTypes } from '../screens/choose-note-types.js'
import { useSession } from '../session/session-context.js'
import { useUi } from '../ui-context.js'

export function RegenerateDialog({ onClose }: { onClose: () => void }) {
  const { engine, texts, getClinician } = useUi()
  const { model, session } = useSession()
  const { regenerate: words, setup, noteTypes } = texts.value
  const clinician = getClinician()
  const noteType = useSignal<NoteType>(model.editor.note.peek()?.noteType ?? session.noteType)
  const allowed =
    clinician === null ? [] : listNoteTypes(clinician, engine.selection.value.options.noteOptions)
  const choices = [...new Set([noteType.value, ...allowed])]
  return (
    <ConfirmDialog
      title={words.title}
      action={words.confirm}
      icon="refresh"
      work={() => model.rewriter.regenerate(noteType.value)}
      onClose={onClose}
    >
      <p>{words.body}</p>
      <Choice
        label={setup.noteType}
        value={noteType.value}
        choices={choices.map((type) => ({ value: type, title: noteTypes[type] }))}
        onChange={(value) => (noteType.value = choices.find((type) => type === value) ?? noteType.value)}
      />
    </ConfirmDialog>
  )
}
