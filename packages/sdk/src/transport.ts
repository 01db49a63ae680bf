import { AccessToken } from './access-token.js'
import {
  ApiError,
  CasenoteError,
  ConnectionError,
  isEnvelope,
  makeApiError,
  makeNotReadyError,
  TimeoutError,
} from './errors.js'
import type { Partner, PartnerToken } from './generated/types.js'
import { pause } from './pause.js'

export interface CasenoteOptions {
  /** With its last segment: `https://casenote.clinic.example/v2`. */
  baseUrl: string
  apiKey: string
  clientId: string
  clientSecret: string
  /** For one attempt to be answered; 30 s if not given. */
  timeoutMs?: number | undefined
  /** How often a call is repeated at most; 3 if not given, 0 for never. */
  retries?: number | undefined
  /** Instead of the global one: a proxy, a test. */
  fetch?: typeof fetch | undefined
}

export interface RequestOptions {
  /** Ends the call, its waiting and its repeating. */
  signal?: AbortSignal | undefined
  timeoutMs?: number | undefined
  /** Key of a POST, if you want to repeat it yourself, after a restart say; otherwise every call has one of its own. */
  idempotencyKey?: string | undefined
}

/** One operation, as the generated resources describe it. */
export interface Call {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  path: string
  query?: object | undefined
  body?: unknown
  headers?: Record<string, string | undefined> | undefined
  /** Whether it may be done twice: `withKey` where the service takes idempotency keys, and not elsewhere. */
  repeat: 'always' | 'withKey' | 'never'
  isAnonymous?: true
  /** What it reads may not exist yet, which is told with a 200. */
  mayBeNotReady?: true
}

interface Answer {
  status: number
  headers: Headers
  body: unknown
}

/** The first pause is half a second at most, then twice as long each time: 3 repeats end within 4 s of waiting. */
const firstPauseMs = 500
const pauseMsMax = 8_000
/** Who is told to wait longer hears it as an error: a call that hangs for minutes looks like a fault. */
const retryAfterSecondsMax = 60
const repeatedStatuses: ReadonlySet<number> = new Set([429, 500, 502, 503, 504])

const headersByResult = new WeakMap<object, Headers>()

/** The headers that a result came with: `headersOf(note)?.get('etag')`, `x-request-id`, `idempotency-replayed`. */
export const headersOf = (result: object): Headers | null => headersByResult.get(result) ?? null

/** An id in a path. Without one the path would be that of another operation. */
export function segment(id: string): string {
  if (typeof id !== 'string' || id === '') throw new TypeError('an id is missing')
  // `fetch` takes them out of the path, whatever way they are written.
  if (id === '.' || id === '..') throw new TypeError('an id is no id')
  return encodeURIComponent(id)
}

/** Sends calls: the token, the waiting, the repeating, and errors as they are thrown. */
export class Transport {
  readonly #options: CasenoteOptions
  readonly #baseUrl: string
  readonly #token: AccessToken
  readonly #timeoutMs: number

