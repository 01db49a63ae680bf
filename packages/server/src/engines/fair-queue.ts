/** A line for each owner; they take turns. */
export class FairQueue<Waiting extends { owner: string }> {
  /** In the order of their turns; none is empty. */
  readonly #lines = new Map<string, Waiting[]>()
  size = 0

  add(one: Waiting): void {
    this.size++
    const line = this.#lines.get(one.owner)
    if (line === undefined) this.#lines.set(one.owner, [one])
    else line.push(one)
  }

  /** The next of an owner who may have one; their others go behind everybody else's. */
  take(isAllowed: (owner: string) => boolean = () => true): Waiting | null {
    for (const [owner, line] of this.#lines) {
      if (!isAllowed(owner)) continue
      const one = line.shift()
      this.#lines.delete(owner)
      if (line.length > 0) this.#lines.set(owner, line)
      if (one === undefined) continue
      this.size--
      return one
    }
    return null
  }

  /** One that waits no more. False: it does not wait here. */
  remove(one: Waiting): boolean {
    const line = this.#lines.get(one.owner) ?? []
    const at = line.indexOf(one)
    if (at < 0) return false
    line.splice(at, 1)
    if (line.length === 0) this.#lines.delete(one.owner)
    this.size--
    return true
  }

  /** The last of whoever has most waiting. */
  dropOfLongest(): Waiting | null {
    const [longest] = [...this.#lines.values()].toSorted((a, b) => b.length - a.length)
    const one = longest?.at(-1) ?? null
    if (one !== null) this.remove(one)
    return one
  }
}
