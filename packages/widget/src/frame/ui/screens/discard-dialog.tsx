import { ConfirmDialog } from '../parts/confirm-dialog.js'
import { useTexts } from '../ui-context.js'

export function DiscardDialog({ discard, onClose }: { discard: () => Promise<void>; onClose: () => void }) {
  const { recording } = useTexts()
  return (
    <ConfirmDialog
      title={recording.discardTitle}
      action={recording.discardConfirm}
      icon="trash"
      isDanger
      work={discard}
      onClose={onClose}
    >
      <p>{recording.discardBody}</p>
    </ConfirmDialog>
  )
}
