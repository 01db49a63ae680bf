import type { WidgetAssessments } from '@casenote/contract'
import { fill } from '../../texts/fill.js'
import { formatDay } from '../format.js'
import { useLoad } from '../load.js'
import { Failure } from '../parts/failure.js'
import { Pending } from '../parts/pending.js'
import { useTexts, useUi } from '../ui-context.js'
import { AlertList } from './alert-list.js'
import { TrendView } from './trend-view.js'

export function AssessmentsTab({ clientId }: { clientId: string }) {
  const { engine } = useUi()
  const { assessments: words, locale, tabs } = useTexts()
  const loaded = useLoad(
    () => engine.api.get<WidgetAssessments>(`/clients/${clientId}/assessments`),
    [clientId],
  )
  const result = loaded.result.value
  if (result.state === 'loading') return <Pending lines={6} />
  if (result.state === 'failed') return <Failure error={result.error} onRetry={loaded.again} />
  const { alerts, outstanding, trends } = result.value
  return (
    <div class="stack">
      <h2 class="hidden">{tabs.assessments}</h2>
      <AlertList alerts={alerts} />
      <section class="stack">
        <h3>{words.trends}</h3>
        {trends.length === 0 ? <p class="muted">{words.noTrends}</p> : null}
        {trends.map((trend) => (
          <TrendView key={trend.assessmentId} trend={trend} />
        ))}
      </section>
      <section class="stack">
        <h3>{words.outstanding}</h3>
        {outstanding.length === 0 ? <p class="muted">{words.noneOutstanding}</p> : null}
        <ul class="plain-list">
          {outstanding.map(({ id, name, assignedAt, expiresAt }) => (
            <li key={id} class="outstanding">
              <span class="row-title">{name}</span>
              <span class="muted detail">
                {fill(words.assigned, { date: formatDay(locale, assignedAt) })},{' '}
                {fill(words.expires, { date: formatDay(locale, expiresAt) })}
              </span>
            </li>
          ))}
        </ul>
      </section>
    </div>
  )
}
