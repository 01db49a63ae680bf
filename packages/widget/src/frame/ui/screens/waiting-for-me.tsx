import type { Page, WidgetSession } from '@casenote/contract'
import { useLoad } from '../load.js'
import { fill } from '../../texts/fill.js'
import { formatName, formatTime } from '../format.js'
import { Failure } from '../parts/failure.js'
import { Icon } from '../parts/icon.js'
import { useUi } from '../ui-context.js'
import { useRefresh } from '../use-refresh.js'

/** For supervisors, above their own work; nothing for all others. The longest waiting stands first. */
export function WaitingForMe() {
  const { engine, texts, go } = useUi()
  const { coSign: words, locale } = texts.value
  const { result, again, renew } = useLoad(
    () => engine.api.get<Page<WidgetSession>>('/co-signatures?page=1'),
    [],
  )
  useRefresh(renew)
  if (result.value.state === 'loading') return null
  if (result.value.state === 'failed') return <Failure error={result.value.error} onRetry={again} />
  const { data, meta } = result.value.value
  if (data.length === 0) return null
  return (
    <section class="stack">
      <h2>
        {words.waitingTitle} <span class="muted">({meta.totalItems})</span>
      </h2>
      <ul class="list">
        {data.map(({ sessionId, client, note: { awaited } }) => (
          <li key={sessionId}>
            <button type="button" class="list-row" onClick={() => go({ name: 'session', sessionId })}>
              <span class="grow">
                <span class="row-title">{formatName(client)}</span>
                <span class="muted detail">
                  {awaited === null
                    ? null
                    : `${fill(words.waitingBy, { name: awaited.signerName })} · ${formatTime(locale, awaited.signedAt)}`}
                </span>
              </span>
              <Icon name="chevron" />
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
