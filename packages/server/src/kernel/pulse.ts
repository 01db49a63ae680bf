import { tolerateFailure, type Log } from './log.js'
import { pause } from './pause.js'
import type { Vital } from './vital.js'

/** Tries one thing again and again for as long as a process runs, and keeps when it last went well. One try at a time. */
export class Pulse {
  readonly #vital: Vital
  readonly #log: Log
  readonly #everyMs: number
  readonly #beat: () => Promise<void>
  readonly #stopping = new AbortController()
  #loop: Promise<void> = Promise.resolve()

  constructor(
    vital: Vital,
    { log, everyMs, beat }: { log: Log; everyMs: number; beat: () => Promise<void> },
  ) {
    this.#vital = vital
    this.#log = log
    this.#everyMs = everyMs
    this.#beat = beat
  }

  start(): void {
    this.#loop = this.#run()
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#loop
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping
    while (!signal.aborted) {
      await tolerateFailure(this.#log, `${this.#vital.name}: readiness says so`, async () => {
        await this.#beat()
        this.#vital.succeed()
      })
      await pause(this.#everyMs, signal)
    }
  }
}
