import { useUi } from '../ui-context.js'
import { Button } from './button.js'
import { Notice } from './notice.js'

interface RecordButtonProps {
  title: string
  isBusy: boolean
  onStart: () => void
}

/** Begins a recording; one at a time is recorded. */
export function RecordButton({ title, isBusy, onStart }: RecordButtonProps) {
  const { engine, texts } = useUi()
  return (
    <Button
      kind="record"
      icon="mic"
      isBusy={isBusy}
      isDisabled={'recordingId' in engine.recorder.state.value}
      onClick={onStart}
    >
      {isBusy ? texts.value.setup.starting : title}
    </Button>
  )
}

/** Why this browser cannot record, where it cannot. */
export function NoRecorder() {
  const { engine, texts } = useUi()
  const recorder = engine.recorder.state.value
  return recorder.state === 'unavailable' ? (
    <Notice kind="warning" role="alert" title={texts.value.setup.unavailableTitle}>
      {recorder.reason}
    </Notice>
  ) : null
}
