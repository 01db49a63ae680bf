import {
  cosine,
  groupByAverageLinkage,
  meanDirection,
  refineGroups,
  type WeightedVector,
} from './cluster-vectors.js'

/** A session has a clinician and a client, a couple makes three; more are seldom and not told apart well. */
const voicesMax = 4

/** Two centres that are more alike than this are one person. Measured by eval/voices.js, see `docs/decisions`. */
const sameVoiceCosine = 0.5

/** Less speech than this is noise, laughter or an overlap, not another person. */
const voiceSecondsMin = 4

/** The direction of each voice: as many as the vectors show, at least one. */
export function findVoices(vectors: readonly WeightedVector[]): Float32Array[] {
  if (vectors.length === 0) return []
  let groups = groupByAverageLinkage(vectors, voicesMax * 2)
  for (;;) {
    const centres = listCentres(vectors, groups)
    const merged = mergeClosest(centres)
    if (merged === null) return centres.map(({ direction }) => direction)
    groups = refineGroups(vectors, merged)
  }
}

interface Centre {
  direction: Float32Array
  seconds: number
}

function listCentres(vectors: readonly WeightedVector[], groups: readonly number[]): Centre[] {
  return [...new Set(groups)].map((group) => {
    const members = vectors.filter((_, i) => groups[i] === group)
    return {
      direction: meanDirection(members),
      seconds: members.reduce((sum, { weight }) => sum + weight, 0),
    }
  })
}

/** Null when all centres are voices of their own; else the directions with the two that should be one merged. */
function mergeClosest(centres: readonly Centre[]): Float32Array[] | null {
  if (centres.length < 2) return null
  const smallest = centres.reduce((small, centre) => (centre.seconds < small.seconds ? centre : small))
  if (smallest.seconds < voiceSecondsMin) return directionsWithout(centres, smallest)
  let pair: readonly [Centre, Centre] | null = null
  let best = centres.length > voicesMax ? -Infinity : sameVoiceCosine
  for (const [i, a] of centres.entries())
    for (const b of centres.slice(i + 1)) {
      const likeness = cosine(a.direction, b.direction)
      if (likeness > best) [best, pair] = [likeness, [a, b]]
    }
  if (pair === null) return null
  const [a, b] = pair
  const merged = meanDirection([
    { vector: a.direction, weight: a.seconds },
    { vector: b.direction, weight: b.seconds },
  ])
  return [...directionsWithout(centres, a, b), merged]
}

function directionsWithout(centres: readonly Centre[], ...left: Centre[]): Float32Array[] {
  return centres.filter((centre) => !left.includes(centre)).map(({ direction }) => direction)
}
