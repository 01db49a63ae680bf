/** The lengths of the chunks of a recording in their order; the last one is that of all others. */
export type ChunkSeconds = readonly [number, ...number[]]

/** What a kill can cost, and what is in memory: 4 MB a channel, some five times over. */
const secondsMax = 60
/** The first is shorter, so that there is something to hear while the next one is prepared. */
const firstSeconds = 20
/** Lengths are told to a few hundredths: without it a tenth of a second could be left for a chunk of its own. */
const spareSeconds = 0.5

/** Of equal length behind the first, because one process would wait while the other hears a last clip alone. */
export function planChunks(durationSeconds: number): ChunkSeconds {
  const rest = durationSeconds + spareSeconds - firstSeconds
  if (rest < firstSeconds) return [secondsMax]
  const count = Math.ceil(rest / secondsMax)
  // Whole hundredths are whole samples at every rate; what rounding adds up to over three hours is 2 s.
  return [firstSeconds, Math.ceil((rest / count) * 100) / 100]
}

export const lengthOfChunk = (lengths: ChunkSeconds, index: number): number =>
  lengths[index] ?? lengths.at(-1) ?? lengths[0]
