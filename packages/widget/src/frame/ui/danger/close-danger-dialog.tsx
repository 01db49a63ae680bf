import type { DangerItem } from '@casenote/contract'
import { useSignal } from '@preact/signals'
import { ConfirmDialog } from '../parts/confirm-dialog.js'
import { useUi } from '../ui-context.js'
import { DangerWords } from './danger-entry.js'
import { ReasonField } from './reason-field.js'

interface CloseDangerDialogProps {
  item: DangerItem
  close: (reason: string) => Promise<void>
  onClose: () => void
}

export function CloseDangerDialog({ item, close, onClose }: CloseDangerDialogProps) {
  const { danger: words } = useUi().texts.value
  const reason = useSignal('')
  return (
    <ConfirmDialog
      title={words.closeTitle}
      action={words.closeAction}
      icon="check"
      isDisabled={reason.value.trim() === ''}
      work={() => close(reason.value)}
      onClose={onClose}
    >
      <div class="danger-quoted">
        <strong>{item.label}</strong>
        <DangerWords item={item} />
      </div>
      <ReasonField label={words.closeReason} reason={reason} />
      <p class="muted detail">{words.closeLead}</p>
    </ConfirmDialog>
  )
}
