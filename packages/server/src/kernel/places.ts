/** So many at once and no more, and so many for one owner; whoever finds none is told, and does not wait in memory. */
export class Places {
  readonly #most: number
  readonly #ofOwnerMost: number
  /** Owners that hold any. */
  readonly #owners = new Map<string, number>()
  #taken = 0

  constructor(most: number, ofOwnerMost: number) {
    this.#most = most
    this.#ofOwnerMost = ofOwnerMost
  }

  /** Null: none is left, or none for them. Else what gives the place back, once. */
  take(owner: string): (() => void) | null {
    if (this.#taken >= this.#most || this.hasAll(owner)) return null
    this.#add(owner, 1)
    let isHeld = true
    return () => {
      if (isHeld) this.#add(owner, -1)
      isHeld = false
    }
  }

  /** Whether the owner has as many as one may have. */
  hasAll(owner: string): boolean {
    return (this.#owners.get(owner) ?? 0) >= this.#ofOwnerMost
  }

  #add(owner: string, change: 1 | -1): void {
    this.#taken += change
    const held = (this.#owners.get(owner) ?? 0) + change
    if (held === 0) this.#owners.delete(owner)
    else this.#owners.set(owner, held)
  }
}
