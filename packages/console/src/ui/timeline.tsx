import { formatSpan } from '../format.js'
import type { Worded } from '../words.js'
import { Pill, Time } from './parts.js'

export interface TimelineItem {
  key: string
  name: string
  state: Worded
  note: string | null
  startedAt: string | null
  endedAt: string | null
}

const widthUnits = 1_000
/** What took no time is still seen. */
const barUnitsLeast = 6

/** What happened under each other, each with its place in the time that all of it took. */
export function Timeline({
  label,
  items,
  now,
}: {
  label: string
  items: readonly TimelineItem[]
  now: number
}) {
  const starts = items.flatMap(({ startedAt }) => (startedAt === null ? [] : [Date.parse(startedAt)]))
  const ends = items.map((item) => endOf(item, now))
  const from = Math.min(...starts)
  const span = Math.max(1, Math.max(...ends) - from)
  return (
    <ol class="timeline" aria-label={label}>
      {items.map((item) => (
        <li key={item.key} class={item.state.tone}>
          <p class="timeline-head">
            <strong>{item.name}</strong> <Pill {...item.state} />
          </p>
          <p class="soft">
            {item.startedAt === null ? 'not begun' : <Time at={item.startedAt} />}
            {item.startedAt !== null &&
              `, ${item.endedAt === null ? 'for ' : ''}${formatSpan(endOf(item, now) - Date.parse(item.startedAt))}`}
            {item.note !== null && `, ${item.note}`}
          </p>
          {item.startedAt !== null && (
            <svg aria-hidden="true" viewBox={`0 0 ${widthUnits} 8`} preserveAspectRatio="none">
              <rect class="track" width={widthUnits} height={8} />
              <rect class="bar" height={8} {...placeBar(item.startedAt, endOf(item, now), { from, span })} />
            </svg>
          )}
        </li>
      ))}
    </ol>
  )
}

const endOf = ({ startedAt, endedAt }: TimelineItem, now: number): number =>
  Date.parse(endedAt ?? '') || (startedAt === null ? -Infinity : Math.max(now, Date.parse(startedAt)))

function placeBar(startedAt: string, end: number, { from, span }: { from: number; span: number }) {
  const width = Math.max(barUnitsLeast, ((end - Date.parse(startedAt)) / span) * widthUnits)
  const x = ((Date.parse(startedAt) - from) / span) * widthUnits
  return { x: Math.min(x, widthUnits - width), width }
}
