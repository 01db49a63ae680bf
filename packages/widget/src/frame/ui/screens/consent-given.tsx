import type { WidgetClient } from '@casenote/contract'
import { useSignal } from '@preact/signals'
import { fill } from '../../texts/fill.js'
import { formatDay } from '../format.js'
import { Icon } from '../parts/icon.js'
import { Later } from '../parts/later.js'
import { useTexts } from '../ui-context.js'

interface ConsentProps {
  client: WidgetClient
  onChange: (client: WidgetClient) => void
}

/** A part of its own: most clients agreed long ago. */
const load = () => import('../consent/consents.js')

/** What a client must be told before anything is recorded. */
export const ConsentCard = (props: ConsentProps) => (
  <Later load={load} show={({ AskConsent }) => <AskConsent {...props} />} />
)

export function ConsentGiven({ client, consentedAt, onChange }: ConsentProps & { consentedAt: string }) {
  const { consent, locale } = useTexts()
  const isAsking = useSignal(false)
  return (
    <div class="consent-given muted">
      <Icon name="check" />
      <span class="grow">{fill(consent.recorded, { date: formatDay(locale, consentedAt) })}</span>
      <button type="button" class="link" onClick={() => (isAsking.value = true)}>
        {consent.withdraw}
      </button>
      {isAsking.value ? (
        <Later
          load={load}
          show={({ WithdrawDialog }) => (
            <WithdrawDialog
              clientId={client.id}
              onChange={onChange}
              onClose={() => (isAsking.value = false)}
            />
          )}
        />
      ) : null}
    </div>
  )
}
