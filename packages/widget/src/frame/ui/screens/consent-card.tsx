import type { RecordingConsent, WidgetClient } from '@casenote/contract'
import { useSignal } from '@preact/signals'
import { fill } from '../../texts/fill.js'
import { formatDay } from '../format.js'
import { Button } from '../parts/button.js'
import { ConfirmDialog } from '../parts/confirm-dialog.js'
import { Failure } from '../parts/failure.js'
import { Icon } from '../parts/icon.js'
import { Notice } from '../parts/notice.js'
import { useTask } from '../task.js'
import { TypeInstead } from '../typing/type-instead.js'
import { useUi } from '../ui-context.js'

interface ConsentProps {
  client: WidgetClient
  onChange: (client: WidgetClient) => void
}

/** What a client must be told before anything is recorded. What they said is kept with the text's version. */
export function ConsentCard({ client, onChange }: ConsentProps) {
  const { consent } = useUi().texts.value
  const wasRefused = useSignal(false)
  const task = useTask()
  const record = useRecordConsent(client, onChange)
  const refuse = async (): Promise<void> => {
    await record(false)
    wasRefused.value = true
  }
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
        <Button kind="primary" icon="check" isBusy={task.isBusy} onClick={() => task.run(() => record(true))}>
          {consent.given}
        </Button>
        <Button isBusy={task.isBusy} onClick={() => task.run(refuse)}>
          {consent.refused}
        </Button>
      </div>
      {wasRefused.value ? (
        <Notice kind="info" role="status" actions={<TypeInstead clientId={client.id} kind="primary" />}>
          {consent.refusedNote}
        </Notice>
      ) : (
        <div class="row">
          <TypeInstead clientId={client.id} />
        </div>
      )}
      <Failure error={task.failure} />
    </section>
  )
}

export function ConsentGiven({ client, consentedAt, onChange }: ConsentProps & { consentedAt: string }) {
  const { consent, locale } = useUi().texts.value
  const isAsking = useSignal(false)
  const record = useRecordConsent(client, onChange)
  return (
    <div class="consent-given muted">
      <Icon name="check" />
      <span class="grow">{fill(consent.recorded, { date: formatDay(locale, consentedAt) })}</span>
      <button type="button" class="link" onClick={() => (isAsking.value = true)}>
        {consent.withdraw}
      </button>
      {isAsking.value ? (
        <ConfirmDialog
          title={consent.withdrawTitle}
          action={consent.withdraw}
          icon="close"
          isDanger
          work={() => record(false)}
          onClose={() => (isAsking.value = false)}
        >
          <p>{consent.withdrawBody}</p>
        </ConfirmDialog>
      ) : null}
    </div>
  )
}

function useRecordConsent({ id }: WidgetClient, onChange: (client: WidgetClient) => void) {
  const { engine, texts } = useUi()
  return async (given: boolean): Promise<void> => {
    const consent: RecordingConsent = { textVersion: texts.peek().consent.version, given }
    onChange(await engine.api.send<WidgetClient>('POST', `/clients/${id}/consent`, consent))
  }
}
