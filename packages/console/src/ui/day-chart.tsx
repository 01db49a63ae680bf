import { formatDay } from '../format.js'

interface Day {
  day: string
  value: number
  /** The part of it that went wrong. */
  bad: number
}

interface DayChartProps {
  title: string
  days: readonly Day[]
  format: (value: number) => string
}

const heightUnits = 100
const barUnits = 10
const gapUnits = 3

/** One bar a day. What it shows is in the table below as well: here it is one picture with one sentence. */
export function DayChart({ title, days, format }: DayChartProps) {
  const most = Math.max(0, ...days.map(({ value }) => value))
  const scale = most === 0 ? 0 : heightUnits / most
  const width = Math.max(1, days.length) * (barUnits + gapUnits)
  const [first, last] = [days[0], days.at(-1)]
  return (
    <figure class="chart">
      <figcaption>
        <strong>{title}</strong>
        <span class="soft">at most {format(most)}</span>
      </figcaption>
      <svg
        role="img"
        aria-label={`${title}: ${days.length} days, at most ${format(most)} on one`}
        viewBox={`0 0 ${width} ${heightUnits + 1}`}
        preserveAspectRatio="none"
      >
        {days.map(({ day, value, bad }, at) => (
          <g key={day}>
            <title>{`${formatDay(day)}: ${format(value)}${bad > 0 ? `, of which ${format(bad)} went wrong` : ''}`}</title>
            <rect
              class="reach"
              x={at * (barUnits + gapUnits)}
              y={0}
              width={barUnits + gapUnits}
              height={heightUnits}
            />
            <rect class="bar" {...place(at, value * scale)} />
            {bad > 0 && <rect class="bar bad" {...place(at, bad * scale)} />}
          </g>
        ))}
        <line class="ground" x1={0} x2={width} y1={heightUnits} y2={heightUnits} />
      </svg>
      <p class="ends soft" aria-hidden="true">
        <span>{first === undefined ? '' : formatDay(first.day)}</span>
        <span>{last === undefined ? '' : formatDay(last.day)}</span>
      </p>
    </figure>
  )
}

/** A little is still seen. */
const place = (at: number, units: number) => {
  const height = units === 0 ? 0 : Math.max(1.5, units)
  return { x: at * (barUnits + gapUnits), y: heightUnits - height, width: barUnits, height }
}
