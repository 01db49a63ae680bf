import { useSignal } from '@preact/signals'
import type { SendingRecording } from '../../engine/engine.js'
import { Button } from '../parts/button.js'
import { Failure } from '../parts/failure.js'
import { Notice } from '../parts/notice.js'
import { DiscardDialog } from './discard-dialog.js'
import { useTask } from '../task.js'
import { useUi } from '../ui-context.js'

/**
 * The service does not take it. It stays here until the clinician says what becomes of it. Where the client withdrew the consent
 * while it was recorded, that is the question: keep what there is, or throw it away.
 */
export function RefusedRecording({ recording }: { recording: SendingRecording }) {
  const { engine, texts } = useUi()
  const { sending, general, unfinished, consents } = texts.value
  const isWithdrawn =
    (recording.problem?.cause as Partial<Response> | undefined)?.headers?.get('casenote-error-code') ===
    'consent_withdrawn'
  const { recorder } = engine
  const isDiscarding = useSignal(false)
  const { isBusy, failure, run } = useTask()
  const { recordingId, problem } = recording
  return (
    <>
      <Notice
        kind="danger"
        role="alert"
        title={isWithdrawn ? consents.endedTitle : sending.refusedTitle}
        actions={
          <>
            <Button
              icon={isWithdrawn ? 'check' : 'refresh'}
              isBusy={isBusy}
              onClick={() => run(() => recorder.finishUnfinished(recordingId, isWithdrawn))}
            >
              {isWithdrawn ? consents.keepRecorded : general.retry}
            </Button>
            {isWithdrawn ? null : (
              <Button
                isBusy={isBusy}
                onClick={() => run(async () => save(await recorder.readFiles(recordingId)))}
              >
                {sending.saveFile}
              </Button>
            )}
            <Button kind="quiet" icon="trash" onClick={() => (isDiscarding.value = true)}>
              {unfinished.discard}
            </Button>
          </>
        }
      >
        {isWithdrawn ? consents.ended : `${problem?.message} ${sending.refused}`}
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
