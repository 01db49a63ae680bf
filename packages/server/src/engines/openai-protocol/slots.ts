import { FairQueue } from '../fair-queue.js'

interface Waiting {
  owner: string
  onTurn: () => void
}

/** A bounded number of calls at a time; owners of the others take turns, each in their own order. */
export class Slots {
  #free: number
  readonly #waiting = new FairQueue<Waiting>()

  constructor(count: number) {
    this.#free = count
  }

  async use<T>(signal: AbortSignal, owner: string, work: () => Promise<T>): Promise<T> {
    const release = await this.take(signal, owner)
    try {
      return await work()
    } finally {
      release()
    }
  }

  /** The returned function gives the slot back, however often it is called. */
  async take(signal: AbortSignal, owner: string): Promise<() => void> {
    signal.throwIfAborted()
    if (this.#free > 0) this.#free -= 1
    else await this.#wait(signal, owner)
    let isTaken = true
    return () => {
      if (!isTaken) return
      isTaken = false
      this.#pass()
    }
  }

  #wait(signal: AbortSignal, owner: string): Promise<void> {
    // A signal of its own for each: Node warns of more than ten listeners on one, and a whole session shares it.
    const own = AbortSignal.any([signal])
    return new Promise((resolve, reject) => {
      const onTurn = (): void => {
        own.removeEventListener('abort', onAbort)
        resolve()
      }
      const waiting = { owner, onTurn }
      const onAbort = (): void => {
        this.#waiting.remove(waiting)
        reject(signal.reason as Error)
      }
      this.#waiting.add(waiting)
      own.addEventListener('abort', onAbort, { once: true })
    })
  }

  #pass(): void {
    const next = this.#waiting.take()
    if (next === null) this.#free += 1
    else next.onTurn()
  }
}
