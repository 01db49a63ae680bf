import type { TenantId } from '../ids.js'
import { Places } from '../places.js'

/** What each of them holds is a request; beyond it whoever comes is told at once. */
const waitingMost = 1_000

/** Places that are waited for in line, each for a time of its own: who polled for them would find them taken by the luckier. */
export class PlaceLine {
  readonly #places: Places
  /** In the order in which they came. */
  readonly #waiting = new Set<() => void>()

  constructor(most: number) {
    this.#places = new Places(most, most)
  }

  /** What gives the place back; null: there was none in time. */
  async take(tenantId: TenantId, withinMs: number): Promise<(() => void) | null> {
    const place = this.#tryTake(tenantId)
    if (place !== null || withinMs <= 0 || this.#waiting.size >= waitingMost) return place
    return new Promise((resolve) => {
      const tryAgain = (): void => {
        const found = this.#tryTake(tenantId)
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

  #tryTake(tenantId: TenantId): (() => void) | null {
    const leave = this.#places.take({ tenantId, owner: tenantId })
    if (leave === null) return null
    return () => {
      leave()
      // All of them: the first may be of a tenant that has its share.
      for (const tryAgain of this.#waiting) tryAgain()
    }
  }
}
