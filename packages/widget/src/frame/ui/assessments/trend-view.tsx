import type { AssessmentTrend } from '@casenote/contract'
import { useSignal } from '@preact/signals'
import { fill } from '../../texts/fill.js'
import { formatDay } from '../format.js'
import { Icon } from '../parts/icon.js'
import { useTexts } from '../ui-context.js'
import { AnswersDialog } from './answers-dialog.js'
import { TrendChart } from './trend-chart.js'

/** One instrument: its latest score, the chart, and every value in a table. */
export function TrendView({ clientId, trend }: { clientId: string; trend: AssessmentTrend }) {
  const { assessments: words } = useTexts()
  const latest = trend.points.at(-1)
  if (latest === undefined) return null
  return (
    <article class="card stack tight trend">
      <div class="section-head">
        <h4>{trend.name}</h4>
        <p class="latest">
          <span class="hidden">{words.latest}: </span>
          <strong>{latest.score}</strong>
          <span class="muted"> / {trend.scoreMax}</span>
          {latest.severityName === null ? null : <span class="chip">{latest.severityName}</span>}
        </p>
      </div>
      <TrendChart trend={trend} />
      <p class="muted detail">{trend.isHigherBetter ? words.higherBetter : words.lowerBetter}</p>
      <details open>
        <summary>{words.table}</summary>
        <TrendTable clientId={clientId} trend={trend} />
      </details>
    </article>
  )
}

function TrendTable({ clientId, trend }: { clientId: string; trend: AssessmentTrend }) {
  const { assessments: words, locale } = useTexts()
  const opened = useSignal<string | null>(null)
  return (
    <>
      <table>
        <caption class="hidden">{trend.name}</caption>
        <thead>
          <tr>
            <th scope="col">{words.date}</th>
            <th scope="col">{words.score}</th>
            <th scope="col">{words.severity}</th>
            <th scope="col">{words.change}</th>
          </tr>
        </thead>
        <tbody>
          {trend.points.toReversed().map((point) => (
            <tr key={point.scoreId}>
              <th scope="row">
                <button
                  type="button"
                  class="link"
                  aria-label={fill(words.answersOn, { date: formatDay(locale, point.completedAt) })}
                  onClick={() => (opened.value = point.scoreId)}
                >
                  {formatDay(locale, point.completedAt)}
                </button>
              </th>
              <td>
                {point.score}
                {point.flags.length === 0 ? null : (
                  <span class="flag" title={words.flagged}>
                    <Icon name="warning" />
                    <span class="hidden">{words.flagged}</span>
                  </span>
                )}
              </td>
              <td>{point.severityName}</td>
              <td>
                <Change point={point} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {opened.value === null ? null : (
        <AnswersDialog
          clientId={clientId}
          scoreId={opened.value}
          name={trend.name}
          scoreMax={trend.scoreMax}
          onClose={() => (opened.value = null)}
        />
      )}
    </>
  )
}

function Change({ point }: { point: AssessmentTrend['points'][number] }) {
  const { assessments: words } = useTexts()
  if (point.change === null) return null
  const { change, reliableChange } = point
  return (
    <>
      {change > 0 ? `+${change}` : String(change).replace('-', '−')}
      {reliableChange === null ? null : (
        <span class={`muted detail ${reliableChange}`}> {words.reliable[reliableChange]}</span>
      )}
    </>
  )
}
