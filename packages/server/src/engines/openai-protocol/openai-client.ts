import { setTimeout as wait } from 'node:timers/promises'
import { Agent, request, type Dispatcher } from 'undici'
import { EngineFault, ServerOutage } from '../engine-fault.js'
import { readError, readFailure, RejectedRequest, type Failure } from './read-failure.js'
import { readEvents } from './read-events.js'
import { Slots } from './slots.js'

export interface OpenAiServer {
  /** What messages call it. */
  name: string
  /** Everything before `/audio/transcriptions` and `/chat/completions`; a bare origin gets `/v1`. */
  url: string
  /** Local servers often have none. */
  apiKey: string | null
}

export interface CallLimits {
  /** For one attempt, its whole answer included. */
  timeoutMs: number
  /** How many calls this process has under way at most; others wait. */
  concurrencyMax: number
  attemptsMax: number
  /** Doubled with every attempt, half of it by chance. */
  backoffMs: number
  /** A server that wants to be left alone for longer gets its wish from the job queue: the slot is free meanwhile. */
  retryAfterMaxMs: number
  responseBytesMax: number
}

const usualLimits = {
  // With 500 ms, 1 s and 2 s between them they span a restart behind a load balancer, not an outage.
  attemptsMax: 4,
  backoffMs: 500,
  retryAfterMaxMs: 30_000,
  // A streamed answer has some 250 bytes around each token: 30,000 tokens, five times the longest note.
  responseBytesMax: 8_000_000,
} as const

/** A timeout is long already; twice is enough to tell a lost connection from a server that is too slow. */
const timeoutsMax = 2

const backoffMaxMs = 8_000

/** Error bodies are a few hundred bytes; what is longer is no JSON of a known error. */
const errorBytesMax = 65_536

export interface CallBody {
  contentType: string
  bytes: Buffer
}

/** Made again for every attempt, and only when its turn has come: thousands of clips wait as samples, not as WAV. */
export type MakeBody = () => CallBody

export const jsonBody =
  (value: unknown): MakeBody =>
  () => ({ contentType: 'application/json', bytes: Buffer.from(JSON.stringify(value)) })

interface Answer {
  body: Dispatcher.ResponseData['body']
  isEventStream: boolean
  /** True once the attempt ran out of time. */
  isLate: () => boolean
}

/** Speaks to one server of the OpenAI protocol. Every fault of it is without any text of request and answer. */
export class OpenAiClient {
  readonly #server: OpenAiServer
  readonly #limits: CallLimits
  readonly #slots: Slots
  readonly #agent: Agent
  readonly #baseUrl: string

  constructor(
    server: OpenAiServer,
    limits: Pick<CallLimits, 'timeoutMs' | 'concurrencyMax'> & Partial<CallLimits>,
  ) {
    this.#server = server
    this.#limits = { ...usualLimits, ...limits }
    this.#slots = new Slots(this.#limits.concurrencyMax)
    this.#baseUrl = toBaseUrl(server.url)
    // Both timeouts of undici are off: ours covers the whole attempt, and before the first token of a long prompt a
    // slow server is silent for minutes.
    this.#agent = new Agent({ headersTimeout: 0, bodyTimeout: 0, connect: { timeout: 10_000 } })
  }

