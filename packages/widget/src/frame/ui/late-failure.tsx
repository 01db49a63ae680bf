import { fill } from '../texts/fill.js'
import { explain } from './load.js'
import { Button } from './parts/button.js'
import { Notice } from './parts/notice.js'
import { useUi } from './ui-context.js'

/** What failed after its screen was left, said where the clinician is; to nobody else. */
export function LateFailure() {
  const { engine, texts, late, getClinician } = useUi()
  const { general } = texts.value
  const failed = late.value
  if (failed === null || failed.clinicianId !== getClinician()?.id) return null
  // Somebody else sits beside the clinician while they are recorded.
  const of = 'recordingId' in engine.recorder.state.value ? undefined : failed.of
  const leave = (): void => {
    late.value = null
  }
  return (
    <Notice
      kind="warning"
      role="alert"
      title={general.lateTitle}
      actions={
        <>
          {of === undefined ? null : (
            <Button
              onClick={() => {
                leave()
                engine.select(of.clientId)
              }}
            >
              {fill(texts.value.chart.open, { name: of.name })}
            </Button>
          )}
          <Button kind={of === undefined ? 'plain' : 'quiet'} onClick={leave}>
            {general.close}
          </Button>
        </>
      }
    >
      {explain(failed.error, texts.value)}
    </Notice>
  )
}
