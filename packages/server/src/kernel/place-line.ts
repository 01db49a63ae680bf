import { Places, type PlaceTaker } from './places.js'

export interface PlaceLineOptions {
  most: number
  ofOwnerMost: number
  /** Each of them holds what it came with; beyond it whoever comes is told at once. */
  waitingMost: number
}

/** Places that are waited for in line, each for a time of its own: who polled for them would find them taken by the luckier. */
export class PlaceLine {
  readonly #places: Places
  readonly #waitingMost: number
  /** Who waits for a place, in the order in which they came. */
  readonly #waiting = new Set<() => void>()

  constructor({ most, ofOwnerMost, waitingMost }: PlaceLineOptions) {
    this.#places = new Places(most, ofOwnerMost)
    this.#waitingMost = waitingMost
  }

  /** What gives the place back; null: there was none in time. */
  async take(taker: PlaceTaker, withinMs: number): Promise<(() => void) | null> {
    const place = this.#tryTake(taker)
    if (place !== null || withinMs <= 0 || this.#waiting.size >= this.#waitingMost) return place
    return new Promise((resolve) => {
      const tryAgain = (): void => {
        const found = this.#tryTake(taker)
        if (found !== null) finish(found)
      }
      const finish = (found: (() => void) | null): void => {
        clearTimeout(timer)
        this.#waiting.delete(tryAgain)
        resolve(found)
      }
      const timer = setTimeout(() => finish(null), withinMs)
      this.#waiting.add(tryAgain)
    })
  }

  #tryTake(taker: PlaceTaker): (() => void) | null {
    const leave = this.#places.take(taker)
    if (leave === null) return null
    return () => {
      leave()
      // All of them: the first may be of somebody who has their share.
      for (const tryAgain of this.#waiting) tryAgain()
    }
  }
}
