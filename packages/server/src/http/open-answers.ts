import type { ServerResponse } from 'node:http'
import { tolerateFailure, type Log } from '../kernel/log.js'
import { isTurnedAway, type TurnedAway } from './errors.js'

/** As of the widget's calls (`open-calls.ts`): whoever is cut off is so within 5 s, on every instance. */
const lookEveryMs = 2_000
const youngMs = 500

export interface OpenAnswer {
  response: ServerResponse
  /** Answers with one mark are for one caller: one look is for all of them. */
  mark: string
  /** Refuses a caller who is let in no more. */
  requireLetIn: () => Promise<void>
  /** Told once the answer has been broken off. */
  onCut: (refusal: TurnedAway) => void
}

interface Entry extends OpenAnswer {
  openedAtMs: number
}

/**
 * Answers that are being sent. Nearly all are out before the first look; a file, or whatever is read slowly, is not, and for
 * those the check at the door is made again and again. One caller is asked for after the other, on one connection. While the
 * database cannot be asked nothing is broken off: nobody can be cut off in it either.
 */
export class OpenAnswers {
  readonly #log: Log
  readonly #open = new Set<Entry>()
  #timer: NodeJS.Timeout | null = null
  #looking: Promise<void> | null = null

  constructor(log: Log) {
    this.#log = log
  }

  add(answer: OpenAnswer): void {
    const { response } = answer
    // Who hung up meanwhile has been heard of for the last time: nothing would take their answer off the list.
    if (response.destroyed || response.writableFinished) return
    this.#timer ??= setInterval(() => this.#look(), lookEveryMs)
    const entry = { ...answer, openedAtMs: performance.now() }
    this.#open.add(entry)
    const remove = (): void => void this.#open.delete(entry)
    response.once('close', remove).once('finish', remove)
  }

  async close(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer)
    await this.#looking
  }

  #look(): void {
    if (this.#looking !== null || this.#open.size === 0) return
    this.#looking = this.#lookAtAll().finally(() => (this.#looking = null))
  }

  async #lookAtAll(): Promise<void> {
    const before = performance.now() - youngMs
    const byMark = new Map<string, Entry[]>()
    for (const entry of this.#open) {
      if (entry.openedAtMs > before) continue
      const entries = byMark.get(entry.mark)
      if (entries === undefined) byMark.set(entry.mark, [entry])
      else entries.push(entry)
    }
    for (const entries of byMark.values())
      await tolerateFailure(this.#log, 'open answers are looked at again', () => this.#lookAt(entries))
  }

  async #lookAt(entries: readonly Entry[]): Promise<void> {
    const refusal = await findRefusal(entries[0])
    if (refusal === null) return
    for (const entry of entries) {
      if (!this.#open.delete(entry)) continue
      entry.response.destroy()
      entry.onCut(refusal)
    }
  }
}

async function findRefusal(entry: OpenAnswer | undefined): Promise<TurnedAway | null> {
  try {
    await entry?.requireLetIn()
    return null
  } catch (error) {
    if (isTurnedAway(error)) return error
    throw error
  }
}
