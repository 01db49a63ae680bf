import type { RecordingConsent, WidgetClient } from '@casenote/contract'
import { useSignal } from '@preact/signals'
import { fill } from '../../texts/fill.js'
import { formatDay } from '../format.js'
import { useLoad } from '../load.js'
import { ConfirmDialog } from '../parts/confirm-dialog.js'
import { Failure } from '../parts/failure.js'
import { Icon } from '../parts/icon.js'
import { Pending } from '../parts/pending.js'
import { useUi } from '../ui-context.js'

interface ConsentProps {
  client: WidgetClient
  onChange: (client: WidgetClient) => void
}

/** A part of its own: most clients agreed long ago. */
const load = () => import('../consent/consents.js')

/** What a client must be told before anything is recorded. */
export function ConsentCard(props: ConsentProps) {
  const loaded = useLoad(load, [])
  const result = loaded.result.value
  if (result.state === 'loaded') return <result.value.AskConsent {...props} />
  if (result.state === 'loading') return <Pending />
  return <Failure error={result.error} onRetry={loaded.again} />
}

export function ConsentGiven({ client, consentedAt, onChange }: ConsentProps & { consentedAt: string }) {
  const { engine, texts } = useUi()
  const { consent, locale } = texts.value
  const isAsking = useSignal(false)
  const withdraw = async (): Promise<void> => {
    const no: RecordingConsent = { textVersion: consent.version, given: false }
    onChange(await engine.api.send<WidgetClient>('POST', `/clients/${client.id}/consent`, no))
  }
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
          work={withdraw}
          onClose={() => (isAsking.value = false)}
        >
          <p>{consent.withdrawBody}</p>
        </ConfirmDialog>
      ) : null}
    </div>
  )
}
