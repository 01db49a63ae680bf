import type { PageAnswers, SavedAnswers } from '@casenote/contract'
import { signal } from '@preact/signals'
import type { Answered } from './call-service.js'

export type GivenAnswer = PageAnswers['answers'][number]

/** Soon enough to feel at once when the network is back; never so often that a phone gets warm. */
const pausesMs = [1_000, 2_000, 4_000, 8_000, 15_000] as const

/** Answers of one call. */
const batchMax = 100

export interface QueueParts {
  send(answers: GivenAnswer[]): Promise<Answered<SavedAnswers>>
  /** The browser is no longer let in: the queue rests until `resume`. */
  onShut(): void
  /** Assessments that somebody finished elsewhere. */
  onClosed(assignmentIds: string[]): void
  onChange(waiting: readonly GivenAnswer[]): void
}

/** Answers on their way: sent in order, again and again until the service has them, which is safe by their ids. */
export class AnswerQueue {
  readonly state = signal<'saved' | 'saving' | 'waiting' | 'failed'>('saved')
  readonly #parts: QueueParts
  #waiting: GivenAnswer[] = []
  #isSending = false
  #failures = 0
  #timer: ReturnType<typeof setTimeout> | null = null
  #whenEmpty: (() => void)[] = []

  constructor(parts: QueueParts) {
    this.#parts = parts
    addEventListener('online', () => this.resume())
  }

  get waiting(): readonly GivenAnswer[] {
    return this.#waiting
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0
  }

  add(...answers: GivenAnswer[]): void {
    const known = new Set(this.#waiting.map(({ answerId }) => answerId))
    this.#waiting.push(...answers.filter(({ answerId }) => !known.has(answerId)))
    this.#parts.onChange(this.#waiting)
    this.resume()
  }

  /** Tries at once, whatever was awaited. */
  resume(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    if (!this.#isSending && this.#waiting.length > 0) void this.#pump()
  }

  /** Resolves once everything has arrived. */
  settled(): Promise<void> {
    if (this.isEmpty) return Promise.resolve()
    this.resume()
    return new Promise((resolve) => this.#whenEmpty.push(resolve))
  }

  async #pump(): Promise<void> {
    this.#isSending = true
    // "No connection" stays until there is one: a try now and then is no news.
    if (this.state.value !== 'waiting') this.state.value = 'saving'
    const batch = this.#waiting.slice(0, batchMax)
    const answered = await this.#parts.send(batch)
    this.#isSending = false
    if (answered.is === 'ok') return this.#settle(batch, answered.value.closedIds)
    if (answered.is === 'shut') return this.#parts.onShut()
    if (answered.is === 'refused') {
      this.state.value = 'failed'
      return
    }
    this.state.value = 'waiting'
    const pauseMs = pausesMs[Math.min(this.#failures, pausesMs.length - 1)] ?? 1_000
    this.#failures += 1
    this.#timer = setTimeout(() => this.resume(), pauseMs)
  }

  #settle(batch: readonly GivenAnswer[], closedIds: string[]): void {
    const arrived = new Set(batch.map(({ answerId }) => answerId))
    this.#waiting = this.#waiting.filter(({ answerId }) => !arrived.has(answerId))
    this.#failures = 0
    this.state.value = this.isEmpty ? 'saved' : 'saving'
    this.#parts.onChange(this.#waiting)
    if (closedIds.length > 0) this.#parts.onClosed(closedIds)
    if (!this.isEmpty) return this.resume()
    for (const resolve of this.#whenEmpty.splice(0)) resolve()
  }
}
