/** So many at once and no more; whoever finds none is told, and does not wait in memory. */
export class Places {
  readonly #most: number
  #taken = 0

  constructor(most: number) {
    this.#most = most
  }

  /** Null: all are taken. Else what gives the place back, once. */
  take(): (() => void) | null {
    if (this.#taken >= this.#most) return null
    this.#taken += 1
    let isHeld = true
    return () => {
      if (isHeld) this.#taken -= 1
      isHeld = false
    }
  }
}
