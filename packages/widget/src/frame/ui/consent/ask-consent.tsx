import type { RecordingConsent, WidgetClient, WidgetConsents } from '@casenote/contract'
import { useSignal } from '@preact/signals'
import { fill } from '../../texts/fill.js'
import { useLoad } from '../load.js'
import { Button } from '../parts/button.js'
import { Failure } from '../parts/failure.js'
import { Notice } from '../parts/notice.js'
import { Pending } from '../parts/pending.js'
import { useTask } from '../task.js'
import { TypeInstead } from '../typing/type-instead.js'
import { useUi } from '../ui-context.js'
import { AskedText } from './asked-text.js'
import { useConsentId } from './use-consent-id.js'

interface AskProps {
  client: WidgetClient
  onChange: (client: WidgetClient) => void
}

/** The clinic's own text where it has one, else what we have clinicians say. What the client said is kept with the version of what was shown. */
export function AskConsent({ client, onChange }: AskProps) {
  const { engine } = useUi()
  const path = `/clients/${client.id}/consents`
  const loaded = useLoad(() => engine.api.get<WidgetConsents>(path), [client.id])
  const result = loaded.result.value
  if (result.state === 'loading') return <Pending />
  if (result.state === 'failed') return <Failure error={result.error} onRetry={loaded.again} />
  return <Asked client={client} onChange={onChange} text={result.value.text} />
}

function Asked({ client, onChange, text }: AskProps & Pick<WidgetConsents, 'text'>) {
  const { engine, texts } = useUi()
  const { consent, consents } = texts.value
  const wasRefused = useSignal(false)
  const task = useTask()
  const isOwn = text.owner !== 'casenote'
  const withConsentId = useConsentId()
  const record = async (given: boolean): Promise<void> => {
    const asked: RecordingConsent = isOwn
      ? {
          given,
          textId: text.textId ?? null,
          textVersion: text.version,
          textOwner: text.owner,
          language: text.language,
          method: 'by_word',
        }
      : { given, textVersion: consent.version }
    const path = `/clients/${client.id}/consent`
    onChange(
      await withConsentId((known) => engine.api.send<WidgetClient>('POST', path, { ...asked, ...known })),
    )
  }
  const refuse = async (): Promise<void> => {
    await record(false)
    wasRefused.value = true
  }
  return (
    <section class="card stack">
      <h2>{consent.title}</h2>
      <p>{consent.lead}</p>
      {isOwn ? (
        <>
          <AskedText text={text} />
          <p class="muted detail">
            {fill(consents.version, { version: text.version, owner: consents.owners[text.owner] })}
          </p>
        </>
      ) : (
        <ul class="points">
          {consent.points.map((point) => (
            <li key={point}>{point}</li>
          ))}
        </ul>
      )}
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
