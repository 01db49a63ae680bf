/** Something that must go well again and again, and when it last did: on a clock that nobody sets. */
export class Vital {
  #wellAtMs = Number.NEGATIVE_INFINITY

  constructor(
    /** A word for the operator. */
    readonly name: string,
    private readonly nowMs: () => number = () => performance.now(),
  ) {}

  succeed(): void {
    this.#wellAtMs = this.nowMs()
  }

  ageMs(): number {
    return this.nowMs() - this.#wellAtMs
  }
}

/** Beaten every two seconds or three: one that fails twice may be a hiccup; whoever asks is told within 10 s. */
export const staleAfterMs = 8_000

export const isWell = (vital: Vital): boolean => vital.ageMs() < staleAfterMs

export const hasBeaten = (vital: Vital): boolean => vital.ageMs() < Infinity
