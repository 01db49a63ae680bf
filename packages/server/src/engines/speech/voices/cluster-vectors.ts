export interface VoiceVector {
  /** Of length 1, so that a product of two is their cosine. */
  vector: Float32Array
  /** Seconds of speech behind it. */
  weight: number
  startSeconds: number
}

export function cosine(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!
  return sum
}

export function toUnitLength(vector: Float32Array): Float32Array {
  const length = Math.sqrt(cosine(vector, vector))
  return length === 0 ? vector : vector.map((value) => value / length)
}

/** The direction of the weighted sum. */
export function meanDirection(members: readonly Pick<VoiceVector, 'vector' | 'weight'>[]): Float32Array {
  const sum = new Float32Array(members[0]!.vector.length)
  for (const { vector, weight } of members) addScaled(sum, vector, weight)
  return toUnitLength(sum)
}

export function addScaled(sum: Float32Array | Float64Array, vector: Float32Array, factor: number): void {
  for (let i = 0; i < sum.length; i++) sum[i]! += vector[i]! * factor
}

export function findNearest(vector: Float32Array, centres: readonly Float32Array[]): number {
  let nearest = 0
  let best = -Infinity
  for (let i = 0; i < centres.length; i++) {
    const likeness = cosine(vector, centres[i]!)
    if (likeness > best) [nearest, best] = [i, likeness]
  }
  return nearest
}

/** k-means on the sphere from the given centres; a few rounds settle it. Empty groups are left out. */
export function refineCentres(
  members: readonly VoiceVector[],
  start: readonly Float32Array[],
): Float32Array[] {
  let centres = [...start]
  let groups: number[] = []
  for (let round = 0; round < 12; round++) {
    const next = members.map(({ vector }) => findNearest(vector, centres))
    if (next.every((group, i) => group === groups[i])) break
    groups = next
    centres = splitByGroup(members, groups).map((group) => meanDirection(group))
  }
  return centres
}

/** The members of each group that has any. */
export function splitByGroup(members: readonly VoiceVector[], groups: readonly number[]): VoiceVector[][] {
  const split: VoiceVector[][] = []
  for (const [i, member] of members.entries()) (split[groups[i]!] ??= []).push(member)
  return split.filter((group) => group !== undefined)
}

/** Fixed, so that a recording has the same voices each time it is read. */
const seed = 1

/** The best of several starts, each spread over the vectors (k-means++). */
export function findCentres(members: readonly VoiceVector[], count: number, starts: number): Float32Array[] {
  let best: Float32Array[] = []
  let bestLikeness = -Infinity
  const random = makeRandom(seed)
  for (let start = 0; start < starts; start++) {
    const centres = refineCentres(members, chooseStart(members, count, random))
    const likeness = members.reduce(
      (sum, { vector, weight }) => sum + weight * cosine(vector, centres[findNearest(vector, centres)]!),
      0,
    )
    if (likeness > bestLikeness) [best, bestLikeness] = [centres, likeness]
  }
  return best
}

function chooseStart(members: readonly VoiceVector[], count: number, random: () => number): Float32Array[] {
  const centres = [members[Math.floor(random() * members.length)]!.vector]
  const distances = members.map(() => Infinity)
  while (centres.length < count) {
    let total = 0
    for (const [i, { vector }] of members.entries()) {
      const distance = Math.min(distances[i]!, Math.max(0, 1 - cosine(vector, centres.at(-1)!)) ** 2)
      distances[i] = distance
      total += distance
    }
    let left = random() * total
    const chosen = members.find((_, i) => (left -= distances[i]!) <= 0) ?? members.at(-1)!
    centres.push(chosen.vector)
  }
  return centres
}

/** mulberry32 */
function makeRandom(start: number): () => number {
  let state = start
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
