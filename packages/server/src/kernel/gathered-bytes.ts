/**
 * Pieces as they come, put behind each other at once. Kept one by one until the end, a megabyte that is sent byte by byte
 * would be a million buffers: 200 ms to join them, and hundreds of megabytes.
 */
export class GatheredBytes {
  #bytes: Buffer
  #length = 0

  /** `expectedBytes`: where it is known how much comes, nothing is moved on the way. */
  constructor(expectedBytes = 0) {
    this.#bytes = Buffer.allocUnsafeSlow(expectedBytes)
  }

  get length(): number {
    return this.#length
  }

  add(piece: Uint8Array): void {
    const length = this.#length + piece.length
    if (length > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(length, this.#bytes.length * 2))
      this.#bytes.copy(larger, 0, 0, this.#length)
      this.#bytes = larger
    }
    this.#bytes.set(piece, this.#length)
    this.#length = length
  }

  /** All of them; it is empty afterwards. */
  take(): Buffer {
    const taken = this.#bytes.subarray(0, this.#length)
    this.#bytes = Buffer.alloc(0)
    this.#length = 0
    return taken
  }
}
