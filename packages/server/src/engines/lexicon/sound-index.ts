import { aloneCostOf, leastDistanceOf, normOf, otherCostOf, stressAt, weightOf } from './sound-alike.js'

/** Names by their sounds: a tree, so that what begins alike is compared once, and what has nothing in common is left early. */
export interface SoundIndex<Name> {
  /**
   * The names that a comparison with each by `leastSoundDistance` (at most `leastMax`) and `measureSoundDistance` (at most
   * `distanceMax`) finds, with the same distances, in the order in which the index was given them.
   */
  findWithin(
    said: string,
    bounds: { leastMax: number; distanceMax: number },
  ): { name: Name; distance: number }[]
}

interface Node {
  /** Code of the last sound on the way here. */
  code: number
  children: Node[]
  /** The names that end here, by their place in the list. */
  ends: number[]
  /** The least weight of the names at and below it, and the greatest. */
  lightest: number
  heaviest: number
}

/** Sums come to the same in either order, but for the last bits. */
const slack = 1e-9

export function makeSoundIndex<Name extends { sounds: string }>(names: readonly Name[]): SoundIndex<Name> {
  const weights = names.map(({ sounds }) => weightOf(sounds))
  const root = makeTree(names, weights)
  const depthMax = Math.max(0, ...names.map(({ sounds }) => sounds.length))
  return {
    findWithin(said, { leastMax, distanceMax }) {
      const weight = weightOf(said)
      const isNear = ({ lightest, heaviest }: Node): boolean =>
        leastDistanceOf(weight, Math.min(Math.max(weight, lightest), heaviest)) <= leastMax + slack
      if (!isNear(root)) return []
      const rows = makeRows(said, depthMax)
      const found: { at: number; distance: number }[] = []
      const visit = (node: Node, depth: number): void => {
        if (
          depth > 0 &&
          fillRow(rows, depth, node.code) > distanceMax * normOf(weight, node.heaviest) + slack
        )
          return
        for (const at of node.ends) {
          const own = weights[at] ?? 0
          if (leastDistanceOf(weight, own) > leastMax) continue
          const distance = rows.costs[depth * rows.width + said.length]! / normOf(weight, own)
          if (distance <= distanceMax) found.push({ at, distance })
        }
        for (const child of node.children) if (isNear(child)) visit(child, depth + 1)
      }
      visit(root, 0)
      return found
        .toSorted((a, b) => a.at - b.at)
        .map(({ at, distance }) => ({ name: names[at] as Name, distance }))
    },
  }
}

function makeTree(names: readonly { sounds: string }[], weights: readonly number[]): Node {
  const make = (code: number): Node => ({ code, children: [], ends: [], lightest: Infinity, heaviest: 0 })
  const root = make(0)
  for (const [at, { sounds }] of names.entries()) {
    const weight = weights[at] ?? 0
    const weigh = (node: Node): void => {
      node.lightest = Math.min(node.lightest, weight)
      node.heaviest = Math.max(node.heaviest, weight)
    }
    let node = root
    weigh(node)
    for (let place = 0; place < sounds.length; place++) {
      const code = sounds.charCodeAt(place)
      let child = node.children.find((one) => one.code === code)
      if (child === undefined) {
        child = make(code)
        node.children.push(child)
      }
      node = child
      weigh(node)
    }
    node.ends.push(at)
  }
  return root
}

interface Rows {
  said: Uint8Array
  /** What it costs to leave out each sound of what was said. */
  alone: Float64Array
  /** A line for each sound of a name: the least cost up to each sound of what was said. */
  costs: Float64Array
  width: number
}

function makeRows(said: string, depthMax: number): Rows {
  const codes = Uint8Array.from(said, (sound) => sound.charCodeAt(0))
  const alone = Float64Array.from(codes, (code, at) => aloneCostOf(code) * stressAt(at))
  const width = said.length + 1
  const costs = new Float64Array((depthMax + 1) * width)
  for (let at = 0; at < said.length; at++) costs[at + 1] = costs[at]! + alone[at]!
  return { said: codes, alone, costs, width }
}

/** Fills the line for one more sound of a name in the table of `measureSoundDistance`. Returns the least in it. */
function fillRow({ said, alone, costs, width }: Rows, depth: number, code: number): number {
  const aloneHere = aloneCostOf(code)
  const line = depth * width
  const before = line - width
  let least = costs[before]! + aloneHere
  costs[line] = least
  for (let at = 0; at < said.length; at++) {
    const exchanged = costs[before + at]! + otherCostOf(said[at]!, code) * stressAt(at)
    const cost = Math.min(exchanged, costs[line + at]! + alone[at]!, costs[before + at + 1]! + aloneHere)
    costs[line + at + 1] = cost
    if (cost < least) least = cost
  }
  return least
}
