/** The lengths of the chunks of a recording in their order; the last one is that of all others. */
export type ChunkSeconds = readonly [number, ...number[]]

/** What a kill can cost, and what is in memory: 4 MB a channel, some five times over. */
const secondsMax = 60
/** Of all channels together: a chunk is copied and sent on in one turn of the event loop. */
const channelSecondsMax = 120
/** The first is shorter, so that there is something to hear while the next one is prepared. */
const firstSeconds = 20
/** Lengths are told to a few hundredths: without it a tenth of a second could be left for a chunk of its own. */
const spareSeconds = 0.5

/** Of equal length behind the first, because one process would wait while the other hears a last clip alone. */
export function planChunks(durationSeconds: number, channelCount: number): ChunkSeconds {
  const most = Math.min(secondsMax, Math.floor(channelSecondsMax / channelCount))
  const first = Math.min(firstSeconds, most)
  const rest = durationSeconds + spareSeconds - first
  if (rest < first) return [most]
  const count = Math.ceil(rest / most)
  // Whole hundredths are whole samples at every rate; what rounding adds up to over three hours is 2 s.
  return [first, Math.ceil((rest / count) * 100) / 100]
}

export const lengthOfChunk = (lengths: ChunkSeconds, index: number): number =>
  lengths[index] ?? lengths.at(-1) ?? lengths[0]
