import { AsyncLocalStorage } from 'node:async_hooks'
import { randomFillSync } from 'node:crypto'
import { listFacts, type SpanFacts } from './span-facts.js'

/** One for what came from outside, one for what goes there, and all else. */
export type SpanKind = 'server' | 'client' | 'internal'

/** Something that ended just now. */
export interface EndedSpan {
  /** 32 and 16 hexadecimal digits. */
  traceId: string
  spanId: string
  parentSpanId: string | null
  name: string
  kind: SpanKind
  /** Milliseconds since 1970, with fractions. */
  startedAtMs: number
  endedAtMs: number
  facts: readonly [name: string, value: string | number][]
  hasFailed: boolean
  /** What it set going elsewhere. */
  started: readonly { atMs: number; facts: readonly [name: string, value: string | number][] }[]
}

/** Where spans go. `keep` must neither throw nor wait. */
export interface SpanSink {
  isWanted(traceId: string): boolean
  keep(span: EndedSpan): void
}

export interface Span {
  add(facts: SpanFacts): void
  /** `error`: what it failed with; only its class is told. */
  end(error?: unknown): void
}

/** One per process, as the registry of metrics is; null: nothing is traced, and nothing below costs anything. */
let sink: SpanSink | null = null

export function openTracing(opened: SpanSink | null): void {
  sink = opened
}

export const isTracing = (): boolean => sink !== null

/** Null inside a trace that is not wanted: what it calls must not begin one of its own. */
const current = new AsyncLocalStorage<LiveSpan | null>()

/** What one span tells that it set going, at the most. */
const startedMax = 32

const nowMs = (): number => performance.timeOrigin + performance.now()

/** Filled at once for hundreds of ids: each by a call of its own would cost more than all else about a span. */
const random = Buffer.alloc(4_096)
let randomAt = random.length

function newHexId(bytes: 8 | 16): string {
  if (randomAt + bytes > random.length) {
    randomFillSync(random)
    randomAt = 0
  }
  randomAt += bytes
  return random.toString('hex', randomAt - bytes, randomAt)
}

/**
 * The trace of all that is done about one thing, in whatever process: its id without hyphens. So nothing has to be handed from a
 * request to a job, and whoever knows a session's id knows its trace.
 */
const traceOf = (id: string): string | null => {
  const hex = id.replaceAll('-', '')
  return /^(?!0{32})[0-9a-f]{32}$/.test(hex) ? hex : null
}

class LiveSpan implements Span {
  readonly spanId = newHexId(8)
  readonly #startedAtMs = nowMs()
  readonly #facts = new Map<string, string | number>()
  readonly #started: { atMs: number; facts: [string, string | number][] }[] = []
  #hasEnded = false

  constructor(
    readonly traceId: string,
    private readonly parentSpanId: string | null,
    private readonly name: string,
    private readonly kind: SpanKind,
    facts: SpanFacts,
  ) {
    this.add(facts)
  }

  add(facts: SpanFacts): void {
    for (const [name, value] of listFacts(facts)) this.#facts.set(name, value)
  }

  rememberStart(facts: SpanFacts): void {
    if (this.#started.length < startedMax) this.#started.push({ atMs: nowMs(), facts: listFacts(facts) })
  }

  end(error?: unknown): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    if (error !== undefined) this.add({ errorType: error instanceof Error ? error.name : typeof error })
    sink?.keep({
      traceId: this.traceId,
      spanId: this.spanId,
      parentSpanId: this.parentSpanId,
      name: this.name,
      kind: this.kind,
      startedAtMs: this.#startedAtMs,
      endedAtMs: nowMs(),
      facts: [...this.#facts],
      hasFailed: error !== undefined,
      started: this.#started,
    })
  }
}

const nothing: Span = { add: () => {}, end: () => {} }

interface RootOptions {
  name: string
  kind: SpanKind
  facts: SpanFacts
  /** The id of what it is about, if others do something about it too. */
  about?: string
}

/** Begins a trace. `within` runs what belongs to it; callbacks of sockets, which do not, have to be run by it once more. */
export function startTrace(options: RootOptions): Span & { within<T>(act: () => T): T } {
  if (sink === null) return { ...nothing, within: (act) => act() }
  const traceId = (options.about === undefined ? null : traceOf(options.about)) ?? newHexId(16)
  const span = sink.isWanted(traceId)
    ? new LiveSpan(traceId, null, options.name, options.kind, options.facts)
    : null
  return {
    add: (facts) => span?.add(facts),
    end: (error) => span?.end(error),
    within: (act) => current.run(span, act),
  }
}

/** A trace of its own, from the start of `work` to its end. */
export async function traced<T>(options: RootOptions, work: (span: Span) => Promise<T>): Promise<T> {
  if (sink === null) return work(nothing)
  const trace = startTrace(options)
  return trace.within(() => endingWith(trace, () => work(trace)))
}

/** A part of the trace under way; where there is none, as for what a loop does by itself, nothing is told. */
export async function tracedWithin<T>(
  name: string,
  facts: SpanFacts | (() => SpanFacts),
  work: (span: Span) => Promise<T>,
  kind: SpanKind = 'internal',
): Promise<T> {
  const parent = sink === null ? null : current.getStore()
  if (!parent) return work(nothing)
  const known = typeof facts === 'function' ? facts() : facts
  const span = new LiveSpan(parent.traceId, parent.spanId, name, kind, known)
  return current.run(span, () => endingWith(span, () => work(span)))
}

/** Starts a span as `tracedWithin` does, for what is no one promise: whoever starts it ends it. */
export function startWithin(name: string, facts: SpanFacts, kind: SpanKind = 'internal'): Span {
  const parent = sink === null ? null : current.getStore()
  return parent ? new LiveSpan(parent.traceId, parent.spanId, name, kind, facts) : nothing
}

/** That what is under way has set something going that has a trace of its own. */
export function rememberStart(facts: SpanFacts): void {
  if (sink !== null) current.getStore()?.rememberStart(facts)
}

async function endingWith<T>(span: Span, work: () => Promise<T>): Promise<T> {
  try {
    const result = await work()
    span.end()
    return result
  } catch (error) {
    span.end(error ?? new Error())
    throw error
  }
}
