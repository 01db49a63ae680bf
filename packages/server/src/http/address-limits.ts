import type { Clock } from '../kernel/clock.js'
import { dropOldest } from '../kernel/drop-oldest.js'

/** A waiting room behind one address, everybody mistyping once. */
const triesMax = 60

/** One a second afterwards: nobody types faster, and 100,000 guesses take more than a day. */
const refillPerSecond = 1

/** Waiting their turn behind an address that keeps failing: 100 of some 2 ms each. */
const waitingMax = 100

/** Some 5 MB. Beyond it the address that was quiet longest is forgotten. */
const addressesMax = 50_000

interface Allowance {
  tries: number
  countedAtMs: number
}

interface Line {
  last: Promise<unknown>
  length: number
}

/** `waitSeconds`: the address has failed too often; null: it has not. */
export interface GuardedResult<Result> {
  result: Result | null
  waitSeconds: number | null
  /** Nobody looked: so many others of the address wait that this one was sent away. */
  isSentAway: boolean
}

/**
 * How often one network address may fail, in one process; what protects a link across all of them is its own lock. An
 * address begins with all its tries, and what succeeds costs none. One that has used them up is looked at one by one, so
 * that guessing takes one database connection and not all. It is still looked at: a client who shares the address with
 * whoever guesses, in a clinic's network or behind a proxy that we were not told of, gets in.
 */
export class AddressLimits {
  readonly #clock: Clock
  /** The allowances of addresses, in the order of their last use. */
  readonly #allowances = new Map<string, Allowance>()
  readonly #lines = new Map<string, Line>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  async guard<Result>(address: string, work: () => Promise<Result | null>): Promise<GuardedResult<Result>> {
    const tried = await this.attempt(address, work)
    if (tried.waitSeconds === null) return tried
    const key = networkOf(address)
    if ((this.#lines.get(key)?.length ?? 0) >= waitingMax) return { ...tried, isSentAway: true }
    return { ...tried, result: await this.#workInLine(key, work) }
  }

  /**
   * Without a line: an address that has used its tries up is looked at by the caller, in another way that costs nothing.
   * `work` gives null if it fails. The try is taken before: of a thousand at once none slips through.
   */
  async attempt<Result>(address: string, work: () => Promise<Result | null>): Promise<GuardedResult<Result>> {
    const key = networkOf(address)
    const waitSeconds = this.#take(key)
    if (waitSeconds !== null) return { result: null, waitSeconds, isSentAway: false }
    const result = await work()
    if (result !== null) this.#giveBack(key)
    return { result, waitSeconds: null, isSentAway: false }
  }

  async #workInLine<Result>(key: string, work: () => Promise<Result | null>): Promise<Result | null> {
    const line = this.#lines.get(key) ?? { last: Promise.resolve(), length: 0 }
    this.#lines.set(key, line)
    line.length += 1
    const turn = line.last.then(work)
    line.last = turn.catch(() => null)
    try {
      return await turn
    } finally {
      line.length -= 1
      if (line.length === 0) this.#lines.delete(key)
    }
  }

  #take(key: string): number | null {
    const nowMs = this.#clock.nowMs()
    const tries = this.#count(key, nowMs)
    this.#keep(key, { tries: tries < 1 ? tries : tries - 1, countedAtMs: nowMs })
    return tries < 1 ? Math.ceil((1 - tries) / refillPerSecond) : null
  }

  #giveBack(key: string): void {
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
    if (this.#allowances.size > addressesMax) dropOldest(this.#allowances)
  }
}

/** One line has a whole /64 of IPv6 addresses to itself. */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  const [head = '', tail] = address.split('::', 2)
  const groups = head === '' ? [] : head.split(':')
  const rest = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : 8 - groups.length - rest.length
  return [...groups, ...Array.from({ length: zeros }, () => '0'), ...rest].slice(0, 4).join(':')
}
