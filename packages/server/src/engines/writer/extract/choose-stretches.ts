/** One sentence, as the choice sees it. */
export interface Unit {
  /** Words that it adds. */
  cost: number
  /** For each slot: what it is worth there, before its words are paid for. */
  values: readonly number[]
  /** What is lost if a quote begins with it. */
  start: number
  /** What is lost if a quote ends with it. */
  end: number
  /** What is lost if a stretch passes over it. */
  skip: number
  /** Never quoted. */
  isSilent: boolean
}

export interface Chosen {
  slot: number
  step: Step
}

/** How a sentence stands in its stretch: as its first, as a later one, or passed over. */
export type Step = 'starts' | 'goes on' | 'passed over'
const STEPS: readonly Step[] = ['starts', 'goes on', 'passed over']

/** More than any sentence is worth in any slot. */
const worthMax = 2
const pricesTried = 18

/**
 * Which sentences are quoted, and in which slot each, so that the whole is worth most within the given number of words: whole
 * stretches of talk, since a quote that begins or ends in the middle of a matter costs what its reader loses. A factor of 0
 * makes the words of a slot free.
 */
export function chooseStretches(
  units: readonly Unit[],
  factors: readonly number[],
  wordsMax: number,
): (Chosen | null)[] {
  const free = chooseAt(0, units, factors)
  if (countWords(free, units, factors) <= wordsMax) return free
  // Of the cheapest slot, too, a word costs more than any sentence is worth: nothing is bought at the dearest price.
  let [low, high] = [0, worthMax / Math.min(1, ...factors.filter((factor) => factor > 0))]
  for (let tried = 0; tried < pricesTried; tried += 1) {
    const price = (low + high) / 2
    if (countWords(chooseAt(price, units, factors), units, factors) > wordsMax) low = price
    else high = price
  }
  return chooseAt(high, units, factors)
}

const countWords = (
  chosen: readonly (Chosen | null)[],
  units: readonly Unit[],
  factors: readonly number[],
): number =>
  chosen.reduce(
    (sum, one, at) =>
      sum +
      (one !== null && one.step !== 'passed over' && (factors[one.slot] ?? 0) > 0
        ? (units[at]?.cost ?? 0)
        : 0),
    0,
  )

/** The best sequence of slots at one price of a word, by the best way to each slot of each sentence. */
function chooseAt(price: number, units: readonly Unit[], factors: readonly number[]): (Chosen | null)[] {
  const slots = factors.length
  const width = slots + 1
  /** Worth of the best way that ends in each slot; the last is "not quoted". */
  let best = new Float64Array(width).fill(-Infinity)
  let next = new Float64Array(width)
  best[slots] = 0
  /** For each sentence and slot: the slot before it, and the step. One piece of memory for all: eighteen prices are tried. */
  const ways: Ways = {
    width,
    from: new Int16Array(units.length * width),
    step: new Uint8Array(units.length * width),
  }
  for (const [at, unit] of units.entries()) {
    const row = at * width
    const [open, openSlot] = leave(best, units[at - 1]?.end ?? 0)
    next[slots] = open
    ways.from[row + slots] = openSlot
    for (let slot = 0; slot < slots; slot += 1) {
      const stay = best[slot] ?? -Infinity
      const value = unit.isSilent
        ? -Infinity
        : (unit.values[slot] ?? 0) - price * (factors[slot] ?? 0) * unit.cost
      const [starts, goesOn, passes] = [open - unit.start + value, stay + value, stay - unit.skip]
      const step = starts >= goesOn && starts >= passes ? 0 : goesOn >= passes ? 1 : 2
      next[slot] = step === 0 ? starts : step === 1 ? goesOn : passes
      ways.step[row + slot] = step
      ways.from[row + slot] = step > 0 ? slot : openSlot
    }
    ;[best, next] = [next, best]
  }
  return trace(ways, leave(best, units.at(-1)?.end ?? 0)[1])
}

interface Ways {
  width: number
  from: Int16Array
  step: Uint8Array
}

/** The best way to be free for another slot, if the sentence before is the last of its stretch. */
function leave(best: Float64Array, end: number): [number, number] {
  const out = best.length - 1
  let [value, from] = [best[out] ?? -Infinity, out]
  for (let slot = 0; slot < out; slot += 1) {
    const own = (best[slot] ?? -Infinity) - end
    if (own > value) [value, from] = [own, slot]
  }
  return [value, from]
}

/** Back from the slot of the last sentence. */
function trace({ width, from, step }: Ways, last: number): (Chosen | null)[] {
  const out = width - 1
  let slot = last
  const chosen: (Chosen | null)[] = []
  for (let row = from.length - width; row >= 0; row -= width) {
    chosen.push(slot === out ? null : { slot, step: STEPS[step[row + slot] ?? 0] ?? 'starts' })
    slot = from[row + slot] ?? out
  }
  return chosen.toReversed()
}
