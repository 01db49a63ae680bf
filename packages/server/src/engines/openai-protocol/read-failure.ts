import { EngineFault, ServerOutage } from '../engine-fault.js'
import { readRetryAfter, type AnswerHeaders } from './read-retry-after.js'

/**
 * Codes and types of errors that may be shown. Whatever else a server writes into an error may quote the transcript or
 * the key: OpenAI's 401 repeats a part of the key, and validation errors of vLLM repeat the request.
 */
const knownCodes = new Set([
  'authentication_error',
  'content_filter',
  'context_length_exceeded',
  'exceed_context_size_error',
  'insufficient_quota',
  'invalid_api_key',
  'invalid_request_error',
  'model_not_found',
  'not_found_error',
  'not_supported_error',
  'rate_limit_exceeded',
  'server_error',
  'unavailable_error',
  'unsupported_parameter',
  'unsupported_value',
])

/** What a request was refused for, if the server says so in a way we know. */
export class RejectedRequest extends EngineFault {
  constructor(
    message: string,
    readonly status: number,
    readonly code: string | null,
    readonly param: string | null,
  ) {
    super('refused', message)
  }
}

export interface Failure {
  fault: EngineFault
  isWorthRetrying: boolean
}

/** An answer other than 2xx. `body` is what of it could be read as JSON, else null. */
export function readFailure(
  server: string,
  status: number,
  headers: AnswerHeaders,
  body: unknown,
  nowMs: number,
): Failure {
  const { code, param } = readError(body)
  const said = `the ${server} answered ${status}${code === null ? '' : ` (${code})`}`
  const retryAfterMs = readRetryAfter(headers, nowMs)
  // OpenAI marks with it what its own clients shall do.
  const isForbidden = headers['x-should-retry'] === 'false'
  if (status === 429) {
    // A quota that is used up does not come back in minutes.
    if (code === 'insufficient_quota') return final(new RejectedRequest(said, status, code, param))
    return { fault: new ServerOutage('rate_limited', said, retryAfterMs), isWorthRetrying: !isForbidden }
  }
  if (status === 408 || status === 504) {
    return { fault: new ServerOutage('timeout', said, retryAfterMs), isWorthRetrying: !isForbidden }
  }
  if (status === 409 || status === 425 || (status >= 500 && status !== 501)) {
    return { fault: new ServerOutage('unavailable', said, retryAfterMs), isWorthRetrying: !isForbidden }
  }
  return final(new RejectedRequest(said, status, code, param))
}

const final = (fault: EngineFault): Failure => ({ fault, isWorthRetrying: false })

/** `{ error: { code, type, param } }`; some servers put the fields at the top, or a number for the code. */
export function readError(body: unknown): { code: string | null; param: string | null } {
  const error = toRecord(toRecord(body).error ?? body)
  const code = [error.code, error.type].find((one) => typeof one === 'string' && knownCodes.has(one))
  const param = typeof error.param === 'string' && /^[a-z_.]{1,60}$/.test(error.param) ? error.param : null
  return { code: (code as string | undefined) ?? null, param }
}

const toRecord = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
