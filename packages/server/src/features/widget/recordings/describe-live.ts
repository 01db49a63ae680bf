import type { LiveState } from '@casenote/contract'
import type { FoundLive } from '../../live-transcripts/index.js'

/** What the widget records takes some 4 KB a second; told by the recording itself once it was heard. */
const usualBytesPerSecond = 4_000

/** A chunk: who is further behind is told so. */
const behindSeconds = 60

/** A worker finds a recording within this. */
const beginsWithinSeconds = 20

/** Pure: how far the lines are behind what has arrived. */
export function describeLive(live: FoundLive | null): LiveState {
  if (live === null) return 'ended'
  if (live.isGivenUp) return 'unavailable'
  const { arrivedBytes, fedBytes, heardMs } = live
  if (fedBytes === null || heardMs === null || heardMs === 0) {
    const arrivedSeconds = arrivedBytes / usualBytesPerSecond
    // Whoever hears it has its first lines soon, however long they take.
    if (live.isBeingHeard) return arrivedSeconds > behindSeconds ? 'behind' : 'live'
    return arrivedSeconds > beginsWithinSeconds ? 'waiting' : 'live'
  }
  const bytesPerSecond = (fedBytes / heardMs) * 1_000
  return (arrivedBytes - fedBytes) / bytesPerSecond > behindSeconds ? 'behind' : 'live'
}
