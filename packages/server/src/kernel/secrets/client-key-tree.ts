import { createHash, randomBytes } from 'node:crypto'
import type { ClientId, TenantId } from '../ids.js'

/** Two clients of a million share a leaf, and would be erased together, once in thirty million installations. */
const depth = 64

/** Leaves that are kept derived: a list of clients takes each once, and 50 µs for one is not felt. */
const derivedMost = 10_000

/**
 * The nodes of a tree as three columns, in the order of their ways: what a thread hands over without a copy, and what is looked up by
 * halving. No node is above another one, so the one that a leaf is below is the last that begins at or before it.
 */
export interface PackedTree {
  /** The first leaf below each. */
  starts: BigUint64Array<ArrayBuffer>
  /** How many turns it is below the root. */
  levels: Uint8Array<ArrayBuffer>
  /** 32 bytes each. */
  seeds: Uint8Array<ArrayBuffer>
}

/**
 * The keys of all clients, each of its own, from one seed: a tree in which a node gives its two children, and a client's key is a leaf.
 * Whoever has a node derives all below it. Destroying one key replaces the nodes above it by their other children: from what is left
 * every other key follows, and that one never again (a puncturable pseudorandom function). So nothing is written when a client is made,
 * and the store grows only with what is erased: 2 KB for each.
 */
export class ClientKeyTree {
  /** The nodes that are kept, by their way from the root as zeros and ones. */
  readonly #nodes: PackedTree
  readonly #derived = new Map<string, Buffer | null>()

  constructor(nodes: PackedTree) {
    this.#nodes = nodes
  }

  static grow(): ClientKeyTree {
    return ClientKeyTree.read([writeNode('', randomBytes(seedBytes))])
  }

  /** Lines of ways, as zeros and ones, and seeds. */
  static read(lines: readonly string[]): ClientKeyTree {
    const nodes = makeNodes(lines.length)
    // Versions before this one wrote them in the order in which they had come.
    const sorted = isSorted(lines) ? lines : lines.toSorted()
    for (const [index, line] of sorted.entries()) {
      const [way = '', seed = ''] = line.split(':')
      const bytes = Buffer.from(seed, 'base64')
      if (!/^[01]{0,64}$/.test(way) || bytes.length !== seedBytes)
        throw new Error('a key store has a damaged key')
      setNode(nodes, index, way, bytes)
    }
    return new ClientKeyTree(nodes)
  }

  write(): string[] {
    const { starts, levels } = this.#nodes
    return Array.from(starts, (start, index) =>
      writeNode(writeWay(start).slice(0, levels[index]), this.#seedAt(index)),
    )
  }

  get packed(): PackedTree {
    return this.#nodes
  }

  /** Null: it was destroyed. */
  find(tenantId: TenantId, clientId: ClientId): Buffer | null {
    const leaf = leafOf(tenantId, clientId)
    const known = this.#derived.get(leaf)
    if (known !== undefined) return known
    const found = this.#derive(leaf)
    if (this.#derived.size >= derivedMost) this.#derived.clear()
    this.#derived.set(leaf, found)
    return found
  }

  /** The tree without one key. */
  without(tenantId: TenantId, clientId: ClientId): ClientKeyTree {
    const leaf = leafOf(tenantId, clientId)
    const from = this.#findAbove(leaf)
    if (from === null) return this
    const level = this.#levelAt(from)
    let seed = this.#seedAt(from)
    const others: [way: string, seed: Buffer][] = []
    for (let at = level; at < depth; at += 1) {
      const turn = leaf[at] as Turn
      const other = turn === '0' ? '1' : '0'
      others.push([leaf.slice(0, at) + other, childOf(seed, other)])
      seed = childOf(seed, turn)
    }
    others.sort(([one], [two]) => (one < two ? -1 : 1))
    const { starts, levels, seeds } = this.#nodes
    const nodes = makeNodes(starts.length - 1 + others.length)
    const behind = from + others.length
    nodes.starts.set(starts.subarray(0, from))
    nodes.levels.set(levels.subarray(0, from))
    nodes.seeds.set(seeds.subarray(0, from * seedBytes))
    for (const [index, [way, bytes]] of others.entries()) setNode(nodes, from + index, way, bytes)
    nodes.starts.set(starts.subarray(from + 1), behind)
    nodes.levels.set(levels.subarray(from + 1), behind)
    nodes.seeds.set(seeds.subarray((from + 1) * seedBytes), behind * seedBytes)
    return new ClientKeyTree(nodes)
  }

  #derive(leaf: string): Buffer | null {
    const from = this.#findAbove(leaf)
    if (from === null) return null
    let seed = this.#seedAt(from)
    for (const turn of leaf.slice(this.#levelAt(from))) seed = childOf(seed, turn as Turn)
    return seed
  }

  /** Null: none is above it. */
  #findAbove(leaf: string): number | null {
    const { starts } = this.#nodes
    const wanted = BigInt(`0b${leaf}`)
    let low = 0
    let high = starts.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((starts[middle] as bigint) <= wanted) low = middle + 1
      else high = middle
    }
    const found = low - 1
    if (found < 0) return null
    const level = this.#levelAt(found)
    return writeWay(starts[found] as bigint).slice(0, level) === leaf.slice(0, level) ? found : null
  }

  #levelAt(index: number): number {
    return this.#nodes.levels[index] as number
  }

  /** A copy: the columns may be handed on. */
  #seedAt(index: number): Buffer {
    return Buffer.from(this.#nodes.seeds.subarray(index * seedBytes, (index + 1) * seedBytes))
  }
}

const seedBytes = 32

const makeNodes = (count: number): PackedTree => ({
  starts: new BigUint64Array(count),
  levels: new Uint8Array(count),
  seeds: new Uint8Array(count * seedBytes),
})

function setNode({ starts, levels, seeds }: PackedTree, index: number, way: string, seed: Buffer): void {
  starts[index] = BigInt(`0b${way.padEnd(depth, '0')}`)
  levels[index] = way.length
  seeds.set(seed, index * seedBytes)
}

const writeWay = (start: bigint): string => start.toString(2).padStart(depth, '0')

const writeNode = (way: string, seed: Buffer): string => `${way}:${seed.toString('base64')}`

const isSorted = (lines: readonly string[]): boolean =>
  lines.every((line, index) => index === 0 || (lines[index - 1] as string) < line)

type Turn = '0' | '1'

const childOf = (seed: Buffer, turn: Turn): Buffer =>
  createHash('sha256').update(`casenote client keys ${turn}`).update(seed).digest()

function leafOf(tenantId: TenantId, clientId: ClientId): string {
  const place = createHash('sha256').update(`${tenantId}/${clientId}`).digest().readBigUInt64BE()
  return place.toString(2).padStart(depth, '0')
}
