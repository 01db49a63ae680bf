import { sampleRate } from '../speech-engine.js'

/** A minute, what a chunk needs behind it, and the piece that makes it whole. */
const roomSeconds = 64

/** Samples of a channel in memory with room for those that come: copying a minute of eight channels for every second was felt. */
export class PendingSound {
  #room = new Float32Array(roomSeconds * sampleRate)
  #length = 0

  get length(): number {
    return this.#length
  }

  /** Good until the next change. */
  get samples(): Float32Array {
    return this.#room.subarray(0, this.#length)
  }

  /** They are copied. */
  add(samples: Float32Array): void {
    const length = this.#length + samples.length
    if (length > this.#room.length) {
      const before = this.samples
      this.#room = new Float32Array(Math.max(length, 2 * this.#room.length))
      this.#room.set(before)
    }
    this.#room.set(samples, this.#length)
    this.#length = length
  }

  /** The first ones go. */
  drop(count: number): void {
    this.#room.copyWithin(0, count, this.#length)
    this.#length = Math.max(0, this.#length - count)
  }
}
