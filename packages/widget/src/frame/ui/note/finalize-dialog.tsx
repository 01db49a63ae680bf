import { useSignal } from '@preact/signals'
import { attempt } from '../load.js'
import { Button } from '../parts/button.js'
import { Dialog } from '../parts/dialog.js'
import { Failure } from '../parts/failure.js'
import { Notice } from '../parts/notice.js'
import { useUi } from '../ui-context.js'
import { useSession } from '../session/session-context.js'
import { countUnsupported } from './split-evidence.js'

/** Says what signing does before it is done. */
export function FinalizeDialog({ onClose }: { onClose: () => void }) {
  const { texts, announce } = useUi()
  const { model } = useSession()
  const words = texts.value.finalize
  const isBusy = useSignal(false)
  const failure = useSignal<unknown>(null)
  const unsupported = countUnsupported(model.editor.note.value?.note ?? [])
  const confirm = async (): Promise<void> => {
    isBusy.value = true
    await model.rewriter.finalize()
    announce(words.finalized)
    onClose()
  }
  return (
    <Dialog
      title={words.title}
      onClose={onClose}
      confirm={
        <Button
          kind="primary"
          icon="lock"
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
      <ul class="points">
        {words.points.map((point) => (
          <li key={point}>{point}</li>
        ))}
      </ul>
      {unsupported === 0 ? null : <Notice kind="warning">{words.unsupported(unsupported)}</Notice>}
      {failure.value === null ? null : <Failure error={failure.value} />}
    </Dialog>
  )
}
