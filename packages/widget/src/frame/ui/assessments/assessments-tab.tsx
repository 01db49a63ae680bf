import type { WidgetAssessments } from '@casenote/contract'
import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { useLoad } from '../load.js'
import { Button } from '../parts/button.js'
import { Failure } from '../parts/failure.js'
import { Pending } from '../parts/pending.js'
import { useTexts, useUi } from '../ui-context.js'
import { AlertList } from './alert-list.js'
import { OutstandingList } from './outstanding-list.js'
import { SendDialog } from './send-dialog.js'
import { TrendView } from './trend-view.js'

export function AssessmentsTab({ clientId }: { clientId: string }) {
  const { engine } = useUi()
  const { assessments: words, tabs } = useTexts()
  const isSending = useSignal(false)
  const isSent = useRef(false)
  const loaded = useLoad(
    () => engine.api.get<WidgetAssessments>(`/clients/${clientId}/assessments`),
    [clientId],
  )
  /** Only then: loading takes the dialog away, and with it the link. */
  const close = (): void => {
    isSending.value = false
    if (isSent.current) loaded.again()
    isSent.current = false
  }
  const result = loaded.result.value
  if (result.state === 'loading') return <Pending lines={6} />
  if (result.state === 'failed') return <Failure error={result.error} onRetry={loaded.again} />
  const assessments = result.value
  const { alerts, offered, trends } = assessments
  return (
    <div class="stack">
      <h2 class="hidden">{tabs.assessments}</h2>
      <AlertList alerts={alerts} />
      {offered.length === 0 ? null : (
        <div class="row">
          <Button icon="send" onClick={() => (isSending.value = true)}>
            {words.send}
          </Button>
        </div>
      )}
      <section class="stack">
        <h3>{words.outstanding}</h3>
        <OutstandingList clientId={clientId} assessments={assessments} onChange={loaded.again} />
      </section>
      <section class="stack">
        <h3>{words.trends}</h3>
        {trends.length === 0 ? <p class="muted">{words.noTrends}</p> : null}
        {trends.map((trend) => (
          <TrendView key={trend.assessmentId} clientId={clientId} trend={trend} />
        ))}
      </section>
      {isSending.value ? (
        <SendDialog
          clientId={clientId}
          assessments={assessments}
          onSent={() => (isSent.current = true)}
          onClose={close}
        />
      ) : null}
    </div>
  )
}
