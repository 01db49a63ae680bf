import { setTimeout as sleep } from 'node:timers/promises'
import type { DecodedChunk } from '../audio/decode-recording.js'
import type { LiveHearing } from './live-hearing.js'

/** What is not there within this has yet to be recorded: what came is heard meanwhile. */
const burstMs = 300

/** Who keeps up tells every few seconds. */
const lateMs = 20_000

/** Under a second of new sound nothing new is to be read. */
const newSecondsMin = 1

/**
 * Takes sound as it comes until its end. Chunks are settled as soon as they are whole; `onTaken` is called whenever all that has arrived
 * was taken, so that one that is late does what lasts first. All may never be taken before the end: `onLate` is called with a chunk when nothing was told for long.
 */
export async function followSound(
  sound: AsyncIterable<DecodedChunk>,
  hearing: LiveHearing,
  { onTaken, onLate }: { onTaken: () => Promise<void>; onLate: () => Promise<void> },
): Promise<void> {
  const pieces = sound[Symbol.asyncIterator]()
  let toldSeconds = hearing.seconds
  let toldAtMs = performance.now()
  try {
    let next = pieces.next()
    for (;;) {
      const piece = await within(next, burstMs)
      if (piece?.done === true) return
      if (piece !== null) {
        hearing.add(piece.value.channels)
        next = pieces.next()
        // Whoever waits for it later throws what it throws.
        next.catch(() => undefined)
      }
      if (hearing.isChunkWhole()) {
        await hearing.settleChunk()
        // What was a draft stands in the chunk now.
        toldSeconds = -Infinity
        if (performance.now() - toldAtMs < lateMs) continue
        await onLate()
        toldAtMs = performance.now()
      } else if (piece === null && hearing.seconds - toldSeconds >= newSecondsMin) {
        toldSeconds = hearing.seconds
        await onTaken()
        toldAtMs = performance.now()
      }
    }
  } finally {
    await pieces.return?.()
  }
}

/** Null: it has not come yet. */
async function within<Value>(coming: Promise<Value>, ms: number): Promise<Value | null> {
  const waiting = new AbortController()
  try {
    return await Promise.race([coming, sleep(ms, null, { signal: waiting.signal })])
  } finally {
    waiting.abort()
  }
}
