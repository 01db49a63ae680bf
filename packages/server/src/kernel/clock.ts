/** Time is passed in, so that a test can move it. Leases and due times use the database's clock instead. */
export interface Clock {
  nowMs(): number
}

export const systemClock: Clock = { nowMs: () => Date.now() }

/** Less is what machines differ by that set their clocks by the network, in a bad hour. */
const bearableMs = 30_000

/**
 * The database's time, which all processes of an installation share, carried on between two questions by a clock that
 * nobody sets. What is signed, expires or is kept for days goes by it, so that a machine whose clock is wrong signs
 * nothing that the others refuse and deletes nothing that they keep.
 */
export class DatabaseClock implements Clock {
  readonly #system: Clock
  readonly #steadyMs: () => number
  readonly #onHeard: (machineAheadMs: number, turned: 'wrong' | 'right' | null) => void
  /** What the database's clock shows more than the steady one; null until it was asked. */
  #aheadMs: number | null = null
  #isWrong = false

  /** `onHeard`: told by how much the machine's own clock is ahead, and whether it has just gone wrong or right. */
  constructor(
    onHeard: (machineAheadMs: number, turned: 'wrong' | 'right' | null) => void,
    { system = systemClock, steadyMs = () => performance.now() } = {},
  ) {
    this.#onHeard = onHeard
    this.#system = system
    this.#steadyMs = steadyMs
  }

  nowMs(): number {
    return this.#aheadMs === null ? this.#system.nowMs() : Math.floor(this.#steadyMs() + this.#aheadMs)
  }

  /** For `hear`: when the database was asked. */
  markAsking(): number {
    return this.#steadyMs()
  }

  /** `databaseMs` was true at some moment between `askedAtMs` and now. */
  hear(databaseMs: number, askedAtMs: number): void {
    const answeredAtMs = this.#steadyMs()
    const aheadMs = databaseMs - (askedAtMs + answeredAtMs) / 2
    const doubtMs = (answeredAtMs - askedAtMs) / 2 + 1
    // Within the doubt the old one is as good, and time does not jump about.
    if (this.#aheadMs === null || Math.abs(aheadMs - this.#aheadMs) > doubtMs) this.#aheadMs = aheadMs
    const machineAheadMs = this.#system.nowMs() - this.nowMs()
    const isWrong = Math.abs(machineAheadMs) > bearableMs
    const turned = isWrong ? 'wrong' : 'right'
    this.#onHeard(machineAheadMs, isWrong === this.#isWrong ? null : turned)
    this.#isWrong = isWrong
  }
}
