import type { MetricObjectWithValues, MetricValue, MetricValueWithName } from 'prom-client'
import { toAttributes, toNanoseconds, type Scope } from './encode-spans.js'

/** OTLP's `AGGREGATION_TEMPORALITY_CUMULATIVE`: since the process began, as Prometheus counts. */
const cumulative = 2

export type KnownMetric = MetricObjectWithValues<MetricValue<string>>

interface Times {
  startedAtMs: number
  nowMs: number
}

/** The very metrics that `/metrics` shows, under the same names. Summaries, of which we have none, are left out. */
export function encodeMetrics(
  { resource, version }: Scope,
  metrics: readonly KnownMetric[],
  times: Times,
): string {
  const scope = { name: 'casenote', version }
  const encoded = metrics.flatMap((metric) => encodeMetric(metric, times))
  return JSON.stringify({ resourceMetrics: [{ resource, scopeMetrics: [{ scope, metrics: encoded }] }] })
}

function encodeMetric(metric: KnownMetric, times: Times): object[] {
  const { name, help: description } = metric
  // JSON has no NaN, and OTLP takes none; some of Node's own have it before their first second.
  const values = metric.values.filter(({ value }) => Number.isFinite(value))
  // prom-client's types say that it is a number; it is a word.
  switch (String(metric.type)) {
    case 'counter': {
      const dataPoints = values.map((value) => encodeNumber(value, times))
      return [
        { name, description, sum: { dataPoints, isMonotonic: true, aggregationTemporality: cumulative } },
      ]
    }
    case 'gauge':
      return [{ name, description, gauge: { dataPoints: values.map((value) => encodeNumber(value, times)) } }]
    case 'histogram': {
      const dataPoints = encodeHistogram(name, values, times)
      return [{ name, description, histogram: { dataPoints, aggregationTemporality: cumulative } }]
    }
    default:
      return []
  }
}

const timesOf = ({ startedAtMs, nowMs }: Times): object => ({
  startTimeUnixNano: toNanoseconds(startedAtMs),
  timeUnixNano: toNanoseconds(nowMs),
})

type Labels = MetricValue<string>['labels']

const labelsOf = (labels: Labels): object[] =>
  toAttributes(Object.entries(labels).map(([name, value]) => [name, value ?? '']))

const encodeNumber = ({ labels, value }: MetricValue<string>, times: Times): object => ({
  ...timesOf(times),
  attributes: labelsOf(labels),
  asDouble: value,
})

/** prom-client lists the buckets of one set of labels with what all smaller ones hold; OTLP wants each by itself. */
function encodeHistogram(name: string, values: readonly MetricValue<string>[], times: Times): object[] {
  const points = new Map<
    string,
    { labels: Labels; bounds: number[]; counts: number[]; sum: number; count: number }
  >()
  for (const value of values) {
    const { le, ...labels } = value.labels as Labels & { le?: string | number }
    const key = JSON.stringify(labels)
    const point = points.get(key) ?? { labels, bounds: [], counts: [], sum: 0, count: 0 }
    points.set(key, point)
    const { metricName } = value as MetricValueWithName<string>
    if (metricName === `${name}_sum`) point.sum = value.value
    else if (metricName === `${name}_count`) point.count = value.value
    else if (le !== undefined) {
      if (le !== '+Inf') point.bounds.push(Number(le))
      point.counts.push(value.value)
    }
  }
  return [...points.values()].map(({ labels, bounds, counts, sum, count }) => ({
    ...timesOf(times),
    attributes: labelsOf(labels),
    explicitBounds: bounds,
    bucketCounts: counts.map((one, index) => String(one - (counts[index - 1] ?? 0))),
    sum,
    count: String(count),
  }))
}
