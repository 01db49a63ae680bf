import { Worker } from 'node:worker_threads'
import { startingModule } from '../../../kernel/own-files.js'
import { EngineFault } from '../../engine-fault.js'
import { templatesVersion } from '../templates-version.js'
import type { WriterEngine, WritingEvent, WritingRequest } from '../writer-engine.js'
import type { ExtractCall, ExtractOrder, ExtractReply, Results } from './extract-messages.js'

/** Rises whenever the same reading may give another text. */
const rulesVersion = '2026-11-19.12'

/** Three hours of talk take about a second; longer is a thread in trouble. */
const answerWithinMs = 30_000

const threadFile = startingModule('engines/writer/extract/extract-thread.js')

/** The writer that needs no model: it quotes. */
export function makeExtractWriter(options: { answerWithinMs?: number } = {}): WriterEngine {
  const orders = new ExtractOrders(options.answerWithinMs ?? answerWithinMs)
  return {
    name: 'extract',
    versions: {
      engine: 'extract',
      model: `casenote-extract ${rulesVersion}`,
      prompt: 'none',
      templates: templatesVersion,
    },
    writeNote: (request, signal) => writeInOrder(orders, requireRead(request), signal),
    editNote: (request, signal) => orders.ask<'editNote'>({ method: 'editNote', request }, signal),
    deriveMdm: async (request, signal) =>
      orders.ask<'deriveMdm'>({ method: 'deriveMdm', request: requireRead(request) }, signal),
    summarize: async (request, signal) =>
      orders.ask<'summarize'>({ method: 'summarize', request: requireRead(request) }, signal),
    close: () => orders.close(),
  }
}

/** What is quoted is chosen by the reading: of talk that nobody read, any choice would be chance. */
function requireRead(request: WritingRequest): WritingRequest {
  if (request.reading.language === undefined) return request
  throw new EngineFault('refused', 'what was said in another language than English cannot be quoted')
}

async function* writeInOrder(
  orders: ExtractOrders,
  request: WritingRequest,
  signal: AbortSignal,
): AsyncGenerator<WritingEvent> {
  const note = await orders.ask<'writeNote'>({ method: 'writeNote', request }, signal)
  for (const section of note.sections) yield { kind: 'section', section }
  yield { kind: 'end', note }
}

interface Waiting {
  call: ExtractCall
  resolve: (result: unknown) => void
  reject: (error: Error) => void
  timer: NodeJS.Timeout | null
}

/** One order at a time goes to the thread, so that one that hangs or crashes it ends alone; the next starts another. */
class ExtractOrders {
  readonly #answerWithinMs: number
  readonly #queue = new Map<number, Waiting>()
  #worker: Worker | null = null
  #current: number | null = null
  #nextId = 1
  #isClosed = false

  constructor(within: number) {
    this.#answerWithinMs = within
  }

  async close(): Promise<void> {
    this.#isClosed = true
    const worker = this.#worker
    for (const id of this.#queue.keys()) this.#fail(id, closedFault())
    await worker?.terminate()
  }

  async ask<Method extends keyof Results>(call: ExtractCall, signal: AbortSignal): Promise<Results[Method]> {
    signal.throwIfAborted()
    if (this.#isClosed) throw closedFault()
    const id = this.#nextId++
    const onAbort = (): void => this.#fail(id, signal.reason as Error)
    signal.addEventListener('abort', onAbort, { once: true })
    try {
      return (await new Promise<unknown>((resolve, reject) => {
        this.#queue.set(id, { call, resolve, reject, timer: null })
        this.#sendNext()
      })) as Results[Method]
    } finally {
      signal.removeEventListener('abort', onAbort)
    }
  }

  #sendNext(): void {
    const [next] = this.#queue
    if (this.#isClosed || this.#current !== null || next === undefined) return
    const [id, waiting] = next
    const worker = (this.#worker ??= this.#start())
    this.#current = id
    waiting.timer = setTimeout(
      () => this.#fail(id, new EngineFault('timeout', 'The extracting writer took too long')),
      this.#answerWithinMs,
    )
    const { transcript, ...request } = waiting.call.request
    const call = { ...waiting.call, request: { ...request, transcript: [] } } as ExtractCall
    const order: ExtractOrder = { id, transcript: JSON.stringify(transcript), ...call }
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A thread has no origin.
    worker.postMessage(order)
  }

  /** Ends one order; a thread that is still at it is ended with it. */
  #fail(id: number, error: Error): void {
    const waiting = this.#take(id)
    if (waiting === null) return
    if (this.#current === id) {
      void this.#worker?.terminate()
      this.#worker = null
      this.#current = null
    }
    waiting.reject(error)
    this.#sendNext()
  }

  #take(id: number): Waiting | null {
    const waiting = this.#queue.get(id)
    if (waiting === undefined) return null
    this.#queue.delete(id)
    if (waiting.timer !== null) clearTimeout(waiting.timer)
    return waiting
  }

  #start(): Worker {
    const worker = new Worker(threadFile, { resourceLimits: { maxOldGenerationSizeMb: 512 } })
    worker.unref()
    worker.on('message', (reply: ExtractReply) => {
      const waiting = this.#take(reply.id)
      if (this.#current === reply.id) this.#current = null
      if (reply.kind === 'done') waiting?.resolve(reply.result)
      else waiting?.reject(rebuildError(reply))
      this.#sendNext()
    })
    worker.on('error', () => {})
    worker.on('exit', () => {
      if (this.#worker !== worker) return
      this.#worker = null
      if (this.#current !== null)
        this.#fail(this.#current, new EngineFault('unavailable', 'The extracting writer ended'))
    })
    return worker
  }
}

const closedFault = (): EngineFault => new EngineFault('unavailable', 'The extracting writer is closed')

/** The name of the fault and its place in our code, for the log; its message may quote what was said. */
function rebuildError({ name, stack }: { name: string; stack: string }): EngineFault {
  const error = new EngineFault('unavailable', `the extracting writer failed: ${name}`)
  error.stack = `${name}\n${stack}`
  return error
}
