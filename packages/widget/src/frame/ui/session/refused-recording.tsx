import { useSignal } from '@preact/signals'
import type { SendingRecording } from '../../engine/engine.js'
import { Button } from '../parts/button.js'
import { Failure } from '../parts/failure.js'
import { Notice } from '../parts/notice.js'
import { DiscardDialog } from '../screens/discard-dialog.js'
import { useTask } from '../task.js'
import { useUi } from '../ui-context.js'

/** The service does not take it. It stays here until the clinician says what becomes of it. */
export function RefusedRecording({ recording }: { recording: SendingRecording }) {
  const { engine, texts } = useUi()
  const { sending, general, unfinished } = texts.value
  const { recorder } = engine
  const isDiscarding = useSignal(false)
  const { isBusy, failure, run } = useTask()
  const { recordingId, problem } = recording
  return (
    <>
      <Notice
        kind="danger"
        role="alert"
        title={sending.refusedTitle}
        actions={
          <>
            <Button
              icon="refresh"
              isBusy={isBusy}
              onClick={() => run(() => recorder.finishUnfinished(recordingId))}
            >
              {general.retry}
            </Button>
            <Button
              isBusy={isBusy}
              onClick={() => run(async () => save(await recorder.readFiles(recordingId)))}
            >
              {sending.saveFile}
            </Button>
            <Button kind="quiet" icon="trash" onClick={() => (isDiscarding.value = true)}>
              {unfinished.discard}
            </Button>
          </>
        }
      >
        {problem} {sending.refused}
        <Failure error={failure} />
      </Notice>
      {isDiscarding.value ? (
        <DiscardDialog
          onClose={() => (isDiscarding.value = false)}
          discard={() => recorder.discardUnfinished(recordingId)}
        />
      ) : null}
    </>
  )
}

/** The browser's downloads take it from here; the address may go when they have read it, some day later than now. */
const saveWithinMs = 60_000

function save(files: readonly File[]): void {
  for (const file of files) {
    const href = URL.createObjectURL(file)
    Object.assign(document.createElement('a'), { href, download: file.name }).click()
    setTimeout(() => URL.revokeObjectURL(href), saveWithinMs)
  }
}
