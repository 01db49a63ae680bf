/** The lengths of the chunks of a recording in their order; the last one is that of all others. */
export type ChunkSeconds = readonly [number, ...number[]]

/** What a kill can cost, and what is in memory: 4 MB a channel, some five times over. */
const secondsMax = 60
/** The first is shorter, so that there is something to hear while the next one is prepared. */
const firstSeconds = 20
/** Length of all others but the last, which takes what would be a stub along: one process would hear that alone. */
const usualSeconds = 50
/** Lengths are told to a few hundredths: without it a tenth of a second could be left for a chunk of its own. */
const spareSeconds = 0.5

/**
 * Where a chunk ends is known as soon as there is enough sound behind it, whatever follows: a recording that is heard while it is
 * recorded is cut as its file is.
 */
export function planChunks(durationSeconds: number): ChunkSeconds {
  const lengths: [number, ...number[]] = [secondsMax]
  let left = durationSeconds + spareSeconds
  while (left > boundSecondsOf(lengths.length - 1)) {
    const length = lengthOfSettled(lengths.length - 1)
    lengths.splice(-1, 1, length, secondsMax)
    left -= length
  }
  return lengths
}

export const lengthOfChunk = (lengths: ChunkSeconds, index: number): number =>
  lengths[index] ?? lengths.at(-1) ?? lengths[0]

/** Length of a chunk that is not the last. */
export const lengthOfSettled = (index: number): number => (index === 0 ? firstSeconds : usualSeconds)

/** From its start on: with so much sound a chunk is not the last, and what it holds changes no more. */
export const settlesAfterSeconds = (index: number): number => boundSecondsOf(index) + spareSeconds

const boundSecondsOf = (index: number): number => (index === 0 ? 2 * firstSeconds : secondsMax)
