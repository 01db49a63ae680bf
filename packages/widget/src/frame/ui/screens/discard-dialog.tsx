import { useSignal } from '@preact/signals'
import { attempt } from '../load.js'
import { Button } from '../parts/button.js'
import { Dialog } from '../parts/dialog.js'
import { Failure } from '../parts/failure.js'
import { useTexts } from '../ui-context.js'

export function DiscardDialog({ discard, onClose }: { discard: () => Promise<void>; onClose: () => void }) {
  const texts = useTexts()
  const isBusy = useSignal(false)
  const failure = useSignal<unknown>(null)
  const confirm = (): void => {
    isBusy.value = true
    attempt(
      () => discard().then(onClose),
      (error) => {
        failure.value = error
        isBusy.value = false
      },
    )
  }
  return (
    <Dialog
      title={texts.recording.discardTitle}
      onClose={onClose}
      confirm={
        <Button kind="danger" icon="trash" isBusy={isBusy.value} onClick={confirm}>
          {texts.recording.discardConfirm}
        </Button>
      }
    >
      <p>{texts.recording.discardBody}</p>
      {failure.value === null ? null : <Failure error={failure.value} />}
    </Dialog>
  )
}
