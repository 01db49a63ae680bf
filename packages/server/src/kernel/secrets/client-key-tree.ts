import { createHash, randomBytes } from 'node:crypto'
import type { ClientId, TenantId } from '../ids.js'

/** Two clients of a million share a leaf, and would be erased together, once in thirty million installations. */
const depth = 64

/** Leaves that are kept derived: a list of clients takes each once, and 50 µs for one is not felt. */
const derivedMost = 10_000

/**
 * The keys of all clients, each of its own, from one seed: a tree in which a node gives its two children, and a client's key is a leaf.
 * Whoever has a node derives all below it. Destroying one key replaces the nodes above it by their other children: from what is left
 * every other key follows, and that one never again (a puncturable pseudorandom function). So nothing is written when a client is made,
 * and the store grows only with what is erased: 2 KB for each.
 */
export class ClientKeyTree {
  /** The nodes that are kept, by their way from the root as zeros and ones. */
  readonly #nodes: ReadonlyMap<string, Buffer>
  readonly #derived = new Map<string, Buffer | null>()

  private constructor(nodes: ReadonlyMap<string, Buffer>) {
    this.#nodes = nodes
  }

  static grow(): ClientKeyTree {
    return new ClientKeyTree(new Map([['', randomBytes(32)]]))
  }

  static read(lines: readonly string[]): ClientKeyTree {
    return new ClientKeyTree(
      new Map(
        lines.map((line) => {
          const [way = '', seed = ''] = line.split(':')
          const bytes = Buffer.from(seed, 'base64')
          if (!/^[01]{0,64}$/.test(way) || bytes.length !== 32)
            throw new Error('a key store has a damaged key')
          return [way, bytes]
        }),
      ),
    )
  }

  write(): string[] {
    return [...this.#nodes].map(([way, seed]) => `${way}:${seed.toString('base64')}`)
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
    const nodes = new Map(this.#nodes)
    let seed = nodes.get(from) as Buffer
    nodes.delete(from)
    for (let level = from.length; level < depth; level += 1) {
      const turn = leaf[level] as Turn
      const other = turn === '0' ? '1' : '0'
      nodes.set(leaf.slice(0, level) + other, childOf(seed, other))
      seed = childOf(seed, turn)
    }
    return new ClientKeyTree(nodes)
  }

  #derive(leaf: string): Buffer | null {
    const from = this.#findAbove(leaf)
    if (from === null) return null
    let seed = this.#nodes.get(from) as Buffer
    for (const turn of leaf.slice(from.length)) seed = childOf(seed, turn as Turn)
    return seed
  }

  #findAbove(leaf: string): string | null {
    for (let level = 0; level <= depth; level += 1) {
      const way = leaf.slice(0, level)
      if (this.#nodes.has(way)) return way
    }
    return null
  }
}

type Turn = '0' | '1'

const childOf = (seed: Buffer, turn: Turn): Buffer =>
  createHash('sha256').update(`casenote client keys ${turn}`).update(seed).digest()

function leafOf(tenantId: TenantId, clientId: ClientId): string {
  const place = createHash('sha256').update(`${tenantId}/${clientId}`).digest().readBigUInt64BE()
  return place.toString(2).padStart(depth, '0')
}
