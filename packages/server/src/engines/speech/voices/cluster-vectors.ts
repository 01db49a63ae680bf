/** Unit vectors: the product is the cosine. */
export function cosine(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!
  return sum
}

export interface WeightedVector {
  vector: Float32Array
  /** Seconds of speech behind it. */
  weight: number
}

/** The direction of the weighted sum. */
export function meanDirection(vectors: readonly WeightedVector[]): Float32Array {
  const sum = new Float32Array(vectors[0]!.vector.length)
  for (const { vector, weight } of vectors)
    for (let i = 0; i < sum.length; i++) sum[i]! += vector[i]! * weight
  const length = Math.hypot(...sum)
  return length === 0 ? sum : sum.map((value) => value / length)
}

/** A table of cosines of this many vectors is 5 MB; what is left over is assigned to the nearest centre. */
const tableMax = 1100

/**
 * Groups by average linkage until `groupsMax` are left. Returns the group of each vector, numbered from 0. With more than
 * `tableMax` vectors an even choice of them is grouped and the others follow their nearest centre, so time and memory stay
 * bounded for a recording of any length.
 */
export function groupByAverageLinkage(vectors: readonly WeightedVector[], groupsMax: number): number[] {
  const step = Math.max(1, vectors.length / tableMax)
  const chosen = Array.from(
    { length: Math.min(vectors.length, tableMax) },
    (_, i) => vectors[Math.floor(i * step)]!,
  )
  const groups = linkOnAverage(chosen, groupsMax)
  const centres = groups.map((members) => meanDirection(members.map((i) => chosen[i]!)))
  return refineGroups(vectors, centres)
}

/** k-means on the sphere from the given centres: a few rounds settle it. */
export function refineGroups(vectors: readonly WeightedVector[], start: readonly Float32Array[]): number[] {
  let centres = [...start]
  let groups = vectors.map(({ vector }) => findNearest(vector, centres))
  for (let round = 0; round < 8; round++) {
    centres = centres.map((centre, group) => {
      const members = vectors.filter((_, i) => groups[i] === group)
      return members.length === 0 ? centre : meanDirection(members)
    })
    const next = vectors.map(({ vector }) => findNearest(vector, centres))
    if (next.every((group, i) => group === groups[i])) break
    groups = next
  }
  return groups
}

export function findNearest(vector: Float32Array, centres: readonly Float32Array[]): number {
  let nearest = 0
  let best = -Infinity
  for (const [i, centre] of centres.entries()) {
    const likeness = cosine(vector, centre)
    if (likeness > best) {
      best = likeness
      nearest = i
    }
  }
  return nearest
}

function linkOnAverage(vectors: readonly WeightedVector[], groupsMax: number): number[][] {
  const count = vectors.length
  const likeness = new Float32Array(count * count)
  for (let a = 0; a < count; a++)
    for (let b = a + 1; b < count; b++)
      likeness[a * count + b] = likeness[b * count + a] = cosine(vectors[a]!.vector, vectors[b]!.vector)
  const weights = vectors.map(({ weight }) => weight)
  const members = vectors.map((_, i): number[] | null => [i])
  const nearest = vectors.map((_, i) => findNearestGroup(likeness, count, members, i))
  for (let left = count; left > groupsMax; left--) {
    let a = -1
    let best = -Infinity
    for (let i = 0; i < count; i++) {
      if (members[i] === null) continue
      const like = likeness[i * count + nearest[i]!]!
      if (like > best) [a, best] = [i, like]
    }
    const b = nearest[a]!
    mergeGroups(likeness, weights, members, a, b)
    for (let i = 0; i < count; i++)
      if (members[i] !== null && (i === a || nearest[i] === a || nearest[i] === b))
        nearest[i] = findNearestGroup(likeness, count, members, i)
  }
  return members.filter((group) => group !== null)
}

function mergeGroups(
  likeness: Float32Array,
  weights: number[],
  members: (number[] | null)[],
  a: number,
  b: number,
): void {
  const count = weights.length
  const total = weights[a]! + weights[b]!
  for (let i = 0; i < count; i++) {
    if (members[i] === null || i === a || i === b) continue
    const mixed = (likeness[a * count + i]! * weights[a]! + likeness[b * count + i]! * weights[b]!) / total
    likeness[a * count + i] = likeness[i * count + a] = mixed
  }
  weights[a] = total
  members[a] = members[a]!.concat(members[b]!)
  members[b] = null
}

function findNearestGroup(
  likeness: Float32Array,
  count: number,
  members: (number[] | null)[],
  group: number,
): number {
  let nearest = -1
  let best = -Infinity
  for (let i = 0; i < count; i++) {
    if (i === group || members[i] === null) continue
    if (likeness[group * count + i]! > best) [nearest, best] = [i, likeness[group * count + i]!]
  }
  return nearest
}