  /** The answer's JSON. Owners take turns where more is asked than is answered at once. */
  post(path: string, makeBody: MakeBody, signal: AbortSignal, owner = ''): Promise<unknown> {
    return this.#slots.use(signal, owner, () =>
      this.#retry(signal, async () => {
        const answer = await this.#send(path, makeBody, signal)
        try {
          return this.#parse(await this.#readText(answer))
        } catch (error) {
          if (signal.aborted || error instanceof EngineFault) throw error
          throw new AttemptError({ fault: this.#findFault(error, answer.isLate()), isWorthRetrying: true })
        } finally {
          answer.body.destroy()
        }
      }),
    )
  }

  /**
   * The JSON of each event of a streamed answer, without the closing `[DONE]`; or the one JSON of a server that does
   * not stream. Attempts end with the first byte: what was given out cannot be taken back.
   */
  async *stream(path: string, makeBody: MakeBody, signal: AbortSignal, owner = ''): AsyncGenerator {
    const release = await this.#slots.take(signal, owner)
    let answer: Answer | null = null
    try {
      answer = await this.#retry(signal, () => this.#send(path, makeBody, signal))
      if (!answer.isEventStream) {
        yield this.#parse(await this.#readText(answer))
        return
      }
      for await (const data of readEvents(this.#bounded(answer))) {
        if (data === '[DONE]') return
        yield this.#checkEvent(this.#parse(data))
      }
    } catch (error) {
      signal.throwIfAborted()
      throw error instanceof EngineFault ? error : this.#findFault(error, answer?.isLate() ?? false)
    } finally {
      answer?.body.destroy()
      release()
    }
  }

  close(): Promise<void> {
    return this.#agent.destroy()
  }

  async #retry<T>(signal: AbortSignal, attempt: () => Promise<T>): Promise<T> {
    let timeouts = 0
    for (let count = 1; ; count += 1) {
      try {
        return await attempt()
      } catch (error) {
        signal.throwIfAborted()
        if (!(error instanceof AttemptError)) throw error
        const { fault, isWorthRetrying } = error.failure
        if (fault.kind === 'timeout') timeouts += 1
        const isOver = count >= this.#limits.attemptsMax || timeouts >= timeoutsMax
        const pauseMs = this.#findPause(fault, count)
        if (!isWorthRetrying || isOver || pauseMs === null) throw fault
        await wait(pauseMs, undefined, { signal }).catch(() => signal.throwIfAborted())
      }
    }
  }

  /** The slot is kept while waiting: a server that is overloaded shall not get the next call instead. */
  #findPause(fault: EngineFault, count: number): number | null {
    const longestMs = Math.min(backoffMaxMs, this.#limits.backoffMs * 2 ** (count - 1))
    const ownMs = longestMs * (0.5 + Math.random() / 2)
    const askedMs = fault instanceof ServerOutage ? (fault.retryAfterMs ?? 0) : 0
    return askedMs > this.#limits.retryAfterMaxMs ? null : Math.max(ownMs, askedMs)
  }

  async #send(path: string, makeBody: MakeBody, signal: AbortSignal): Promise<Answer> {
    const { contentType, bytes } = makeBody()
    const deadline = AbortSignal.timeout(this.#limits.timeoutMs)
    try {
      const data = await request(this.#baseUrl + path, {
        method: 'POST',
        dispatcher: this.#agent,
        signal: AbortSignal.any([signal, deadline]),
        headers: {
          'content-type': contentType,
          'accept-encoding': 'identity',
          'user-agent': 'casenote',
          ...(this.#server.apiKey === null ? {} : { authorization: `Bearer ${this.#server.apiKey}` }),
        },
        body: bytes,
      })
      // A body that is destroyed before its end emits an error that nobody else would hear.
      data.body.on('error', () => undefined)
      const isEventStream = String(data.headers['content-type']).includes('text/event-stream')
      if (data.statusCode >= 200 && data.statusCode < 300) {
        return { body: data.body, isEventStream, isLate: () => deadline.aborted }
      }
      const body = await readErrorBody(data.body)
      throw new AttemptError(readFailure(this.#server.name, data.statusCode, data.headers, body, Date.now()))
    } catch (error) {
      if (error instanceof AttemptError || signal.aborted) throw error
      throw new AttemptError({
        fault: this.#findFault(error, deadline.aborted),
        isWorthRetrying: true,
      })
    }
  }

  async #readText(answer: Answer): Promise<string> {
    const chunks: Uint8Array[] = []
    for await (const chunk of this.#bounded(answer)) chunks.push(chunk)
    return Buffer.concat(chunks).toString('utf8')
  }

  async *#bounded({ body }: Answer): AsyncGenerator<Uint8Array> {
    let size = 0
    for await (const chunk of body as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > this.#limits.responseBytesMax) {
        throw new EngineFault('malformed', `the ${this.#server.name} answered with more than is taken`)
      }
      yield chunk
    }
  }

  #parse(text: string): unknown {
    try {
      return JSON.parse(text)
    } catch {
      // V8's message quotes the text.
      throw new EngineFault('malformed', `the ${this.#server.name} answered with something that is no JSON`)
    }
  }

  /** Once the status has been sent, an error can only be an event. */
  #checkEvent(event: unknown): unknown {
    if (typeof event !== 'object' || event === null || !('error' in event)) return event
    const { code } = readError(event)
    const said = `the ${this.#server.name} broke off${code === null ? '' : ` (${code})`}`
    if (code === 'context_length_exceeded') throw new RejectedRequest(said, 400, code, null)
    throw new ServerOutage(code === 'rate_limit_exceeded' ? 'rate_limited' : 'unavailable', said)
  }

  /** Of an error of the network only the code is told: a parser's error carries bytes of the answer. */
  #findFault(error: unknown, isLate: boolean): ServerOutage {
    if (isLate) {
      return new ServerOutage(
        'timeout',
        `the ${this.#server.name} took more than ${this.#limits.timeoutMs} ms`,
      )
    }
    const code = (error as { code?: unknown }).code
    const isCode = typeof code === 'string' && /^[A-Z_0-9]{1,40}$/.test(code)
    return new ServerOutage(
      'unavailable',
      `the ${this.#server.name} did not answer${isCode ? ` (${code})` : ''}`,
    )
  }
}

/** Carries a fault from an attempt to the loop that decides whether there is another one. */
class AttemptError extends Error {
  constructor(readonly failure: Failure) {
    super(failure.fault.message)
  }
}

/** As the official clients take it: with its version. Who gives the origin alone means `/v1`. */
export function toBaseUrl(text: string): string {
  const url = new URL(text)
  const path = url.pathname.replace(/\/{1,9}$/, '')
  return url.origin + (path === '' ? '/v1' : path)
}

async function readErrorBody(body: Dispatcher.ResponseData['body']): Promise<unknown> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > errorBytesMax) return null
      chunks.push(chunk)
    }
    return JSON.parse(Buffer.concat(chunks).toString('utf8'))
  } catch {
    // The status alone says enough.
    return null
  } finally {
    body.destroy()
  }
}
