import type { EndedSpan, SpanKind } from '../../kernel/tracing/trace.js'

/** The JSON of OTLP 1.x: field names in camel case, ids in hexadecimal, 64-bit numbers as text. */

/** OTLP's `SpanKind`. */
const kinds: Readonly<Record<SpanKind, number>> = { internal: 1, server: 2, client: 3 }

/** OTLP's `STATUS_CODE_ERROR`; an unset status is what all else has. */
const failed = { code: 2 }

/** What is told with every export. */
export interface Scope {
  resource: { attributes: readonly object[] }
  version: string
}

/** To the microsecond: a number of JavaScript has no more of a time since 1970. */
export const toNanoseconds = (ms: number): string => String(BigInt(Math.round(ms * 1_000)) * 1_000n)

export const toAttributes = (facts: readonly (readonly [string, string | number])[]): object[] =>
  facts.map(([key, value]) => ({ key, value: toValue(value) }))

function toValue(value: string | number): object {
  if (typeof value === 'string') return { stringValue: value }
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}

export function encodeSpans({ resource, version }: Scope, spans: readonly EndedSpan[]): string {
  const scope = { name: 'casenote', version }
  return JSON.stringify({
    resourceSpans: [{ resource, scopeSpans: [{ scope, spans: spans.map(encodeSpan) }] }],
  })
}

const encodeSpan = (span: EndedSpan): object => ({
  traceId: span.traceId,
  spanId: span.spanId,
  ...(span.parentSpanId === null ? {} : { parentSpanId: span.parentSpanId }),
  name: span.name,
  kind: kinds[span.kind],
  startTimeUnixNano: toNanoseconds(span.startedAtMs),
  endTimeUnixNano: toNanoseconds(span.endedAtMs),
  attributes: toAttributes(span.facts),
  events: span.started.map(({ atMs, facts }) => ({
    name: 'started',
    timeUnixNano: toNanoseconds(atMs),
    attributes: toAttributes(facts),
  })),
  status: span.hasFailed ? failed : {},
})