  constructor(options: CasenoteOptions) {
    for (const name of ['baseUrl', 'apiKey', 'clientId', 'clientSecret'] as const) {
      if (typeof options[name] !== 'string' || options[name] === '') throw new TypeError(`${name} is missing`)
      // A line end that was read with it, say. Refused here: what refuses it later quotes it.
      if (!/^[\x21-\x7e]+$/.test(options[name])) {
        throw new TypeError(`${name} has a space, a line end or another sign that it cannot have`)
      }
    }
    this.#options = options
    this.#timeoutMs = options.timeoutMs ?? 30_000
    this.#baseUrl = options.baseUrl.endsWith('/') ? options.baseUrl.slice(0, -1) : options.baseUrl
    const { clientId, clientSecret } = options
    this.#token = new AccessToken((timeoutMs) =>
      this.send<PartnerToken>(
        {
          method: 'POST',
          path: '/partners/authenticate',
          body: { clientId, clientSecret },
          repeat: 'always',
          isAnonymous: true,
        },
        { timeoutMs },
      ),
    )
  }

  async send<Result>(call: Call, options: RequestOptions): Promise<Result> {
    const { signal } = options
    const key = call.repeat === 'withKey' ? (options.idempotencyKey ?? crypto.randomUUID()) : undefined
    let hasRenewed = false
    for (let attempt = 0; ; attempt += 1) {
      signal?.throwIfAborted()
      const token = call.isAnonymous === true ? undefined : await this.#getToken(call, options)
      const outcome = await this.#exchange(call, options, { token, key })
      if (!(outcome instanceof CasenoteError)) return outcome as Result
      if (isExpired(outcome) && token !== undefined && !hasRenewed) {
        // Refused at the door, so nothing was done: the contract says to repeat it once with a new token.
        hasRenewed = true
        this.#token.forget(token)
        attempt -= 1
        continue
      }
      if (call.method === 'DELETE' && attempt > 0 && outcome instanceof ApiError && outcome.status === 404) {
        // An attempt whose answer was lost has deleted it.
        return undefined as Result
      }
      if (attempt >= (this.#options.retries ?? 3) || !isWorthRepeating(outcome)) throw outcome
      if (!(await this.#mayRepeat(call, options))) throw outcome
      await pause(pauseMsFor(outcome, attempt), signal)
    }
  }

  /** Waits for it no longer than for an answer: a renewal that others began may take the time that they have. */
  async #getToken(
    { method, path }: Call,
    { signal, timeoutMs = this.#timeoutMs }: RequestOptions,
  ): Promise<string> {
    const late = new TimeoutError(`${method} ${path}: no access token in time`)
    return unlessAborted(unlessLate(this.#token.get(timeoutMs), timeoutMs, late), signal)
  }

  /** One attempt. Errors are returned, so that only what nobody expected is thrown; and what your signal says. */
  async #exchange(
    call: Call,
    options: RequestOptions,
    secrets: { token: string | undefined; key: string | undefined },
  ): Promise<unknown> {
    const url = this.#baseUrl + call.path + writeQuery(call.query)
    let answer: Answer
    try {
      answer = await this.#fetch(url, call, options, secrets)
    } catch (error) {
      options.signal?.throwIfAborted()
      if (error instanceof DOMException && error.name === 'TimeoutError') {
        return new TimeoutError(`${call.method} ${call.path} was not answered in time`, { cause: error })
      }
      return new ConnectionError(`${call.method} ${call.path}: no answer from the service`, { cause: error })
    }
    const { status, body, headers } = answer
    if (status < 200 || status > 299) return makeApiError(answer, url)
    if (call.mayBeNotReady === true && isEnvelope(body)) return makeNotReadyError({ ...answer, body }, url)
    if (typeof body === 'object' && body !== null) headersByResult.set(body, headers)
    else if (status !== 204) return new ApiError(answer, ['The answer is not JSON'], { url })
    return body
  }

  async #fetch(
    url: string,
    { method, body, headers = {} }: Call,
    { signal, timeoutMs = this.#timeoutMs }: RequestOptions,
    { token, key }: { token: string | undefined; key: string | undefined },
  ): Promise<Answer> {
    const given = {
      accept: 'application/json',
      'x-api-key': this.#options.apiKey,
      'access-token': token,
      'idempotency-key': key,
      'content-type': body === undefined ? undefined : 'application/json',
      ...headers,
    }
    const inTime = AbortSignal.timeout(timeoutMs)
    const send = this.#options.fetch ?? fetch
    const response = await send(url, {
      method,
      headers: Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== undefined),
      // Key and token go to nobody else. `error` would say it better, and is unknown to some edge runtimes.
      redirect: 'manual',
      signal: signal === undefined ? inTime : AbortSignal.any([signal, inTime]),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: response.status, headers: response.headers, body: parse(await response.text()) }
  }

  /** A create is repeated only where the service promises to do it once. Asked when it matters, so that it costs nothing else. */
  async #mayRepeat(call: Call, { signal, timeoutMs }: RequestOptions): Promise<boolean> {
    if (call.repeat !== 'withKey') return call.repeat === 'always'
    try {
      const ask: Call = { method: 'GET', path: '/partners', repeat: 'always' }
      const partner = await this.send<Partner>(ask, { signal, timeoutMs })
      return partner.idempotency
    } catch (error) {
      signal?.throwIfAborted()
      // Nobody can say: then not. The first error is the one to tell.
      if (error instanceof CasenoteError) return false
      throw error
    }
  }
}

async function unlessLate<Value>(promise: Promise<Value>, timeoutMs: number, late: Error): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const lateness = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(late), timeoutMs)
  })
  return Promise.race([promise, lateness]).finally(() => clearTimeout(timer))
}

/** A renewal is shared with other calls: who no longer waits for it leaves it running. */
async function unlessAborted<Value>(
  promise: Promise<Value>,
  signal: AbortSignal | undefined,
): Promise<Value> {
  if (signal === undefined) return promise
  const ended = new AbortController()
  const aborted = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), {
      once: true,
      signal: ended.signal,
    })
  })
  return Promise.race([promise, aborted]).finally(() => ended.abort())
}

function writeQuery(query: object | undefined): string {
  const given = Object.entries(query ?? {}).filter(([, value]) => value !== undefined && value !== null)
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
  return text === '' ? '' : `?${text}`
}

function parse(text: string): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text // Of a proxy, say; it stands in the error as it came.
  }
}

const isExpired = (outcome: unknown): boolean => outcome instanceof ApiError && outcome.status === 401

function isWorthRepeating(outcome: unknown): boolean {
  if (!(outcome instanceof ApiError)) return outcome instanceof CasenoteError
  const { status, retryAfterSeconds } = outcome
  return repeatedStatuses.has(status) && (retryAfterSeconds ?? 0) <= retryAfterSecondsMax
}

/** As long as the service says, or a random part of a time that doubles: callers that failed together come back apart. */
function pauseMsFor(outcome: unknown, attempt: number): number {
  const jitterMs = Math.random() * Math.min(firstPauseMs * 2 ** attempt, pauseMsMax)
  const asked = outcome instanceof ApiError ? outcome.retryAfterSeconds : null
  return asked === null ? jitterMs : asked * 1000 + jitterMs
}
