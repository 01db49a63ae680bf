import { newId } from '../../kernel/ids.js'
import { tolerateFailure, type Log } from '../../kernel/log.js'
import { readOwnVersion } from '../../kernel/own-files.js'
import { pause } from '../../kernel/pause.js'
import { openTracing } from '../../kernel/tracing/trace.js'
import { observeDroppedTelemetry } from '../../http/process-metrics.js'
import { metrics } from '../../http/metrics.js'
import { encodeMetrics, type KnownMetric } from './encode-metrics.js'
import { encodeSpans, toAttributes, type Scope } from './encode-spans.js'
import { makeOtlpSender, type OtlpSender, type OtlpTarget, type Sent } from './otlp-sender.js'
import { SpanQueue } from './span-queue.js'

export interface TelemetryConfig extends OtlpTarget {
  /** The share of all traces that is sent, from 0 to 1. */
  traceShare: number
}

interface Telemetry {
  /** Sends what there is, so long and no longer. */
  close(): Promise<void>
}

interface Pauses {
  spansEveryMs: number
  metricsEveryMs: number
  closeWithinMs: number
}

/** SIGTERM must end a process within 15 s, of which its roles may take 14. */
const usualPauses: Pauses = { spansEveryMs: 2_000, metricsEveryMs: 60_000, closeWithinMs: 700 }

/** While the collector is away: doubled with each failure. */
const awayPauseMs = 2_000
const awayPauseMaxMs = 60_000

/**
 * Sends traces and metrics to a collector, beside the work: what it does not take is kept up to a bound, then dropped and counted.
 * Our own sender for OTLP's JSON, and no package: decision 0044.
 */
export function openTelemetry(
  config: TelemetryConfig,
  { role, log, pauses = usualPauses }: { role: string; log: Log; pauses?: Pauses },
): Telemetry {
  const scope = describeProcess(role)
  const queue = new SpanQueue(config.traceShare, (count) => observeDroppedTelemetry('traces', count))
  const sender = makeOtlpSender(config)
  const stopping = new AbortController()
  const cut = new AbortController()
  const report = makeReport(log)
  const parts = { scope, sender, report, stopping: stopping.signal, cut: cut.signal }
  openTracing(queue)
  const loops = Promise.all([
    repeat(parts, pauses.spansEveryMs, () => sendSpans(parts, queue)),
    repeat(parts, pauses.metricsEveryMs, () => sendMetrics(parts, log)),
  ])
  return {
    close: async () => {
      stopping.abort()
      openTracing(null)
      const timer = setTimeout(() => cut.abort(), pauses.closeWithinMs)
      await loops
      await sendSpans(parts, queue)
      clearTimeout(timer)
      observeDroppedTelemetry('traces', queue.next().length)
      await sender.close()
    },
  }
}

interface LoopParts {
  scope: Scope
  sender: OtlpSender
  report: (sent: Sent) => void
  stopping: AbortSignal
  /** Ends a request that is under way. */
  cut: AbortSignal
}

/** Neither the machine's name nor its address: who runs several knows them by their roles and instances. */
const describeProcess = (role: string): Scope => ({
  version: readOwnVersion(),
  resource: {
    attributes: toAttributes([
      ['service.name', 'casenote'],
      ['service.version', readOwnVersion()],
      ['service.instance.id', newId()],
      ['casenote.role', role],
    ]),
  },
})

/** `act` says whether it went well. */
async function repeat({ stopping }: LoopParts, everyMs: number, act: () => Promise<boolean>): Promise<void> {
  let failures = 0
  while (!stopping.aborted) {
    const backOffMs = Math.min(awayPauseMaxMs, awayPauseMs * 2 ** (failures - 1))
    await pause(failures === 0 ? everyMs : Math.max(everyMs, backOffMs), stopping)
    if (stopping.aborted) return
    failures = (await act()) ? 0 : failures + 1
  }
}

/** All that there is, batch by batch. A batch that may be tried again stays where it is. */
async function sendSpans({ scope, sender, report, cut }: LoopParts, queue: SpanQueue): Promise<boolean> {
  for (let spans = queue.next(); spans.length > 0 && !cut.aborted; spans = queue.next()) {
    const sent = await sender.send('traces', encodeSpans(scope, spans), cut)
    report(sent)
    if (!sent.isTaken && sent.isWorthRetrying) return false
    if (!sent.isTaken) observeDroppedTelemetry('traces', spans.length)
    queue.forget(spans.length)
  }
  return true
}

/** The next ones tell all that these do, for they count from the start: nothing is kept. */
async function sendMetrics({ scope, sender, report, cut }: LoopParts, log: Log): Promise<boolean> {
  let isTaken = false
  await tolerateFailure(log, 'metrics are sent again', async () => {
    const known = (await metrics.getMetricsAsJSON()) as KnownMetric[]
    const times = { startedAtMs: performance.timeOrigin, nowMs: Date.now() }
    const sent = await sender.send('metrics', encodeMetrics(scope, known, times), cut)
    report(sent)
    isTaken = sent.isTaken
  })
  if (!isTaken) observeDroppedTelemetry('metrics', 1)
  return isTaken
}

/** Once when it begins to fail, and once when it goes on. */
function makeReport(log: Log): (sent: Sent) => void {
  let isAway = false
  return (sent) => {
    if (sent.isTaken) {
      if (isAway) log.info('the telemetry collector takes what is sent again')
      isAway = false
      return
    }
    if (!isAway) log.warn({ problem: sent.problem }, 'the telemetry collector does not take what is sent')
    isAway = true
  }
}
