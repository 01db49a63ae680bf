import { sampleRate } from '../speech-engine.js'

/** In seconds from the start of a recording. */
export interface Stretch {
  start: number
  end: number
}

/** Seconds of sound in one of the segments of which a recording is made. */
export interface SegmentPlace {
  segment: number
  seconds: number
}

/** As a recorder knows it: of the whole recording only about where. */
export interface PlacedStretch extends Stretch {
  from?: SegmentPlace
  to?: SegmentPlace
}

/**
 * Writes silence over what lies in the stretches. The samples begin at `fromFrame` of the recording; each sample is silenced whole or not at
 * all, so that sound in pieces of any length gives the same.
 */
export function silenceStretches(
  channels: readonly Float32Array[],
  fromFrame: number,
  stretches: readonly Stretch[],
): void {
  for (const { start, end } of stretches) {
    const first = Math.floor(start * sampleRate) - fromFrame
    const last = Math.ceil(end * sampleRate) - fromFrame
    if (last <= 0 || first >= (channels[0]?.length ?? 0)) continue
    for (const samples of channels) samples.fill(0, Math.max(0, first), Math.min(samples.length, last))
  }
}

/** What a recording is heard without. Its sound is given in order, segment by segment. */
export class Silence<Of extends PlacedStretch = PlacedStretch> {
  readonly #stretches: readonly Of[]
  /** Where each segment that was come to begins, in seconds of the whole recording. */
  readonly #begins = new Map<number, number>()
  #frames = 0

  constructor(stretches: readonly Of[]) {
    this.#stretches = stretches
  }

  /** The sound that comes is this segment's. */
  enter(segment: number): void {
    this.#begins.set(segment, this.#frames / sampleRate)
  }

  apply(channels: readonly Float32Array[]): void {
    silenceStretches(
      channels,
      this.#frames,
      this.#stretches.map((stretch) => this.#resolve(stretch)),
    )
    this.#frames += channels[0]?.length ?? 0
  }

  /** Each with where it lies in the recording, once all of it was given. None: it was not given here. */
  listPlaced(): { of: Of; placed: Stretch }[] {
    const seconds = this.#frames / sampleRate
    if (seconds === 0) return []
    return this.#stretches.map((of) => {
      const { start, end } = this.#resolve(of)
      const last = Math.min(end, seconds)
      return { of, placed: { start: Math.max(0, Math.min(start, last)), end: Math.max(0, last) } }
    })
  }

  #resolve({ start, end, from, to }: PlacedStretch): Stretch {
    // A recording that is whole already has no segments: what is struck of it is told in its own seconds.
    if (from === undefined || to === undefined || this.#begins.size === 0) return { start, end }
    return { start: this.#place(from), end: this.#place(to) }
  }

  /**
   * A segment that was not come to holds no sound, or comes later: what begins in it begins with the next one, and what ends in it goes on
   * until then. Nor does one go further than its sound: the recorder may have counted more.
   */
  #place({ segment, seconds }: SegmentPlace): number {
    const next = Math.min(...[...this.#begins].filter(([one]) => one > segment).map(([, at]) => at))
    return Math.min((this.#begins.get(segment) ?? Infinity) + seconds, next)
  }
}
