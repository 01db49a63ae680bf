import {
  addScaled,
  cosine,
  findCentres,
  findNearest,
  meanDirection,
  refineCentres,
  splitByGroup,
  type VoiceVector,
} from './cluster-vectors.js'

/**
 * Two groups that are more alike than this are one person. Measured on synthetic sessions and human prompts: one voice in two
 * groups 0.83 and more, two voices 0.74 and less. Higher limits cut one reader in noise, and each cut costs words. This and
 * the limits below were fitted on the 59 sessions with one microphone of `npm run eval voices`, so what they are measured at
 * there flatters them: 2 with a wrong number of voices and 1.5 % of the speech with the wrong voice or none. They belong to
 * vectors of every third frame; with those of every sixth the same limits gave 17 and 4.3 %.
 */
const sameVoiceLikeness = 0.72

/** Less speech than this is noise, laughter or an overlap, not another person. */
const voiceSecondsMin = 2.5

/** On a channel of one's own a second person is rare: it takes this much speech and a clear difference. */
const guestSecondsMin = 8

/** A session has a clinician and a client, a couple makes three; more are seldom and not told apart well. */
const voicesMax = 4

/** Found first and then merged: one voice in two groups is seen, two voices in one group are not. */
const groupsAtFirst = 6
const starts = 8

/** More vectors than this add time and no knowledge: 3 h of speech are 43,000 windows. */
const membersMax = 4000

/** The starts of 4,000 took three quarters of the time of grouping them. */
const startMembersMax = 1000

/** A group with little speech has an uncertain middle, and must differ more to be somebody; one with much need not. */
const smallShare = 0.1
const smallGroupLikeness = 0.62
const largeShare = 0.2
const largeGroupSeconds = 20
const largeGroupLikeness = 0.8

/**
 * The direction of each voice: as many as the vectors show, at least one if there is any. `isShared` is a microphone for
 * everybody in the room.
 */
export function findVoices(all: readonly VoiceVector[], isShared = true): Float32Array[] {
  if (all.length === 0) return []
  const members = thinOut(all, membersMax)
  const first = findCentres(
    thinOut(members, startMembersMax),
    Math.min(groupsAtFirst, members.length),
    starts,
  )
  let centres = refineCentres(members, first)
  for (;;) {
    const groups = splitByGroup(
      members,
      members.map(({ vector }) => findNearest(vector, centres)),
    ).map(measureGroup)
    const fewer = dropOrMerge(groups, isShared)
    if (fewer === null) return groups.map(({ direction }) => direction)
    centres = refineCentres(members, fewer)
  }
}

function thinOut(all: readonly VoiceVector[], countMax: number): readonly VoiceVector[] {
  const step = all.length / countMax
  return step <= 1 ? all : Array.from({ length: countMax }, (_, i) => all[Math.floor(i * step)]!)
}

interface Group {
  direction: Float32Array
  seconds: number
  sum: Float64Array
  /** The mean cosine of two vectors from different moments. */
  within: number | null
}

/** Windows overlap: two of the same moment are alike whoever speaks, and would make every group look tight. */
const momentSeconds = 3

function measureGroup(members: readonly VoiceVector[]): Group {
  const size = members[0]!.vector.length
  const sum = new Float64Array(size)
  const moments = new Map<number, { sum: Float64Array; weight: number }>()
  let seconds = 0
  for (const { vector, weight, startSeconds } of members) {
    const key = Math.floor(startSeconds / momentSeconds)
    const moment = moments.get(key) ?? { sum: new Float64Array(size), weight: 0 }
    moments.set(key, moment)
    addScaled(moment.sum, vector, weight)
    moment.weight += weight
    addScaled(sum, vector, weight)
    seconds += weight
  }
  let product = squareOf(sum)
  let pairs = seconds ** 2
  for (const moment of moments.values()) {
    product -= squareOf(moment.sum)
    pairs -= moment.weight ** 2
  }
  // One moment alone cannot say how much its voice varies: as much as the one it is compared with.
  const within = moments.size < 2 ? null : Math.max(product / pairs, 0.05)
  return { direction: meanDirection(members), seconds, sum, within }
}

const squareOf = (vector: Float64Array): number => vector.reduce((total, value) => total + value * value, 0)

/** The cosine of the two middles as it would be without the noise of single windows. */
function measureLikeness(a: Group, b: Group): number {
  let product = 0
  for (let i = 0; i < a.sum.length; i++) product += a.sum[i]! * b.sum[i]!
  const within = Math.sqrt((a.within ?? b.within ?? 1) * (b.within ?? a.within ?? 1))
  return product / (a.seconds * b.seconds) / within
}

/** Null when every group is a voice of its own; else the directions with one group less. */
function dropOrMerge(groups: readonly Group[], isShared: boolean): Float32Array[] | null {
  if (groups.length < 2) return null
  const smallest = groups.reduce((small, group) => (group.seconds < small.seconds ? group : small))
  if (smallest.seconds < (isShared ? voiceSecondsMin : guestSecondsMin))
    return directionsWithout(groups, smallest)
  const total = groups.reduce((sum, { seconds }) => sum + seconds, 0)
  let pair: readonly [Group, Group] | null = null
  let best = groups.length > voicesMax ? -Infinity : 0
  for (const [i, a] of groups.entries())
    for (const b of groups.slice(i + 1)) {
      const limit = isShared ? limitFor(Math.min(a.seconds, b.seconds), total) : smallGroupLikeness
      const excess = measureLikeness(a, b) - limit
      if (excess > best) [best, pair] = [excess, [a, b]]
    }
  if (pair === null) return null
  const merged = meanDirection(pair.map(({ direction, seconds }) => ({ vector: direction, weight: seconds })))
  return [...directionsWithout(groups, ...pair), merged]
}

function limitFor(seconds: number, total: number): number {
  if (seconds < smallShare * total) return smallGroupLikeness
  return seconds >= Math.max(largeGroupSeconds, largeShare * total) ? largeGroupLikeness : sameVoiceLikeness
}

function directionsWithout(groups: readonly Group[], ...left: readonly Group[]): Float32Array[] {
  return groups.filter((group) => !left.includes(group)).map(({ direction }) => direction)
}

/** How well a vector fits each voice. */
export const rateVoices = (vector: Float32Array, voices: readonly Float32Array[]): number[] =>
  voices.map((voice) => cosine(vector, voice))
