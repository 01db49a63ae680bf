import type { FinishedSitting, PageSitting, SavedAnswers } from '@casenote/contract'
import { computed, signal } from '@preact/signals'
import { AnswerQueue, type GivenAnswer } from './answer-queue.js'
import type { Answered } from './call-service.js'
import {
  countQuestions,
  firstOpen,
  isAt,
  listStops,
  needsHelp,
  withValue,
  type Stop,
  type Values,
} from './course.js'
import { sealText, unsealText } from './seal-text.js'

export type Place =
  { is: 'welcome' } | { is: 'question'; at: number } | { is: 'help'; next: Place } | { is: 'send' }

export interface QuestionnaireParts {
  call<Value>(path: string, body?: unknown): Promise<Answered<Value>>
  /** Keeps unsent answers over a reload, sealed; null: there are none. */
  remember(sealed: string | null): void
  onShut(): void
  /** What is outstanding has changed elsewhere. */
  onStale(): void
  onDone(): void
}

/** Long enough to see which answer was taken, short enough to keep the pace. */
const showChoiceMs = 220

const sendAgainMs = 3_000

/** All forms of one sitting: where the client is, what they chose, and how it reaches the service. */
export class Questionnaire {
  readonly place = signal<Place>({ is: 'welcome' })
  readonly isSending = signal(false)
  /** Just chosen, and on its way to the next question. */
  readonly chosen = signal<number | null>(null)
  readonly queue: AnswerQueue
  readonly #parts: QuestionnaireParts
  readonly #sitting = signal<PageSitting | null>(null)
  readonly #values = signal<Values>(new Map())
  readonly stops = computed(() => listStops(this.#sitting.value?.assessments ?? [], this.#values.value))
  readonly length = computed(() => countQuestions(this.#sitting.value?.assessments ?? []))
  #clockAheadMs = 0
  #lastGivenMs = 0
  #writing: Promise<void> = Promise.resolve()

  constructor(parts: QuestionnaireParts) {
    this.#parts = parts
    this.queue = new AnswerQueue({
      send: (answers) => parts.call<SavedAnswers>('/answers', { answers }),
      onShut: () => parts.onShut(),
      onClosed: () => parts.onStale(),
      onChange: (waiting) => this.#seal(waiting),
    })
  }

  get clinicName(): string {
    return this.#sitting.value?.clinicName ?? ''
  }

  /** Also after a pause: what this browser has not sent yet counts over what the service knows. */
  async begin(sitting: PageSitting, sealed: string | null): Promise<void> {
    this.#clockAheadMs = Date.now() - sitting.nowMs
    const kept = sealed === null ? null : await unsealText(sitting.storageKey, sealed)
    const unsent = kept === null ? [] : (JSON.parse(kept) as GivenAnswer[])
    this.#sitting.value = sitting
    this.#values.value = readValues(sitting, [...unsent, ...this.queue.waiting])
    this.queue.add(...unsent)
    this.place.value = this.#firstPlace()
  }

  /** The same questions in other words. False: they are not the same, and what is on the screen may be gone. */
  reword(sitting: PageSitting): boolean {
    const idsOf = (one: PageSitting | null): string | undefined =>
      one?.assessments.map(({ assignmentId }) => assignmentId).join()
    if (idsOf(sitting) !== idsOf(this.#sitting.value)) return false
    this.#sitting.value = sitting
    return true
  }

  /** Leaves nothing on the screen or in memory but what is still to be sent. */
  clear(): void {
    this.#sitting.value = null
    this.#values.value = new Map()
    this.place.value = { is: 'welcome' }
  }

  start(): void {
    this.place.value = this.#placeOf(Math.max(0, firstOpen(this.stops.value)))
  }

  choose(stop: Stop, value: number): void {
    if (this.chosen.value !== null) return
    this.#values.value = withValue(this.#values.value, stop, value)
    this.queue.add(this.#toAnswer(stop, value))
    this.chosen.value = value
    setTimeout(() => {
      this.chosen.value = null
      const next = this.#placeAfter(stop)
      this.place.value = needsHelp(stop, value) ? { is: 'help', next } : next
    }, showChoiceMs)
  }

  /** Past a question that was answered elsewhere. */
  pass(stop: Stop): void {
    this.place.value = this.#placeAfter(stop)
  }

  /** False: there is nothing before this. */
  back(): boolean {
    const { value: place } = this.place
    if (place.is === 'help') this.place.value = place.next
    else if (place.is === 'send') this.place.value = this.#placeOf(this.stops.value.length - 1)
    else if (place.is === 'question' && place.at > 0) this.place.value = this.#placeOf(place.at - 1)
    else return false
    return true
  }

  seekHelp(): void {
    const { value: place } = this.place
    if (place.is !== 'help') this.place.value = { is: 'help', next: place }
  }

  /** Everything must have arrived first; without a network both wait, and go on by themselves. */
  async send(): Promise<void> {
    if (this.isSending.value) return
    this.isSending.value = true
    const answered = await this.#sendUntilAnswered()
    this.isSending.value = false
    if (answered.is === 'shut') return this.#parts.onShut()
    if (answered.is !== 'ok' || answered.value.remaining > 0) return this.#parts.onStale()
    this.#parts.onDone()
  }

  async #sendUntilAnswered(): Promise<Answered<FinishedSitting>> {
    for (;;) {
      await this.queue.settled()
      const answered = await this.#parts.call<FinishedSitting>('/send')
      if (answered.is !== 'away' && answered.is !== 'tooMany') return answered
      this.queue.state.value = 'waiting'
      await untilOnline(sendAgainMs)
    }
  }

  #firstPlace(): Place {
    const stops = this.stops.value
    if (stops.every(({ isAnswered }) => !isAnswered)) return { is: 'welcome' }
    const open = firstOpen(stops)
    return open < 0 ? { is: 'send' } : this.#placeOf(open)
  }

  /** The next in order: who went back to change one answer sees what comes after it again. */
  #placeAfter(stop: Stop): Place {
    const stops = this.stops.value
    const next = stops.findIndex((one) => isAt(one, stop)) + 1
    if (next < stops.length) return this.#placeOf(next)
    const open = firstOpen(stops)
    return open < 0 ? { is: 'send' } : this.#placeOf(open)
  }

  #placeOf(at: number): Place {
    return { is: 'question', at }
  }

  #toAnswer({ assessment, question }: Stop, value: number): GivenAnswer {
    this.#lastGivenMs = Math.max(this.#lastGivenMs + 1, Date.now() - this.#clockAheadMs)
    const { assignmentId, language } = assessment
    return {
      answerId: newAnswerId(),
      assignmentId,
      questionKey: question.key,
      value,
      language,
      givenAtMs: Math.round(this.#lastGivenMs),
    }
  }

  /** One after another, so that the newest is what stays. */
  #seal(waiting: readonly GivenAnswer[]): void {
    const key = this.#sitting.value?.storageKey
    const text = JSON.stringify(waiting)
    const isNone = waiting.length === 0
    const write = async (before: Promise<void>): Promise<void> => {
      await before
      if (key !== undefined) this.#parts.remember(isNone ? null : await sealText(key, text))
    }
    this.#writing = write(this.#writing)
  }
}

/** Or once the browser says so, which not all do. */
const untilOnline = (mostMs: number): Promise<void> =>
  new Promise((resolve) => {
    addEventListener('online', () => resolve(), { once: true })
    setTimeout(resolve, mostMs)
  })

/** The service's, and over them what it does not have yet. */
function readValues(sitting: PageSitting, unsent: readonly GivenAnswer[]): Values {
  const values = new Map<string, Map<string, number>>()
  for (const { assignmentId, questions } of sitting.assessments) {
    const own = new Map<string, number>()
    for (const { key, answer } of questions) if (answer !== null) own.set(key, answer)
    values.set(assignmentId, own)
  }
  for (const { assignmentId, questionKey, value } of unsent) values.get(assignmentId)?.set(questionKey, value)
  return values
}

/** `crypto.randomUUID` is only there under https; random bytes are everywhere. */
function newAnswerId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
