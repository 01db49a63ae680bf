import { setMaxListeners } from 'node:events'
import { tolerateFailure, type Log } from '../kernel/log.js'
import { pause } from '../kernel/pause.js'

/** Something that a worker does again and again. Safe to run twice at once and to kill anywhere. */
export interface Duty {
  name: string
  /** The pause from the end of one run to the start of the next. */
  pauseMs: number
  /** How long it takes grows with what is stored: a worker is at work before it has been through all of that. */
  isLong?: true
  /** One that goes on while it finds something hands the signal on, and ends early when the worker stops. */
  run(stopping: AbortSignal): Promise<void>
}

/** A listener that is told of the start of a duty's loop, and of each of its runs. */
type OnDutyRun = (name: string, end: 'begun' | 'well' | 'failed') => void

/** Runs each duty in a loop of its own until stopped; a failing one is logged and tried again after its pause. */
export class DutyRunner {
  readonly #log: Log
  readonly #onRun: OnDutyRun
  readonly #stopping = new AbortController()
  readonly #loops: Promise<void>[] = []
  #awaited = 0
  #firstPasses = 0

  constructor(log: Log, onRun: OnDutyRun = () => {}) {
    this.#log = log
    this.#onRun = onRun
    // Each duty waits for it; Node would take more than ten for a leak.
    setMaxListeners(0, this.#stopping.signal)
  }

  start(duties: readonly Duty[]): void {
    for (const duty of duties) {
      if (duty.isLong !== true) this.#awaited += 1
      this.#loops.push(this.#loop(duty))
    }
  }

  /** Whether every duty but the long ones has run once: the worker polls. */
  isPolling(): boolean {
    return this.#awaited > 0 && this.#firstPasses === this.#awaited
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await Promise.all(this.#loops)
  }

  async #loop(duty: Duty): Promise<void> {
    let isFirst = duty.isLong !== true
    this.#onRun(duty.name, 'begun')
    while (!this.#stopping.signal.aborted) {
      let end: 'well' | 'failed' = 'failed'
      await tolerateFailure(this.#log, `${duty.name} runs again`, async () => {
        await duty.run(this.#stopping.signal)
        end = 'well'
      })
      this.#onRun(duty.name, end)
      if (isFirst) this.#firstPasses += 1
      isFirst = false
      await pause(duty.pauseMs, this.#stopping.signal)
    }
  }
}
