import type { RecordingRow } from './recording-row.js'

/** The recording goes on, or has ended. */
export function closeGaps({ gaps = [] }: RecordingRow): void {
  for (const gap of gaps) gap.seconds ??= Math.max(0, (Date.now() - Date.parse(gap.at)) / 1000)
}
