/** A bounded number of calls at a time; the others wait in their order. */
export class Slots {
  #free: number
  readonly #waiting: (() => void)[] = []

  constructor(count: number) {
    this.#free = count
  }

  async use<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const release = await this.take(signal)
    try {
      return await work()
    } finally {
      release()
    }
  }

  /** The returned function gives the slot back, however often it is called. */
  async take(signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted()
    if (this.#free > 0) this.#free -= 1
    else await this.#wait(signal)
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      this.#pass()
    }
  }

  #wait(signal: AbortSignal): Promise<void> {
    // A signal of its own for each: Node warns of more than ten listeners on one, and a whole session shares it.
    const own = AbortSignal.any([signal])
    return new Promise((resolve, reject) => {
      const onTurn = (): void => {
        own.removeEventListener('abort', onAbort)
        resolve()
      }
      const onAbort = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(onTurn), 1)
        reject(signal.reason as Error)
      }
      this.#waiting.push(onTurn)
      own.addEventListener('abort', onAbort, { once: true })
    })
  }

  #pass(): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#free += 1
    else next()
  }
}
