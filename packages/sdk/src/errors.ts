import type {
  GatewayError as GatewayBody,
  PartnerApiError as EnvelopeBody,
  SessionFailure,
} from './generated/types.js'

/** Everything that this client throws by itself, except what an `AbortSignal` of yours says. */
export class CasenoteError extends Error {
  override name = 'CasenoteError'
}

/** No answer came: the service cannot be reached, or the connection broke. Whether the call was done is not known. */
export class ConnectionError extends CasenoteError {
  override name = 'ConnectionError'
}

/** No answer came in time (`timeoutMs`), or no note (`waitForNote`). */
export class TimeoutError extends CasenoteError {
  override name = 'TimeoutError'
}

/** The session failed, so that its note will not come. `failure` says why, and whether `sessions.retry` can help. */
export class SessionFailedError extends CasenoteError {
  override name = 'SessionFailedError'

  constructor(
    readonly sessionId: string,
    readonly failure: SessionFailure | null,
  ) {
    super(failure?.message ?? 'The progress note could not be written')
  }
}

/** A magic edit or a regeneration has ended, and the note is the one from before: it failed. Ask for it again, or leave it. */
export class NoteUnchangedError extends CasenoteError {
  override name = 'NoteUnchangedError'

  constructor(readonly sessionId: string) {
    super(`the note of session ${sessionId} was not written again`)
  }
}

interface Answer {
  status: number
  headers: Headers
  body: unknown
}

/** The service answered with an error. Branch on `status`, or on `code` where it is set. */
export class ApiError extends CasenoteError {
  override name = 'ApiError'
  readonly status: number
  /** The service's stable name of what went wrong; null where the service sends none. */
  readonly code: string | null
  /** What it means and what to do about it; null where the service sends no link. */
  readonly docsUrl: string | null
  /** What it said: one sentence, or one for every field that was refused. */
  readonly messages: readonly string[]
  /** For the operator, who finds the call in the log by it. */
  readonly requestId: string | null
  /** How long to wait, where the service says so. */
  readonly retryAfterSeconds: number | null
  /** As it came, read as JSON where it is JSON. */
  readonly body: unknown

  constructor(answer: Answer, messages: readonly string[], { status = answer.status, url = '' } = {}) {
    super(`${status}: ${messages.join('; ')}`)
    const { headers } = answer
    this.status = status
    this.messages = messages
    this.code = headers.get('casenote-error-code')
    this.docsUrl = findHelp(headers.get('link'), url)
    this.requestId = headers.get('x-request-id')
    this.retryAfterSeconds = readSeconds(headers.get('retry-after'))
    this.body = answer.body
  }
}

/** The bare shape, `{ message }`: the route, the API key or a limit. */
export class GatewayError extends ApiError {
  override name = 'GatewayError'
  declare readonly body: GatewayBody
}

/** The envelope of the application: `{ error, path }`. */
export class PartnerApiError extends ApiError {
  override name = 'PartnerApiError'
  declare readonly body: EnvelopeBody
}

/**
 * A transcript, summary or MDM elements that do not exist (yet). The service says so with a 200 and an envelope that says
 * 404; `status` is 404, as it will be on the wire one day. `failure` is set where they will never come.
 */
export class NotReadyError extends PartnerApiError {
  override name = 'NotReadyError'

  get failure(): SessionFailure | null {
    return this.body.failure ?? null
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

/** Whether it is the envelope, whatever the status it came with. */
export const isEnvelope = (body: unknown): body is EnvelopeBody =>
  isObject(body) && isObject(body['error']) && typeof body['error']['statusCode'] === 'number'

/** The one place where an answer becomes an error. */
export function makeApiError(answer: Answer, url: string): ApiError {
  const { body, status } = answer
  if (isEnvelope(body)) return new PartnerApiError(answer, readMessages(body), { url })
  if (isObject(body) && typeof body['message'] === 'string') {
    return new GatewayError(answer, [body['message']], { url })
  }
  // Not the service: a proxy before it, most likely.
  return new ApiError(answer, [`HTTP status ${status} with a body that is no error of the service`], { url })
}

export const makeNotReadyError = (answer: Answer & { body: EnvelopeBody }, url: string): NotReadyError =>
  new NotReadyError(answer, readMessages(answer.body), { status: answer.body.error.statusCode, url })

/** A plain string, or an object with a list of them: the contract has both. Whatever else comes makes no other error of it. */
function readMessages({ error }: EnvelopeBody): string[] {
  const message: unknown = error.message
  const given: unknown = isObject(message) ? message['message'] : message
  const texts = (Array.isArray(given) ? given : [given]).filter((text) => typeof text === 'string')
  return texts.length > 0 ? texts : [`HTTP status ${error.statusCode}`]
}

function findHelp(link: string | null, url: string): string | null {
  for (const part of link?.split(',') ?? []) {
    const end = part.indexOf('>')
    if (part.slice(end).includes('rel="help"')) {
      return new URL(part.slice(part.indexOf('<') + 1, end), url).href
    }
  }
  return null
}

function readSeconds(text: string | null): number | null {
  const seconds = Number(text ?? Number.NaN)
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : null
}
