import { setTimeout as sleepFor } from 'node:timers/promises'
import type { Dispatcher } from 'undici'
import { systemClock, type Clock } from '../clock.js'
import type { Environment } from '../tenant.js'
import { attemptDownload, SinkFault, type DownloadProgress, type DownloadSink } from './download-attempt.js'
import { AttemptFailed, DOWNLOAD_FAILURES, type DownloadOutcome } from './download-outcomes.js'
import { parseUrl, publicTargetRules, type TargetRules } from './target-rules.js'

export type { DownloadSink } from './download-attempt.js'
export type { DownloadOutcome } from './download-outcomes.js'

/** A clock that can also be waited on, so that a test waits an hour in no time. */
export interface WaitingClock extends Clock {
  sleep(ms: number, signal: AbortSignal): Promise<void>
}

export interface DownloadOptions {
  /** From `makeGuardedAgent` of the same environment: it checks what the URL alone does not tell. */
  dispatcher: Dispatcher
  environment: Environment
  clock?: WaitingClock
  rules?: TargetRules
  sizeBytesMax?: number
  /** How long a server may send nothing, or next to nothing. */
  stallMs?: number
  /** Ends the download with its reason, as at a shutdown. */
  signal?: AbortSignal
}

/** Three hours of uncompressed 16 bit stereo at 44.1 kHz are 1.9 GB. */
const defaultSizeBytesMax = 2 * 1_024 ** 3

/** Attempts and waiting together: what is not there within an hour has failed, and the partner is told. */
const totalMs = 3_600_000
const firstDelayMs = 1_000
/** A file server that was restarted is tried again within a minute. */
const delayMsMax = 60_000

const systemWaitingClock: WaitingClock = {
  ...systemClock,
  sleep: (ms, signal) => sleepFor(ms, undefined, { signal }),
}

/**
 * Reads a URL into a sink. Safe to run again: it begins by emptying the sink. What the file server does wrong is an
 * outcome; what is thrown is a fault of the sink, or the reason of `signal`.
 */
export async function downloadFile(
  url: string,
  sink: DownloadSink,
  options: DownloadOptions,
): Promise<DownloadOutcome> {
  const clock = options.clock ?? systemWaitingClock
  const signal = options.signal ?? new AbortController().signal
  const settings = {
    dispatcher: options.dispatcher,
    environment: options.environment,
    rules: options.rules ?? publicTargetRules,
    sizeBytesMax: options.sizeBytesMax ?? defaultSizeBytesMax,
    stallMs: options.stallMs ?? 30_000,
    nowMs: () => clock.nowMs(),
    deadlineMs: clock.nowMs() + totalMs,
    signal,
  }
  const target = parseUrl(url)
  if (target === null) return describeFailure('target_refused')
  const progress: DownloadProgress = {
    receivedBytes: 0,
    validator: null,
    totalBytes: null,
    contentType: null,
  }
  let delayMs = firstDelayMs
  for (;;) {
    signal.throwIfAborted()
    const receivedBefore = progress.receivedBytes
    const failure = await tryOnce(() => attemptDownload(target, sink, progress, settings))
    if (failure === null) {
      return { isComplete: true, sizeBytes: progress.receivedBytes, contentType: progress.contentType }
    }
    if (progress.receivedBytes > receivedBefore) delayMs = firstDelayMs
    if (failure.code === 'file_changed') Object.assign(progress, { receivedBytes: 0, validator: null })
    const waitMs = Math.max(failure.retryAfterMs ?? 0, delayMs * (0.75 + Math.random() / 2))
    if (!failure.isTransient || clock.nowMs() + waitMs >= settings.deadlineMs)
      return describeFailure(failure.code)
    await clock.sleep(waitMs, signal)
    delayMs = Math.min(delayMs * 2, delayMsMax)
  }
}

async function tryOnce(attempt: () => Promise<void>): Promise<AttemptFailed | null> {
  try {
    await attempt()
    return null
  } catch (error) {
    if (error instanceof AttemptFailed) return error
    throw error instanceof SinkFault ? error.cause : error
  }
}

const describeFailure = (code: keyof typeof DOWNLOAD_FAILURES): DownloadOutcome => ({
  isComplete: false,
  code,
  message: DOWNLOAD_FAILURES[code],
})
