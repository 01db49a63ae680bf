import type { RecordingRow } from './recording-row.js'

/** A day, as the service takes it: who left the tab open over a weekend was not off the record for longer. */
const secondsMax = 86_400

/** The recording goes on, or has ended. */
export function closeGaps({ gaps = [] }: RecordingRow): void {
  for (const gap of gaps)
    gap.seconds ??= Math.min(secondsMax, Math.max(0, (Date.now() - Date.parse(gap.at)) / 1000))
}
