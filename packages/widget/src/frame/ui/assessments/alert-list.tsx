import type { WidgetAssessments } from '@casenote/contract'
import { fill } from '../../texts/fill.js'
import { formatTime } from '../format.js'
import { Notice } from '../parts/notice.js'
import { useTexts } from '../ui-context.js'

/** Answers that somebody must see, in the client's own words. */
export function AlertList({ alerts }: { alerts: WidgetAssessments['alerts'] }) {
  const { assessments: words, locale } = useTexts()
  if (alerts.length === 0) return null
  return (
    <Notice kind="danger" title={words.alertsTitle}>
      <ul class="plain-list stack tight">
        {alerts.map((alert) => (
          <li key={`${alert.assignmentId} ${alert.questionDisplay}`}>
            <span class="alert-question">{alert.questionDisplay}</span>
            <strong>{alert.answerDisplay}</strong>
            <span class="detail">
              {' '}
              · {alert.name}, {fill(words.answered, { date: formatTime(locale, alert.answeredAt) })}
            </span>
          </li>
        ))}
      </ul>
    </Notice>
  )
}
