import type { RecordingRow, SegmentPlace, SegmentRow } from './recording-row.js'

/** A day, as the service takes it: who left the tab open over a weekend was not off the record for longer. */
const secondsMax = 86_400

/** The recording goes on, or has ended. */
export function closeGaps({ gaps = [] }: RecordingRow): void {
  for (const gap of gaps)
    gap.seconds ??= Math.min(secondsMax, Math.max(0, (Date.now() - Date.parse(gap.at)) / 1000))
}

/**
 * So many seconds of recorded sound before the end of what there is; behind it if they are negative. A clock that went on while the sound was
 * away (a call on a phone) is not asked. Undefined: an earlier version did not count it.
 */
export function placeBack(segments: readonly SegmentRow[], seconds: number): SegmentPlace | undefined {
  let at = -seconds
  for (let segment = segments.length - 1; segment >= 0; segment -= 1) {
    const durationMs = segments[segment]?.durationMs
    if (durationMs === undefined) return undefined
    at += durationMs / 1000
    if (at >= 0 || segment === 0) return { segment, seconds: Math.max(0, at) }
  }
  return undefined
}
