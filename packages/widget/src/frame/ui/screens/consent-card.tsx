import type { RecordingConsent, WidgetClient } from '@casenote/contract'
import { useSignal } from '@preact/signals'
import { formatDay } from '../format.js'
import { attempt } from '../load.js'
import { Button } from '../parts/button.js'
import { Dialog } from '../parts/dialog.js'
import { Failure } from '../parts/failure.js'
import { Icon } from '../parts/icon.js'
import { Notice } from '../parts/notice.js'
import { useUi } from '../ui-context.js'

interface ConsentProps {
  client: WidgetClient
  onChange: (client: WidgetClient) => void
}

/** What a client must be told before anything is recorded. What they said is kept with the text's version. */
export function ConsentCard({ client, onChange }: ConsentProps) {
  const { consent } = useUi().texts.value
  const wasRefused = useSignal(false)
  const { record, isBusy, failure } = useConsent(client, onChange)
  return (
    <section class="card stack">
      <h2>{consent.title}</h2>
      <p>{consent.lead}</p>
      <ul class="points">
        {consent.points.map((point) => (
          <li key={point}>{point}</li>
        ))}
      </ul>
      <div class="row">
        <Button kind="primary" icon="check" isBusy={isBusy} onClick={() => record(true)}>
          {consent.given}
        </Button>
        <Button isBusy={isBusy} onClick={() => record(false, () => (wasRefused.value = true))}>
          {consent.refused}
        </Button>
      </div>
      {wasRefused.value ? (
        <Notice kind="info" role="status">
          {consent.refusedNote}
        </Notice>
      ) : null}
      {failure === null ? null : <Failure error={failure} />}
    </section>
  )
}

export function ConsentGiven({ client, consentedAt, onChange }: ConsentProps & { consentedAt: string }) {
  const { consent, locale } = useUi().texts.value
  const isAsking = useSignal(false)
  const { record, isBusy, failure } = useConsent(client, onChange)
  return (
    <div class="consent-given muted">
      <Icon name="check" />
      <span class="grow">{consent.recorded(formatDay(locale, consentedAt))}</span>
      <button type="button" class="link" onClick={() => (isAsking.value = true)}>
        {consent.withdraw}
      </button>
      {isAsking.value ? (
        <Dialog
          title={consent.withdrawTitle}
          onClose={() => (isAsking.value = false)}
          confirm={
            <Button kind="danger" isBusy={isBusy} onClick={() => record(false)}>
              {consent.withdraw}
            </Button>
          }
        >
          <p>{consent.withdrawBody}</p>
          {failure === null ? null : <Failure error={failure} />}
        </Dialog>
      ) : null}
    </div>
  )
}

function useConsent(client: WidgetClient, onChange: (client: WidgetClient) => void) {
  const { engine, texts } = useUi()
  const isBusy = useSignal(false)
  const failure = useSignal<unknown>(null)
  const record = (given: boolean, onDone?: () => void): void => {
    isBusy.value = true
    failure.value = null
    const consent: RecordingConsent = { textVersion: texts.peek().consent.version, given }
    attempt(
      async () => {
        const path = `/clients/${client.id}/consent`
        onChange(await engine.api.send<WidgetClient>('POST', path, consent))
        isBusy.value = false
        onDone?.()
      },
      (error) => {
        failure.value = error
        isBusy.value = false
      },
    )
  }
  return { record, isBusy: isBusy.value, failure: failure.value }
}
