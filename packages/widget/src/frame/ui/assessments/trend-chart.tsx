import type { AssessmentTrend } from '@casenote/contract'
import { wordServer } from '../../engine/word-answer.js'
import { fillCount } from '../../texts/fill.js'
import { formatDay } from '../format.js'
import { useTexts } from '../ui-context.js'
import { placeTrend, type PlacedTrend } from './place-trend.js'

const width = 360
const height = 170
const box = { left: 26, right: 252, top: 10, bottom: 146 }

/** As many letters as stand beside the box; the table has the whole name. */
const labelMax = 18

const shorten = (name: string): string =>
  name.length <= labelMax ? name : `${name.slice(0, labelMax - 1).trimEnd()}…`

/** Drawn for the eye; the table beside it says the same in words. */
export function TrendChart({ trend }: { trend: AssessmentTrend }) {
  const texts = useTexts()
  const { assessments: words, locale } = texts
  const { points, bands } = placeTrend(trend, box)
  const first = trend.points[0]
  const last = trend.points.at(-1)
  if (first === undefined || last === undefined) return null
  return (
    <svg
      class="chart"
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={fillCount(texts, words.chart, trend.points.length, {
        name: trend.name,
        latest: last.score,
      })}
    >
      <Bands bands={bands} isHigherBetter={trend.isHigherBetter} />
      <text class="axis end" x={box.left - 6} y={box.top + 4}>
        {trend.scoreMax}
      </text>
      <text class="axis end" x={box.left - 6} y={box.bottom + 4}>
        {trend.scoreMin}
      </text>
      <polyline class="trend-line" points={points.map(({ x, y }) => `${x},${y}`).join(' ')} />
      <Marks points={points} isHigherBetter={trend.isHigherBetter} />
      <text class="axis" x={box.left} y={height - 6}>
        {formatDay(locale, first.completedAt)}
      </text>
      {trend.points.length === 1 ? null : (
        <text class="axis end" x={box.right} y={height - 6}>
          {formatDay(locale, last.completedAt)}
        </text>
      )}
    </svg>
  )
}

function Bands({ bands, isHigherBetter }: { bands: PlacedTrend['bands']; isHigherBetter: boolean }) {
  return (
    <g>
      {bands.map(({ top, bottom, severity, name }, index) => {
        const rank = isHigherBetter ? bands.length - 1 - index : index
        return (
          <g key={severity}>
            <rect
              class="band"
              x={box.left}
              y={top}
              width={box.right - box.left}
              height={Math.max(0, bottom - top)}
              fill-opacity={0.05 + (0.3 * rank) / Math.max(1, bands.length - 1)}
            />
            <text class="axis" x={box.right + 6} y={(top + bottom) / 2 + 4}>
              {shorten(wordServer(name))}
            </text>
          </g>
        )
      })}
    </g>
  )
}

function Marks({ points, isHigherBetter }: { points: PlacedTrend['points']; isHigherBetter: boolean }) {
  return (
    <g>
      {points.map(({ x, y, point }) => {
        const { reliableChange, scoreId, flags } = point
        const isReliable = reliableChange === 'improved' || reliableChange === 'worsened'
        const isUp = (reliableChange === 'improved') === isHigherBetter
        return (
          <g key={scoreId} class={isReliable ? reliableChange : undefined}>
            {isReliable ? (
              <path class="mark" d={isUp ? `M${x} ${y - 7}l6 11h-12z` : `M${x} ${y + 7}l6 -11h-12z`} />
            ) : (
              <circle class="mark" cx={x} cy={y} r={4} />
            )}
            {flags.length === 0 ? null : <circle class="flag-ring" cx={x} cy={y} r={9} />}
          </g>
        )
      })}
    </g>
  )
}
