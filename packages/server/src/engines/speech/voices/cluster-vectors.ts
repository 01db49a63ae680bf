export interface VoiceVector {
  /** The vector has length 1, so that a product of two is their cosine. */
  vector: Float32Array
  /** Seconds of speech behind it. */
  weight: number
  startSeconds: number
}

/** Four sums, since each addition waits for the one before it: a third of the time. Sizes are multiples of four. */
export function cosine(a: Float32Array, b: Float32Array): number {
  let first = 0
  let second = 0
  let third = 0
  let fourth = 0
  for (let i = 0; i < a.length; i += 4) {
    first += a[i]! * b[i]!
    second += a[i + 1]! * b[i + 1]!
    third += a[i + 2]! * b[i + 2]!
    fourth += a[i + 3]! * b[i + 3]!
  }
  return first + second + third + fourth
}

export function toUnitLength(vector: Float32Array): Float32Array {
  const length = Math.sqrt(cosine(vector, vector))
  return length === 0 ? vector : vector.map((value) => value / length)
}

/** The direction of the weighted sum. */
export function meanDirection(members: readonly Pick<VoiceVector, 'vector' | 'weight'>[]): Float32Array {
  const sum = new Float64Array(members[0]!.vector.length)
  for (const { vector, weight } of members) addScaled(sum, vector, weight)
  return toUnitLength(Float32Array.from(sum))
}

export function addScaled(sum: Float64Array, vector: Float32Array, factor: number): void {
  for (let i = 0; i < sum.length; i++) sum[i]! += vector[i]! * factor
}

export const findNearest = (vector: Float32Array, centres: readonly Float32Array[]): number =>
  measureNearest(vector, centres).nearest

/** The nearest centre, and by how much it is nearer than the next. */
function measureNearest(
  vector: Float32Array,
  centres: readonly Float32Array[],
): { nearest: number; lead: number } {
  let nearest = 0
  let best = -Infinity
  let second = -Infinity
  for (let i = 0; i < centres.length; i++) {
    const likeness = cosine(vector, centres[i]!)
    if (likeness > best) {
      second = best
      best = likeness
      nearest = i
    } else if (likeness > second) second = likeness
  }
  return { nearest, lead: best - second }
}

/** k-means on the sphere from the given centres; a few rounds settle it. Empty groups are left out. */
export function refineCentres(
  members: readonly VoiceVector[],
  start: readonly Float32Array[],
): Float32Array[] {
  let centres: readonly Float32Array[] = start
  const groups = new Int32Array(members.length).fill(-1)
  const leads = new Float64Array(members.length)
  for (let round = 0; round < 12; round++) {
    if (!regroup(members, centres, groups, leads)) break
    const next = splitByGroup(members, groups).map((group) => meanDirection(group))
    if (next.length === centres.length) lowerLeads(leads, groups, centres, next)
    else leads.fill(0)
    centres = next
  }
  return [...centres]
}

/** Whether any member has another centre than before. */
function regroup(
  members: readonly VoiceVector[],
  centres: readonly Float32Array[],
  groups: Int32Array,
  leads: Float64Array,
): boolean {
  let isChanged = false
  for (let i = 0; i < members.length; i++) {
    if (leads[i]! > 0) continue
    const { nearest, lead } = measureNearest(members[i]!.vector, centres)
    isChanged ||= nearest !== groups[i]
    groups[i] = nearest
    leads[i] = lead
  }
  return isChanged
}

/**
 * A cosine changes by no more than the centre moves, so a member keeps its centre while the lead over the second nearest is
 * larger than all moves since: it need not be compared again.
 */
function lowerLeads(
  leads: Float64Array,
  groups: Int32Array,
  before: readonly Float32Array[],
  after: readonly Float32Array[],
): void {
  const moves = before.map((centre, i) => distanceOf(centre, after[i]!))
  const largest = Math.max(...moves)
  for (let i = 0; i < leads.length; i++) leads[i]! -= moves[groups[i]!]! + largest
}

const distanceOf = (a: Float32Array, b: Float32Array): number =>
  Math.sqrt(a.reduce((sum, value, i) => sum + (value - b[i]!) ** 2, 0))

/** The members of each group that has any. */
export function splitByGroup(members: readonly VoiceVector[], groups: ArrayLike<number>): VoiceVector[][] {
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
