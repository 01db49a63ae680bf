import {
  ERROR_CODES,
  errorHeadersOf,
  GATEWAY_MESSAGES,
  type ErrorCode,
  type PartnerApiError,
} from '@casenote/contract'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../kernel/clock.js'
import { BlobStoreFault, QuotaExceeded } from '../kernel/blobs/index.js'
import { isDatabaseUnavailable } from '../kernel/db/db-errors.js'
import type { Log } from '../kernel/log.js'
import { NotReady, refuse, Refusal } from '../kernel/refuse.js'
import { observeQuotaRefusal } from './metrics.js'

/** Answered bare, `{ message }`, before the application is reached (contract part 7). */
export class GatewayRefusal extends Error {
  readonly statusCode: number
  readonly code: ErrorCode

  constructor(
    readonly reason: keyof typeof GATEWAY_MESSAGES,
    readonly retryAfterSeconds: number | null = null,
  ) {
    super(GATEWAY_MESSAGES[reason])
    this.name = 'GatewayRefusal'
    this.code = GATEWAY_CODES[reason]
    this.statusCode = ERROR_CODES[GATEWAY_CODES[reason]].status
  }
}

/** A key that was never issued, one that was replaced and one of a suspended partner have one code, as they have one text. */
const GATEWAY_CODES = {
  unknownRoute: 'unknown_route',
  badKey: 'invalid_api_key',
  rateExceeded: 'rate_limited',
  quotaExceeded: 'daily_quota_reached',
} as const satisfies Record<keyof typeof GATEWAY_MESSAGES, ErrorCode>

/** A fault that a sandbox was asked for: answered as any, and nobody's to look into. */
export class ProvokedFault extends Error {}

/** A listener that is told of every answer that says "not you" or "not yours"; the answer does not wait for it. */
export type OnTurnedAway = (request: FastifyRequest, status: number) => void

/** The one place that turns what was thrown into an answer. */
export function makeErrorRenderer(clock: Clock, log: Log, onTurnedAway: OnTurnedAway) {
  return function renderError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    if (isTurnedAway(error)) onTurnedAway(request, error.statusCode)
    if (error instanceof GatewayRefusal) {
      if (error.retryAfterSeconds !== null) void reply.header('retry-after', String(error.retryAfterSeconds))
      return reply.code(error.statusCode).headers(errorHeadersOf(error.code)).send({ message: error.message })
    }
    if (error instanceof QuotaExceeded) observeQuotaRefusal(error.quota)
    const refusal = error instanceof Refusal ? error : toRefusal(error as FastifyError)
    const names = { err: error, requestId: request.id, operation: request.routeOptions.config.operation }
    if (error instanceof ProvokedFault) log.info({ ...names, err: undefined }, 'a sandbox asked for a fault')
    else if (refusal === null) log.error(names, 'fault')
    else if (isOutage(error)) log.warn(names, 'unavailable')
    const statusCode = refusal?.statusCode ?? 500
    if (refusal?.retryAfterSeconds != null)
      void reply.header('retry-after', String(refusal.retryAfterSeconds))
    void reply.headers(errorHeadersOf(refusal?.code ?? 'internal_error'))
    const body = envelope(refusal, request.url, clock.nowMs())
    if (!(refusal instanceof NotReady)) return reply.code(statusCode).send(body)
    // The route's schema of a 200 describes the artifact, which this is not.
    return reply
      .code(request.tenant?.notReadyStatus ?? statusCode)
      .serializer(JSON.stringify)
      .header('content-type', 'application/json; charset=utf-8')
      .send(refusal.failure === null ? body : { ...body, failure: refusal.failure })
  }
}

/** For the console, whose errors are a sentence: `{ message }`, with what else the caller can act on. */
export function makeBareRenderer(log: Log, onTurnedAway: OnTurnedAway) {
  return function renderBare(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const refusal = error instanceof Refusal ? error : toRefusal(error as FastifyError)
    // Only of somebody: who is nobody's is counted where they tried.
    if (isTurnedAway(error) && request.suspect !== null) onTurnedAway(request, error.statusCode)
    const names = { err: error, requestId: request.id, operation: request.routeOptions.config.operation }
    if (refusal === null) log.error(names, 'fault')
    else if (isOutage(error)) log.warn(names, 'unavailable')
    if (refusal?.retryAfterSeconds != null)
      void reply.header('retry-after', String(refusal.retryAfterSeconds))
    const message = refusal?.fields?.join('; ') ?? wordMessage(refusal)
    const headers = errorHeadersOf(refusal?.code ?? 'internal_error')
    return reply
      .code(refusal?.statusCode ?? 500)
      .headers(headers)
      .send({ message })
  }
}

export type TurnedAway = GatewayRefusal | Refusal

/** Not a route that does not exist, not too many requests, and not an artifact that is not ready. */
export function isTurnedAway(error: unknown): error is TurnedAway {
  if (error instanceof GatewayRefusal) return error.reason === 'badKey'
  if (!(error instanceof Refusal) || error instanceof NotReady) return false
  return turnedAwayStatuses.has(error.statusCode) || turnedAwayCodes.has(error.code)
}

const turnedAwayStatuses: ReadonlySet<number> = new Set([401, 403, 404])

/** Answered 409: somebody has a session and does not show that it is theirs; a clinician who was cut off is let in nowhere. */
const turnedAwayCodes: ReadonlySet<ErrorCode> = new Set(['console_confirm_first', 'clinician_inactive'])

export function renderUnknownRoute(_request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const headers = errorHeadersOf(GATEWAY_CODES.unknownRoute)
  return reply.code(403).headers(headers).send({ message: GATEWAY_MESSAGES.unknownRoute })
}

/** What the service stands on is away, full or overloaded: the same request may succeed later. */
const isOutage = (error: unknown): boolean => error instanceof BlobStoreFault || isDatabaseUnavailable(error)

/** An outage, or what fastify itself refuses while it reads a body. Null: a fault of ours. */
function toRefusal(error: FastifyError): Refusal | null {
  if (isOutage(error)) return refuse.busy('service_unavailable', 'Service unavailable')
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return refuse.tooLarge('body_too_large', 'Request body is too large')
  if (error.code?.startsWith('FST_ERR_CTP_'))
    return refuse.rule('body_not_read', 'Request body could not be read')
  return null
}

/** A null refusal is a fault, of which nothing is told. */
export function envelope(refusal: Refusal | null, url: string, nowMs: number): PartnerApiError {
  return {
    error: {
      type: refusal?.type ?? 'InternalServerErrorException',
      message: wordMessage(refusal),
      statusCode: refusal?.statusCode ?? 500,
      timestamp: new Date(nowMs).toISOString(),
      details: [],
    },
    path: innerPath(url),
  }
}

function wordMessage(refusal: Refusal | null): PartnerApiError['error']['message'] {
  if (refusal === null) return 'Internal server error'
  if (refusal.fields === null) return refusal.message
  return { message: [...refusal.fields], error: 'Bad Request', statusCode: 400 }
}

/** Without `/v2` and without the query, which may hold names and dates of birth. */
function innerPath(url: string): string {
  const path = url.split('?', 1)[0] ?? ''
  return path.startsWith('/v2/') ? path.slice(3) : path
}
