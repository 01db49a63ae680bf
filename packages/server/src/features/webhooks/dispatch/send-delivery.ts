import type { Dispatcher } from 'undici'
import type { AttemptError, AttemptResult } from './decide-outcome.js'
import { parseRetryAfter } from '../../../kernel/retry-after.js'

export interface OutgoingDelivery {
  url: string
  body: Buffer
  headers: Record<string, string>
}

/** Ruling 8: 15 s to answer, from looking up the name to the end of the answer's head. */
const answerWithinMs = 15_000

/** Nothing of the body is used. This much is read so that the connection can be used again, then it is closed. */
const bodyBytesMax = 4_096
const bodyWithinMs = 1_000

/** What is being sent. A set, because listening to one signal for each attempt costs more than signing it. */
export type LiveAttempts = Set<{ interrupt(): void }>

/** Sends once and tells how it went; never throws. The answer is its status: what follows the head changes nothing. */
export function sendDelivery(
  agent: Dispatcher,
  { url, body, headers }: OutgoingDelivery,
  { live, timeoutMs = answerWithinMs }: { live: LiveAttempts; timeoutMs?: number },
): Promise<AttemptResult> {
  return new Promise((resolve) => {
    const attempt = new Attempt(resolve, live, timeoutMs)
    try {
      const { origin, pathname, search } = new URL(url)
      agent.dispatch({ origin, path: pathname + search, method: 'POST', body, headers }, attempt)
    } catch (error) {
      // undici refuses some requests before it sends them.
      attempt.end({ httpStatus: null, error: classifyError(error), retryAfterMs: null })
    }
  })
}

/** Takes undici's calls for one request. */
class Attempt implements Dispatcher.DispatchHandler {
  readonly #resolve: (result: AttemptResult) => void
  readonly #startedAtMs = performance.now()
  readonly #live: LiveAttempts
  #timer: NodeJS.Timeout
  /** Null until there is a connection: only then can it be aborted. */
  #controller: Dispatcher.DispatchController | null = null
  #isEnded = false
  #bodyBytes = 0

  constructor(resolve: (result: AttemptResult) => void, live: LiveAttempts, timeoutMs: number) {
    this.#resolve = resolve
    this.#live = live
    this.#timer = setTimeout(() => this.#give('timeout'), timeoutMs)
    live.add(this)
  }

  interrupt(): void {
    this.#give('interrupted')
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    // Given up while it waited for a connection.
    if (this.#isEnded) this.#close()
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    httpStatus: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (httpStatus < 200) return
    const retryAfter = headers['retry-after']
    const asked = typeof retryAfter === 'string' ? parseRetryAfter(retryAfter, Date.now()) : null
    this.end({ httpStatus, error: null, retryAfterMs: asked })
    const isEmpty = httpStatus === 204 || headers['content-length'] === '0'
    if (!isEmpty) this.#timer = setTimeout(() => this.#close(), bodyWithinMs)
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#bodyBytes += chunk.length
    if (this.#bodyBytes > bodyBytesMax) this.#close()
  }

  onResponseEnd(): void {
    clearTimeout(this.#timer)
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    clearTimeout(this.#timer)
    this.end({ httpStatus: null, error: classifyError(error), retryAfterMs: null })
  }

  /** The first end counts. */
  end(result: Omit<AttemptResult, 'durationMs'>): void {
    if (this.#isEnded) return
    this.#isEnded = true
    clearTimeout(this.#timer)
    this.#live.delete(this)
    this.#resolve({ ...result, durationMs: Math.round(performance.now() - this.#startedAtMs) })
  }

  #give(error: AttemptError): void {
    this.end({ httpStatus: null, error, retryAfterMs: null })
    this.#close()
  }

  #close(): void {
    clearTimeout(this.#timer)
    this.#controller?.abort(new Error('Ended by the dispatcher'))
  }
}

const codes: Readonly<Record<string, AttemptError>> = {
  ECONNREFUSED: 'connection_refused',
  ECONNRESET: 'connection_reset',
  EPIPE: 'connection_reset',
  UND_ERR_SOCKET: 'connection_reset',
  ENOTFOUND: 'name_not_found',
  EAI_AGAIN: 'name_not_found',
  ENODATA: 'name_not_found',
  ETIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_OVERFLOW: 'invalid_answer',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'invalid_answer',
  EPROTO: 'tls_failed',
  target_refused: 'target_refused',
}

/** What kind of failure an error is, by its code alone: a message may quote what the receiver sent. */
function classifyError(error: unknown): AttemptError {
  // Its code is that of the parser's state, and absent at times. By its name: the class would load what commands do not need.
  if (error instanceof Error && error.name === 'HTTPParserError') return 'invalid_answer'
  const code = (error as { code?: unknown } | null)?.code
  if (typeof code !== 'string') return 'connection_failed'
  if (/^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/.test(code)) return 'tls_failed'
  return codes[code] ?? 'connection_failed'
}
