interface Bar {
  key: string
  /** When. */
  label: string
  /** Null: nobody knows. */
  value: number | null
  /** The part of it that went wrong. */
  bad: number
}

interface BarChartProps {
  title: string
  bars: readonly Bar[]
  format: (value: number) => string
  /** What one bar stands for: `day`. */
  each: string
  /** How the marked part is told: `went wrong`. */
  badWords?: string
  limit?: number | null
}

const heightUnits = 100
const barUnits = 10
const gapUnits = 3

/** A limit far above would press the bars flat: then it is told, and not drawn. */
const limitWithin = 4

/** One bar for each day, or minute. What it shows is told beside it as well: here it is one picture with one sentence. */
export function BarChart({
  title,
  bars,
  format,
  each,
  badWords = 'went wrong',
  limit = null,
}: BarChartProps) {
  const most = Math.max(0, ...bars.map(({ value }) => value ?? 0))
  const isDrawn = limit !== null && limit <= most * limitWithin
  const top = isDrawn ? Math.max(most, limit) : most
  const scale = top === 0 ? 0 : heightUnits / top
  const width = Math.max(1, bars.length) * (barUnits + gapUnits)
  const limitWords = limit === null ? '' : `, limit ${format(limit)}`
  return (
    <figure class="chart">
      <figcaption>
        <strong>{title}</strong>
        <span class="soft">
          at most {format(most)}
          {limitWords}
        </span>
      </figcaption>
      <svg
        role="img"
        aria-label={`${title}: ${bars.length} ${each}s, at most ${format(most)} in one${limitWords}`}
        viewBox={`0 0 ${width} ${heightUnits + 1}`}
        preserveAspectRatio="none"
      >
        {bars.map(({ key, label, value, bad }, at) => (
          <g key={key}>
            <title>{`${label}: ${value === null ? '–' : format(value)}${bad > 0 ? `, of which ${format(bad)} ${badWords}` : ''}`}</title>
            <rect
              class="reach"
              x={at * (barUnits + gapUnits)}
              y={0}
              width={barUnits + gapUnits}
              height={heightUnits}
            />
            <rect class="bar" {...place(at, (value ?? 0) * scale)} />
            {bad > 0 && <rect class="bar bad" {...place(at, bad * scale)} />}
          </g>
        ))}
        {isDrawn && (
          <line
            class="limit"
            x1={0}
            x2={width}
            y1={heightUnits - limit * scale}
            y2={heightUnits - limit * scale}
          />
        )}
        <line class="ground" x1={0} x2={width} y1={heightUnits} y2={heightUnits} />
      </svg>
      <p class="ends soft" aria-hidden="true">
        <span>{bars[0]?.label}</span>
        <span>{bars.at(-1)?.label}</span>
      </p>
    </figure>
  )
}

/** A little is still seen. */
const place = (at: number, units: number) => {
  const height = units === 0 ? 0 : Math.max(1.5, units)
  return { x: at * (barUnits + gapUnits), y: heightUnits - height, width: barUnits, height }
}
