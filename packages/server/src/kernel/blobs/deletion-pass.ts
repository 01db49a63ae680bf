import { isDatabaseAway } from '../db/db-errors.js'
import { BlobStoreFault, type BlobStore } from './blob-store.js'

/** A store that is full or read-only may still delete the next one; one that is away costs each try its time-out. */
const awayInRowMost = 3

/**
 * Deletions one after the other, of which one that fails delays none behind it. It ends early where the store does not take
 * what is put into it either, and some could not be deleted in a row.
 */
export class DeletionPass {
  readonly #store: Pick<BlobStore, 'probe'>
  #first: Error | null = null
  #awayInRow = 0

  constructor(store: Pick<BlobStore, 'probe'>) {
    this.#store = store
  }

  /** `putBehind`: what must happen to one that failed, before anything else. */
  async attempt(act: () => Promise<void>, putBehind: () => Promise<unknown> = async () => {}): Promise<void> {
    try {
      await act()
      this.#awayInRow = 0
    } catch (error) {
      if (isDatabaseAway(error)) throw error
      this.#first ??= error as Error
      await this.#putBehind(putBehind)
      if (!(error instanceof BlobStoreFault) || (await this.#isThere())) return
      this.#awayInRow += 1
      if (this.#awayInRow >= awayInRowMost) throw error
    }
  }

  /** Throws the first failure, if there was one. */
  end(): void {
    if (this.#first !== null) throw this.#first
  }

  async #putBehind(act: () => Promise<unknown>): Promise<void> {
    try {
      await act()
    } catch (error) {
      // Else it comes with the next pass as it was; the failure that led here is the one that is told.
      if (isDatabaseAway(error)) throw error
    }
  }

  async #isThere(): Promise<boolean> {
    try {
      await this.#store.probe()
      return true
    } catch {
      // The failure that led here is the one that is told.
      return false
    }
  }
}
