import type { AssessmentTrend } from '@casenote/contract'
import { formatDay } from '../format.js'
import { Icon } from '../parts/icon.js'
import { useTexts } from '../ui-context.js'
import { TrendChart } from './trend-chart.js'

/** One instrument: its latest score, the chart, and every value in a table. */
export function TrendView({ trend }: { trend: AssessmentTrend }) {
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
          {latest.severity === null ? null : <span class="chip">{latest.severity}</span>}
        </p>
      </div>
      <TrendChart trend={trend} />
      <p class="muted detail">{trend.isHigherBetter ? words.higherBetter : words.lowerBetter}</p>
      <details open>
        <summary>{words.table}</summary>
        <TrendTable trend={trend} />
      </details>
    </article>
  )
}

function TrendTable({ trend }: { trend: AssessmentTrend }) {
  const { assessments: words, locale } = useTexts()
  return (
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
            <th scope="row">{formatDay(locale, point.completedAt)}</th>
            <td>
              {point.score}
              {point.flags.length === 0 ? null : (
                <span class="flag" title={words.flagged}>
                  <Icon name="warning" />
                  <span class="hidden">{words.flagged}</span>
                </span>
              )}
            </td>
            <td>{point.severity}</td>
            <td>
              <Change point={point} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
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
