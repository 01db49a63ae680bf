/**
 * Large bodies one by one, with a turn of the event loop between them for everybody else, and their owners in turns. Each is read, judged
 * and answered in milliseconds; a hundred that end in the same moment would hold the loop for a second.
 */
export class BodyTurns {
  /** Owners who wait, whose turn is next first. */
  readonly #lines = new Map<string, (() => void)[]>()
  #isAtWork = false

  /** Until it is the owner's turn; what follows without waiting for anything else is done in it. */
  take(owner: string): Promise<void> {
    return new Promise((resolve) => {
      const line = this.#lines.get(owner)
      if (line === undefined) this.#lines.set(owner, [resolve])
      else line.push(resolve)
      // Not at once, even for the first: what has arrived with it is in the same turn.
      if (!this.#isAtWork) this.#wait()
    })
  }

  #wait(): void {
    this.#isAtWork = true
    setImmediate(() => this.#goOn())
  }

  #goOn(): void {
    this.#isAtWork = false
    const [first] = this.#lines
    if (first === undefined) return
    const [owner, line] = first
    const next = line.shift()
    this.#lines.delete(owner)
    if (line.length > 0) this.#lines.set(owner, line)
    next?.()
    this.#wait()
  }
}
