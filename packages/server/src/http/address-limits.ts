import type { Clock } from '../kernel/clock.js'

/** A waiting room behind one address, everybody mistyping once. */
const triesMax = 60

/** One a second afterwards: nobody types faster, and 100,000 guesses take more than a day. */
const refillPerSecond = 1

/** Some 5 MB. Beyond it the address that was quiet longest is forgotten. */
const addressesMax = 50_000

interface Allowance {
  tries: number
  countedAtMs: number
}

/**
 * How often one network address may fail. For one process: what protects a link across all of them is its lock, this
 * keeps guessing from costing others the database. An address begins with all its tries, and what succeeds is given
 * back, so only an address that keeps failing is held up, and no other one with it.
 */
export class AddressLimits {
  readonly #clock: Clock
  /** In the order of their last use. */
  readonly #allowances = new Map<string, Allowance>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Seconds to wait; null: go on. */
  take(address: string): number | null {
    const key = networkOf(address)
    const nowMs = this.#clock.nowMs()
    const tries = this.#count(key, nowMs)
    this.#keep(key, { tries: tries < 1 ? tries : tries - 1, countedAtMs: nowMs })
    return tries < 1 ? Math.ceil((1 - tries) / refillPerSecond) : null
  }

  giveBack(address: string): void {
    const key = networkOf(address)
    const nowMs = this.#clock.nowMs()
    this.#keep(key, { tries: Math.min(triesMax, this.#count(key, nowMs) + 1), countedAtMs: nowMs })
  }

  #count(key: string, nowMs: number): number {
    const known = this.#allowances.get(key)
    if (known === undefined) return triesMax
    const seconds = Math.max(0, nowMs - known.countedAtMs) / 1000
    return Math.min(triesMax, known.tries + seconds * refillPerSecond)
  }

  #keep(key: string, allowance: Allowance): void {
    this.#allowances.delete(key)
    this.#allowances.set(key, allowance)
    if (this.#allowances.size > addressesMax) {
      this.#allowances.delete(this.#allowances.keys().next().value as string)
    }
  }
}

/** One line has a whole /64 of IPv6 addresses to itself. */
function networkOf(address: string): string {
  if (!address.includes(':')) return address
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  const [head = '', tail] = address.split('::', 2)
  const groups = head === '' ? [] : head.split(':')
  const rest = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : 8 - groups.length - rest.length
  return [...groups, ...Array.from({ length: zeros }, () => '0'), ...rest].slice(0, 4).join(':')
}
