import type { NoteType } from '@casenote/contract'
import { useSignal } from '@preact/signals'
import { ConfirmDialog } from '../parts/confirm-dialog.js'
import { Choice } from '../parts/field.js'
import { useSession } from '../open-session/session-context.js'
import { Templates } from '../templates/templates.js'
import { useUi } from '../ui-context.js'
import { useNoteTypes } from './use-note-types.js'

export function RegenerateDialog({ onClose }: { onClose: () => void }) {
  const { texts } = useUi()
  const { model, session } = useSession()
  const { regenerate: words, note, setup, noteTypes } = texts.value
  const noteType = useSignal<NoteType>(model.editor.note.peek()?.noteType ?? session.noteType)
  const template = useSignal('')
  const choices = useNoteTypes(noteType.value)
  return (
    <ConfirmDialog
      title={words.title}
      action={note.regenerate}
      icon="refresh"
      work={() => model.rewriter.regenerate(noteType.value, template.value)}
      onClose={onClose}
    >
      <p>{words.body}</p>
      <Choice
        label={setup.noteType}
        value={noteType.value}
        choices={choices.map((type) => ({ value: type, title: noteTypes[type] }))}
        onChange={(value) => (noteType.value = choices.find((type) => type === value) ?? noteType.value)}
      />
      <Templates noteType={noteType.value} value={template} hasPreferences />
    </ConfirmDialog>
  )
}
