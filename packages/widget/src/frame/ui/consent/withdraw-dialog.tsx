import type { RecordingConsent, WidgetClient } from '@casenote/contract'
import { ConfirmDialog } from '../parts/confirm-dialog.js'
import { useUi } from '../ui-context.js'

interface WithdrawProps {
  clientId: string
  onChange: (client: WidgetClient) => void
  onClose: () => void
}

export function WithdrawDialog({ clientId, onChange, onClose }: WithdrawProps) {
  const { engine, texts } = useUi()
  const { consent } = texts.value
  const withdraw = async (): Promise<void> => {
    const no: RecordingConsent = { textVersion: consent.version, given: false }
    onChange(await engine.api.send<WidgetClient>('POST', `/clients/${clientId}/consent`, no))
  }
  return (
    <ConfirmDialog
      title={consent.withdrawTitle}
      action={consent.withdraw}
      icon="close"
      isDanger
      work={withdraw}
      onClose={onClose}
    >
      <p>{consent.withdrawBody}</p>
    </ConfirmDialog>
  )
}
