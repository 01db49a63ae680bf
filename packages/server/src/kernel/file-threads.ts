import { setMaxListeners } from 'node:events'

/** Node's own default; who sets `UV_THREADPOOL_SIZE` higher has more for what does not hang. */
const poolThreads = 4

/** How many calls to one folder may stand in the system at once, and how many of them nobody waits for any more. */
export interface Gate {
  readonly atOnceMost: number
  running: number
  hanging: number
}

interface Turn {
  gate: Gate
  start(): void
  refuse(): void
}

/**
 * The threads in which a process waits for folders that may hang: a server of a hard mount that is gone, a stuck disk. One of them answers
 * no call, and each call holds a thread of those few in which Node also compresses, hashes and reads everything else. So all such
 * folders of a process together leave it one.
 */
export class FileThreads {
  readonly #most: number
  readonly #stopping = new AbortController()
  #running = 0
  #hanging = 0
  #waiting: Turn[] = []
  #idlers: (() => void)[] = []

  constructor(most: number) {
    this.#most = most
    // Every gate listens.
    setMaxListeners(0, this.#stopping.signal)
  }

  get stopping(): AbortSignal {
    return this.#stopping.signal
  }

  /** For a process that stops: nobody waits for any of them any more. */
  abandon(): void {
    this.#stopping.abort(new Error('folders are waited for no longer: the process stops'))
  }

  /** Nothing that this gate lets in would come to its turn: as many as there may be hang. */
  isLost(gate: Gate): boolean {
    return gate.hanging >= gate.atOnceMost || this.#hanging >= this.#most
  }

  enter(turn: Turn, { isUrgent }: { isUrgent: boolean }): void {
    if (isUrgent) this.#waiting.unshift(turn)
    else this.#waiting.push(turn)
    this.#startNext()
  }

  /** One that has begun is waited for no longer. */
  giveUp(gate: Gate): void {
    gate.hanging += 1
    this.#hanging += 1
    const lost = this.#waiting.filter((one) => this.isLost(one.gate))
    this.#waiting = this.#waiting.filter((one) => !this.isLost(one.gate))
    for (const turn of lost) turn.refuse()
  }

  leave(gate: Gate, { wasGivenUp }: { wasGivenUp: boolean }): void {
    gate.running -= 1
    this.#running -= 1
    if (wasGivenUp) {
      gate.hanging -= 1
      this.#hanging -= 1
    }
    this.#startNext()
    if (this.#running === 0) for (const idler of this.#idlers.splice(0)) idler()
  }

  forget(gate: Gate): void {
    this.#waiting = this.#waiting.filter((one) => one.gate !== gate)
  }

  /** Whether none of them is in use, or none is soon. */
  async isIdleWithin(withinMs: number): Promise<boolean> {
    if (this.#running === 0) return true
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), withinMs)
      this.#idlers.push(() => {
        clearTimeout(timer)
        resolve(true)
      })
    })
  }

  #startNext(): void {
    while (this.#running < this.#most) {
      const at = this.#waiting.findIndex(({ gate }) => gate.running < gate.atOnceMost)
      const [turn] = at < 0 ? [] : this.#waiting.splice(at, 1)
      if (turn === undefined) return
      turn.gate.running += 1
      this.#running += 1
      turn.start()
    }
  }
}

/** Of this process, as the threads are. */
export const fileThreads = new FileThreads(poolThreads - 1)
