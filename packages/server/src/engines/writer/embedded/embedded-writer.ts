import { Worker } from 'node:worker_threads'
import { EngineFault } from '../../engine-fault.js'
import { templatesVersion } from '../templates-version.js'
import type { DraftSection, WriterEngine } from '../writer-engine.js'
import type { ResultOf, WriterCall, WriterOrder, WriterReply } from './writer-messages.js'

/** Rises whenever the same transcript may give another text. */
const rulesVersion = '2026-11-15.5'

/** Three hours of talk take some ten seconds on a busy machine; longer is a thread in trouble. */
const answerWithinMs = 120_000

/** A thread takes compiled files only, also when this one is run from its source, as in tests. */
const threadFile = new URL(
  import.meta.url.endsWith('.ts')
    ? '../../../../dist/engines/writer/embedded/writer-thread.js'
    : './writer-thread.js',
  import.meta.url,
)

/** Takes what the thread sends about one order. */
interface Taker {
  section(section: DraftSection): void
  done(result: unknown): void
  failed(error: Error): void
}

/** The writer that needs no account anywhere: it runs in a thread of its own, which is started with the first order. */
export function makeEmbeddedWriter(): WriterEngine & { close(): Promise<void> } {
  const thread = new WriterThread()
  return {
    name: 'embedded',
    versions: {
      engine: 'embedded',
      model: `casenote-extractive ${rulesVersion}`,
      prompt: 'none',
      templates: templatesVersion,
    },
    writeNote: (request, signal) => thread.stream({ method: 'writeNote', request }, signal),
    editNote: (request, signal) =>
      thread.ask({ method: 'editNote', request }, signal) as Promise<ResultOf<'editNote'>>,
    deriveMdm: (request, signal) =>
      thread.ask({ method: 'deriveMdm', request }, signal) as Promise<ResultOf<'deriveMdm'>>,
    summarize: (request, signal) =>
      thread.ask({ method: 'summarize', request }, signal) as Promise<ResultOf<'summarize'>>,
    close: () => thread.close(),
  }
}

class WriterThread {
  readonly #takers = new Map<number, Taker>()
  #worker: Worker | null = null
  #nextId = 1

  async close(): Promise<void> {
    await this.#worker?.terminate()
  }

  async ask(call: WriterCall, signal: AbortSignal): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#send(call, signal, { section: () => {}, done: resolve, failed: reject })
    })
  }

  async *stream(call: WriterCall, signal: AbortSignal): AsyncGenerator<DraftSection> {
    const sections: DraftSection[] = []
    let end: { error: Error | null } | null = null
    let wake = (): void => {}
    const finish = (error: Error | null): void => {
      end = { error }
      wake()
    }
    this.#send(call, signal, {
      section: (section) => {
        sections.push(section)
        wake()
      },
      done: () => finish(null),
      failed: finish,
    })
    for (;;) {
      const next = sections.shift()
      if (next !== undefined) yield next
      else if (end !== null) break
      else await new Promise<void>((resolve) => (wake = resolve))
    }
    const { error } = end as { error: Error | null }
    if (error !== null) throw error
  }

  #send(call: WriterCall, signal: AbortSignal, taker: Taker): void {
    signal.throwIfAborted()
    const worker = (this.#worker ??= this.#start())
    const id = this.#nextId++
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A thread has no origin.
    const order = (message: WriterOrder): void => worker.postMessage(message)
    const stop = (error: Error): void => {
      order({ id, method: 'abort' })
      settle(() => taker.failed(error))
    }
    const onAbort = (): void => stop(signal.reason as Error)
    const timer = setTimeout(() => {
      // It does not listen: whatever else it was doing has to be asked for again.
      void worker.terminate()
      stop(new EngineFault('timeout', 'The embedded writer took too long'))
    }, answerWithinMs)
    const settle = (tell: () => void): void => {
      if (!this.#takers.delete(id)) return
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
      tell()
    }
    signal.addEventListener('abort', onAbort)
    this.#takers.set(id, {
      section: (section) => taker.section(section),
      done: (result) => settle(() => taker.done(result)),
      failed: (error) => settle(() => taker.failed(error)),
    })
    order({ id, ...call })
  }

  #start(): Worker {
    const worker = new Worker(threadFile, {
      resourceLimits: { maxOldGenerationSizeMb: 512 },
    })
    worker.unref()
    worker.on('message', (reply: WriterReply) => this.#take(reply))
    // A thread that ended, for want of memory or by a fault, takes its orders along; the next order starts another.
    worker.on('error', () => {})
    worker.on('exit', () => {
      if (this.#worker === worker) this.#worker = null
      for (const taker of this.#takers.values()) {
        taker.failed(new EngineFault('unavailable', 'The embedded writer ended'))
      }
    })
    return worker
  }

  #take(reply: WriterReply): void {
    const taker = this.#takers.get(reply.id)
    if (taker === undefined) return
    if (reply.kind === 'section') taker.section(reply.section as DraftSection)
    else if (reply.kind === 'done') taker.done(reply.result)
    else taker.failed(rebuildError(reply))
  }
}

function rebuildError({ name, stack }: { name: string; stack: string }): Error {
  const error = new Error('the embedded writer failed')
  error.name = name
  error.stack = `${name}\n${stack}`
  return error
}
