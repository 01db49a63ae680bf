import type { Dispatcher } from 'undici'
import { systemClock, type Clock } from '../clock.js'
import type { Environment } from '../tenant.js'
import {
  attemptDownload,
  progressBytesMin,
  SinkFault,
  type DownloadProgress,
  type DownloadSink,
} from './download-attempt.js'
import { AttemptFailed, DOWNLOAD_FAILURES, type DownloadOutcome } from './download-outcomes.js'
import { parseUrl, publicTargetRules, type TargetRules } from './target-rules.js'

export type { DownloadSink } from './download-attempt.js'
export type { DownloadOutcome } from './download-outcomes.js'

export interface DownloadOptions {
  /** From `makeGuardedAgent` of the same environment: it checks what the URL alone does not tell. */
  dispatcher: Dispatcher
  environment: Environment
  clock?: Clock
  rules?: TargetRules
  sizeBytesMax?: number
  /** How long a server may send nothing, or next to nothing. */
  stallMs?: number
  /** Ends the attempt with its reason, as at a shutdown. */
  signal?: AbortSignal
}

/** What one attempt leaves to the next one, which may be another worker's. */
export interface DownloadState extends DownloadProgress {
  /**
   * How much of the hour for a download is spent. Only attempts and the waits between them count: a worker that was down is no fault of the
   * server.
   */
  spentMs: number
  /** How long to wait before the next attempt. */
  delayMs: number
}

/** Three hours of uncompressed 16 bit stereo at 44.1 kHz are 1.9 GB. */
const defaultSizeBytesMax = 2 * 1_024 ** 3

/** Attempts and waiting together: what is not there within an hour has failed, and the partner is told. */
const totalMs = 3_600_000
const firstDelayMs = 1_000
/** A file server that was restarted is tried again within a minute. */
const delayMsMax = 60_000

export const beginDownload = (): DownloadState => ({
  receivedBytes: 0,
  validator: null,
  totalBytes: null,
  contentType: null,
  spentMs: 0,
  delayMs: firstDelayMs,
})

/**
 * One attempt to read a URL, or the rest of it, into a sink that holds `state.receivedBytes`. It never waits for the next
 * one: who calls it has better uses for its place meanwhile. What the file server does wrong is an outcome; what is
 * thrown is a fault of the sink, or the reason of `signal`.
 */
export async function continueDownload(
  url: string,
  sink: DownloadSink,
  state: DownloadState,
  options: DownloadOptions,
): Promise<DownloadOutcome> {
  const target = parseUrl(url)
  if (target === null) return describeFailure('target_refused')
  if (state.receivedBytes > 0 && state.receivedBytes === state.totalBytes) return describeFile(state)
  const clock = options.clock ?? systemClock
  const startedAtMs = clock.nowMs()
  const receivedBefore = state.receivedBytes
  const settings = {
    dispatcher: options.dispatcher,
    environment: options.environment,
    rules: options.rules ?? publicTargetRules,
    sizeBytesMax: options.sizeBytesMax ?? defaultSizeBytesMax,
    stallMs: options.stallMs ?? 30_000,
    nowMs: () => clock.nowMs(),
    deadlineMs: startedAtMs + totalMs - state.spentMs,
    signal: options.signal ?? new AbortController().signal,
  }
  settings.signal.throwIfAborted()
  const failure = await tryOnce(() => attemptDownload(target, sink, state, settings))
  if (failure === null) return describeFile(state)
  state.spentMs += Math.max(0, clock.nowMs() - startedAtMs)
  if (failure.code === 'file_changed') state.validator = null
  if (state.validator === null) state.receivedBytes = 0
  if (state.receivedBytes - receivedBefore >= progressBytesMin) state.delayMs = firstDelayMs
  return planNext(state, failure)
}

/** A server that trickles, or breaks off a file that cannot be resumed, waits longer each time. */
function planNext(state: DownloadState, { code, isTransient, retryAfterMs }: AttemptFailed): DownloadOutcome {
  const waitMs = Math.max(retryAfterMs ?? 0, state.delayMs * (0.75 + Math.random() / 2))
  state.spentMs += waitMs
  if (!isTransient || state.spentMs >= totalMs) return describeFailure(code)
  state.delayMs = Math.min(state.delayMs * 2, delayMsMax)
  return { status: 'interrupted', code, retryInMs: waitMs }
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

const describeFile = ({ receivedBytes, contentType }: DownloadState): DownloadOutcome => ({
  status: 'complete',
  sizeBytes: receivedBytes,
  contentType,
})

const describeFailure = (code: keyof typeof DOWNLOAD_FAILURES): DownloadOutcome => ({
  status: 'failed',
  code,
  message: DOWNLOAD_FAILURES[code],
})
