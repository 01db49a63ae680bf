import type { NoteType } from '@casenote/contract'
import { useSignal } from '@preact/signals'
import { attempt } from '../load.js'
import { Button } from '../parts/button.js'
import { Dialog } from '../parts/dialog.js'
import { Failure } from '../parts/failure.js'
import { Choice } from '../parts/field.js'
import { listNoteTypes } from '../screens/choose-note-types.js'
import { useUi } from '../ui-context.js'
import { useSession } from '../session/session-context.js'

export function RegenerateDialog({ onClose, onStarted }: { onClose: () => void; onStarted?: () => void }) {
  const { engine, texts } = useUi()
  const { model, session } = useSession()
  const { regenerate: words, setup, noteTypes } = texts.value
  const auth = engine.auth.value
  const clinician = 'clinician' in auth ? auth.clinician : null
  const noteType = useSignal<NoteType>(model.editor.note.peek()?.noteType ?? session.noteType)
  const isBusy = useSignal(false)
  const failure = useSignal<unknown>(null)
  const allowed =
    clinician === null ? [] : listNoteTypes(clinician, engine.selection.value.options.noteOptions)
  const choices = [...new Set([noteType.value, ...allowed])]
  const confirm = async (): Promise<void> => {
    isBusy.value = true
    await model.rewriter.regenerate(noteType.value)
    onStarted?.()
    onClose()
  }
  return (
    <Dialog
      title={words.title}
      onClose={onClose}
      confirm={
        <Button
          kind="primary"
          icon="refresh"
          isBusy={isBusy.value}
          onClick={() =>
            attempt(confirm, (error) => {
              failure.value = error
              isBusy.value = false
            })
          }
        >
          {words.confirm}
        </Button>
      }
    >
      <p>{words.body}</p>
      <Choice
        label={setup.noteType}
        value={noteType.value}
        choices={choices.map((type) => ({ value: type, title: noteTypes[type] }))}
        onChange={(value) => (noteType.value = choices.find((type) => type === value) ?? noteType.value)}
      />
      {failure.value === null ? null : <Failure error={failure.value} />}
    </Dialog>
  )
}
