/** Without sound for less than this, nothing is worth a line in the record: a frame that is blocked, a microphone that is slow. */
const missedMsMin = 10_000

export interface Missed {
  /** When it began. */
  at: string
  seconds: number
}

/**
 * What the recorder was to record and got no sound of: the machine slept, or the system took the sound away. Told by the clock on the wall, the only
 * one that goes on while a machine sleeps; one that somebody sets ahead looks the same.
 */
export class MissedSound {
  /** Until then there is sound; null: none is to be recorded. */
  #soundToMs: number | null = null

  goOn(): void {
    this.#soundToMs = Date.now()
  }

  /** There is so much more of it. */
  hear(durationMs: number): Missed | null {
    const beforeMs = this.#soundToMs
    if (beforeMs === null) return null
    this.#soundToMs = Date.now()
    const missedMs = this.#soundToMs - durationMs - beforeMs
    return missedMs < missedMsMin ? null : { at: new Date(beforeMs).toISOString(), seconds: missedMs / 1000 }
  }

  /** A machine that wakes may have lost its microphone: then no more of it comes. */
  end(): Missed | null {
    const missed = this.hear(0)
    this.#soundToMs = null
    return missed
  }
}
