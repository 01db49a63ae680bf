import type { PartnerToken } from '@casenote/contract'
import type { Credentials } from './read-credentials.js'

export interface Answer {
  status: number
  body: unknown
}

const answerWithinMs = 10_000

/** Renewed this long before it ends, so that no call is on its way while it does. */
const renewAheadMs = 60_000

/** The Partner API as a partner's backend calls it. */
export class PartnerClient {
  readonly #readCredentials: () => Promise<Credentials>
  #credentials: Credentials
  #token: { value: string; renewAtMs: number } | null = null

  private constructor(readCredentials: () => Promise<Credentials>, credentials: Credentials) {
    this.#readCredentials = readCredentials
    this.#credentials = credentials
  }

  static async open(readCredentials: () => Promise<Credentials>): Promise<PartnerClient> {
    return new PartnerClient(readCredentials, await readCredentials())
  }

  get baseUrl(): string {
    return this.#credentials.baseUrl
  }

  get clientSecret(): string {
    return this.#credentials.clientSecret
  }

  /** Answers with anything below 500 that is not about credentials; the caller knows which of them it expects. */
  async call(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, payload?: object): Promise<Answer> {
    let answer = await this.#callWithToken(method, path, payload)
    if (answer.status === 401 || answer.status === 403) {
      // Expired before its time, or not known any more: a service that began anew has written new credentials.
      this.#token = null
      this.#credentials = await this.#readCredentials()
      answer = await this.#callWithToken(method, path, payload)
    }
    return answer
  }

  async #callWithToken(method: string, path: string, payload?: object): Promise<Answer> {
    if (this.#token === null || performance.now() > this.#token.renewAtMs) await this.#authenticate()
    return this.#send(method, path, { 'access-token': this.#token?.value ?? '' }, payload)
  }

  async #authenticate(): Promise<void> {
    this.#credentials = await this.#readCredentials()
    const { clientId, clientSecret } = this.#credentials
    const path = '/partners/authenticate'
    const answer = await this.#send('POST', path, {}, { clientId, clientSecret })
    if (answer.status !== 200) throw refusal('POST', path, answer)
    const { accessToken, expiresIn } = answer.body as PartnerToken
    const renewAtMs = performance.now() + Math.max(0, expiresIn * 1000 - renewAheadMs)
    this.#token = { value: accessToken, renewAtMs }
  }

  async #send(
    method: string,
    path: string,
    headers: Record<string, string>,
    payload?: object,
  ): Promise<Answer> {
    const { baseUrl, apiKey } = this.#credentials
    const body = payload === undefined ? {} : { body: JSON.stringify(payload) }
    const type = payload === undefined ? {} : { 'content-type': 'application/json' }
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: { ...headers, ...type, 'x-api-key': apiKey },
      redirect: 'error',
      signal: AbortSignal.timeout(answerWithinMs),
      ...body,
    }).catch((error: unknown) => {
      throw new Error(`the service cannot be reached at ${baseUrl} (${nameCause(error)})`)
    })
    const answer = { status: response.status, body: parseJson(await response.text().catch(() => '')) }
    if (answer.status >= 500 || answer.status === 429) throw refusal(method, path, answer)
    return answer
  }
}

/** For people, in one sentence. */
export function refusal(method: string, path: string, { status, body }: Answer): Error {
  const reason = describeRefusal(body)
  return new Error(`${method} ${path} was answered with ${status}${reason === null ? '' : `: ${reason}`}`)
}

/** Both shapes of contract part 7, and the list of a failed validation. Null: none of them. */
function describeRefusal(body: unknown): string | null {
  const gateway = (body as { message?: unknown } | null)?.message
  const application = (body as { error?: { message?: unknown } } | null)?.error?.message
  const message = application ?? gateway
  if (typeof message === 'string') return message
  const problems = (message as { message?: unknown } | undefined)?.message
  return Array.isArray(problems) ? problems.join(', ') : null
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** `fetch` hides the reason in a cause, and that of two addresses in a list. */
function nameCause(error: unknown): string {
  const cause = (error as { cause?: { code?: unknown } } | null)?.cause
  if (typeof cause?.code === 'string') return cause.code
  return error instanceof Error ? error.name : 'unknown'
}
