import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { metrics } from '../../src/http/metrics.js'
import { makeLog } from '../../src/kernel/log.js'
import { listFacts } from '../../src/kernel/tracing/span-facts.js'
import { isTracing, traced, tracedWithin, type EndedSpan } from '../../src/kernel/tracing/trace.js'
import { openTelemetry } from '../../src/main/telemetry/open-telemetry.js'
import { queuedMost, SpanQueue } from '../../src/main/telemetry/span-queue.js'
import { waitUntil } from '../support/casenote-process.js'
import { openCollector } from '../support/otlp-collector.js'

const log = makeLog('silent', 'test')
const pauses = { spansEveryMs: 5, metricsEveryMs: 20, closeWithinMs: 500 }
const subjectId = 'c0a8e1d2-6f1b-4f0e-9a51-0123456789ab'

let collector: Awaited<ReturnType<typeof openCollector>>
beforeEach(async () => {
  collector = await openCollector()
})
afterEach(() => collector.close())

const open = (traceShare = 1) =>
  openTelemetry({ url: collector.url, headers: { 'x-key': 'k1' }, traceShare }, { role: 'test', log, pauses })

const work = (name: string) =>
  traced({ name, kind: 'server', about: subjectId, facts: { operation: name } }, () =>
    tracedWithin(
      'db.read',
      () => ({ statements: 1, statementNames: 'select_client' }),
      async () => {},
    ),
  )

describe('what is told of a piece of work', () => {
  it('leaves out whatever is no id, name of ours or number', () => {
    const told = listFacts({
      tenantId: subjectId,
      operation: 'client.read',
      status: 200,
      end: 'Maria Sample said that she sleeps better',
      engine: 'https://x.example/?token=1',
      requestId: 'a@b.example',
      attempt: Number.NaN,
    })
    expect(told).toEqual([
      ['casenote.tenant_id', subjectId],
      ['casenote.operation', 'client.read'],
      ['http.response.status_code', 200],
    ])
  })

  it('tells the class of an error and never its words', async () => {
    const telemetry = open()
    await traced({ name: 'a', kind: 'server', facts: {} }, async () => {
      throw new TypeError('Maria Sample')
    }).catch(() => {})
    await telemetry.close()
    expect(collector.spans).toEqual([
      expect.objectContaining({
        status: { code: 2 },
        facts: expect.objectContaining({ 'error.type': 'TypeError' }),
      }),
    ])
    expect(collector.bytes()).not.toContain('Maria')
  })
})

describe('with a collector', () => {
  it('gets spans in the trace of what they are about, and metrics by the names that /metrics has', async () => {
    const telemetry = open()
    await work('client.read')
    await waitUntil(async () => collector.metrics.length > 0, 'metrics came')
    await telemetry.close()
    const [inner, outer] = collector.spans
    const traceId = subjectId.replaceAll('-', '')
    expect(outer).toMatchObject({ traceId, name: 'client.read', kind: 2, status: {} })
    expect(inner).toMatchObject({ traceId, name: 'db.read', kind: 1, parentSpanId: outer?.spanId })
    expect(inner?.facts).toMatchObject({
      'service.name': 'casenote',
      'casenote.role': 'test',
      'db.operation.batch.size': 1,
      'casenote.statement_names': 'select_client',
    })
    expect(Number(outer?.endTimeUnixNano)).toBeGreaterThanOrEqual(Number(inner?.endTimeUnixNano))
    expect(collector.headers()).toMatchObject({ 'x-key': 'k1', 'content-type': 'application/json' })
    const sent = collector.metrics.at(-1)?.map(({ name }) => name) ?? []
    const known = (await metrics.getMetricsAsJSON()).map(({ name }) => name)
    expect(sent.toSorted()).toEqual(known.toSorted())
    const loop = collector.metrics.at(-1)?.find(({ name }) => name === 'nodejs_gc_duration_seconds')
    for (const { explicitBounds, bucketCounts, count } of loop?.histogram?.dataPoints ?? []) {
      expect(bucketCounts).toHaveLength(explicitBounds.length + 1)
      expect(bucketCounts.reduce((sum, one) => sum + Number(one), 0)).toBe(Number(count))
    }
  })

  it('gets none of the traces that are not wanted, nor what happens outside of one', async () => {
    const telemetry = open(0)
    await work('client.read')
    await tracedWithin('db.door', {}, async () => {})
    await telemetry.close()
    expect(collector.spans).toEqual([])
    expect(isTracing()).toBe(false)
  })

  it('gets what it could not take as soon as it can', async () => {
    collector.answerWith(503)
    const telemetry = openTelemetry(
      { url: collector.url, headers: {}, traceShare: 1 },
      { role: 'test', log, pauses: { ...pauses, closeWithinMs: 5_000 } },
    )
    await work('client.read')
    await waitUntil(async () => collector.requests() > 0, 'it was asked')
    collector.answerWith(200)
    await telemetry.close()
    expect(collector.spans.map(({ name }) => name)).toEqual(['db.read', 'client.read'])
  })
})

it('a collector that is away holds nobody up, and what waits for it has a bound', async () => {
  await collector.close()
  const telemetry = open()
  const before = process.cpuUsage()
  for (let count = 0; count < 2 * queuedMost; count += 1) await work('client.read')
  // By processor time, which a busy machine does not lengthen.
  const { user, system } = process.cpuUsage(before)
  expect((user + system) / 1_000).toBeLessThan(5_000)
  const closingMs = performance.now()
  await telemetry.close()
  // Half a second for what is left; the answers that it would wait for take ten each.
  expect(performance.now() - closingMs).toBeLessThan(9_000)
  const text = await metrics.getSingleMetricAsString('casenote_otlp_dropped_total')
  const dropped = Number(/signal="traces"\} (\d+)/.exec(text)?.[1])
  expect(dropped).toBeGreaterThanOrEqual(3 * queuedMost)
  collector = await openCollector()
})

it('keeps a stated number of spans, and the same traces in each process', () => {
  let dropped = 0
  const queue = new SpanQueue(0.25, (count) => (dropped += count))
  for (let count = 0; count < queuedMost + 5; count += 1) queue.keep({} as EndedSpan)
  expect(dropped).toBe(5)
  const traceOf = (hex: string): string => hex.padStart(32, 'f')
  expect(
    ['3f000000000000', '40000000000000', '00000000000000'].map((one) => queue.isWanted(traceOf(one))),
  ).toEqual([true, false, true])
})
