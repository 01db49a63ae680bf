import type { EndedSpan, SpanSink } from '../../kernel/tracing/trace.js'

/** Some seconds of a busy process, and a few megabytes. Beyond it spans are dropped, for nothing may wait for a collector. */
export const queuedMost = 4_096

/** As many in one request; some 300 KB of JSON, which takes a millisecond or two to write. */
const batchMost = 512

/** What has ended and is not sent yet. */
export class SpanQueue implements SpanSink {
  readonly #share: number
  readonly #onDropped: (count: number) => void
  #spans: EndedSpan[] = []

  /** `share`: of all traces, from 0 to 1. */
  constructor(share: number, onDropped: (count: number) => void) {
    this.#share = share
    this.#onDropped = onDropped
  }

  /**
   * By the last 56 bits, which are random in our ids as in trace ids that are made (W3C Trace Context, level 2): each process comes to
   * the same answer for one trace.
   */
  isWanted(traceId: string): boolean {
    return Number.parseInt(traceId.slice(18), 16) < this.#share * 2 ** 56
  }

  keep(span: EndedSpan): void {
    if (this.#spans.length >= queuedMost) this.#onDropped(1)
    else this.#spans.push(span)
  }

  /** The oldest; they stay until `forget` is told of them. */
  next(): readonly EndedSpan[] {
    return this.#spans.slice(0, batchMost)
  }

  forget(count: number): void {
    this.#spans = this.#spans.slice(count)
  }
}
