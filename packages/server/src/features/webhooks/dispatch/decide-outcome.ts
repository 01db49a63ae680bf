import type { DeliveryStatus } from '@casenote/contract'
import { retryDelayMs } from './retry-schedule.js'

/** How one attempt went. */
export interface AttemptResult {
  /** Null without an answer. */
  httpStatus: number | null
  /** Null with an answer. */
  error: AttemptError | null
  durationMs: number
  retryAfterMs: number | null
}

/** Short codes of ours, shown to partners; never a text of the receiver's. */
export type AttemptError =
  | 'timeout'
  | 'connection_refused'
  | 'connection_reset'
  | 'connection_failed'
  | 'name_not_found'
  | 'tls_failed'
  | 'invalid_answer'
  | 'target_refused'
  | 'interrupted'

/** What follows from it, for the delivery and for its endpoint. */
export interface Outcome {
  status: Extract<DeliveryStatus, 'succeeded' | 'pending' | 'failed'>
  scheduleStep: number
  /** Until the next attempt; 0 unless pending. */
  delayMs: number
  /** Null: the attempt tells nothing about the endpoint. */
  verdict: 'well' | 'failed' | 'gone' | null
  /** How long nothing at all is sent to the endpoint; 0: no pause. */
  pauseMs: number
}

/** Ruling 8. */
export const disableAfterMs = 5 * 24 * 3_600_000

/** Answers of a receiver, or of what stands before it, that has too much to do (Standard Webhooks names these). */
const overloadedStatuses = new Set([429, 502, 503, 504])

/** A receiver that cannot be reached is asked again after 1 s, then 2 s and so on: it may be back any moment. */
const pauseFirstMs = 1_000
const pauseMaxMs = 30_000

/** What a receiver may ask for at the most, for everything sent to it: a mistake there must not silence it for days. */
const pauseAskedMaxMs = 5 * 60_000

export function decideOutcome(
  result: AttemptResult,
  { scheduleStep, failuresInARow }: { scheduleStep: number; failuresInARow: number },
  random: number,
): Outcome {
  const { httpStatus, error, retryAfterMs } = result
  if (httpStatus !== null && httpStatus >= 200 && httpStatus < 300) {
    return { status: 'succeeded', scheduleStep, delayMs: 0, verdict: 'well', pauseMs: 0 }
  }
  // Ended by us, not by the receiver: due again at once, as if it had not been tried.
  if (error === 'interrupted')
    return { status: 'pending', scheduleStep, delayMs: 0, verdict: null, pauseMs: 0 }
  const delayMs = retryDelayMs(scheduleStep, retryAfterMs, random)
  const isGone = httpStatus === 410
  const isOver = isGone || delayMs === null
  return {
    status: isOver ? 'failed' : 'pending',
    scheduleStep: isOver ? scheduleStep : scheduleStep + 1,
    delayMs: isOver ? 0 : delayMs,
    verdict: isGone ? 'gone' : 'failed',
    pauseMs: decidePause(result, failuresInARow),
  }
}

/** An endpoint that answers, however wrongly, is not paused: its own deliveries fail by themselves. */
function decidePause({ httpStatus, error, retryAfterMs }: AttemptResult, failuresInARow: number): number {
  if (error === 'target_refused') return 0
  if (httpStatus !== null && !overloadedStatuses.has(httpStatus)) return 0
  const growingMs = Math.min(pauseFirstMs * 2 ** Math.min(failuresInARow, 10), pauseMaxMs)
  return Math.max(growingMs, Math.min(retryAfterMs ?? 0, pauseAskedMaxMs))
}
