import { errorHeadersOf } from '@casenote/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { digestKey, fingerprintOf, isFitKey, type AnswerOfClient } from '../kernel/idempotency/index.js'
import { Refusal } from '../kernel/refuse.js'
import { envelope } from './errors.js'
import {
  actorOf,
  admissionOf,
  checkAgain,
  checkCaller,
  checkTarget,
  tenantOf,
  type CallerTenant,
  type CheckedRoute,
} from './gateway.js'
import type { AnyPartnerRoute, PartnerApiParts } from './partner-route.js'
import { paramsOf, untag } from './route-machine.js'
import { Tagged } from './tagged.js'

/** What the `Idempotency-Key` of a call came to. */
export interface OnceKey {
  /** Null: it is no key. */
  digest: string | null
  /** Why what is in the path would be refused now, though the call was answered before: its own first run may be why. */
  refusal: Refusal | null
}

/** Every POST but the two `authenticate` and erasures. */
export const isOnceByKey = ({ method, onceByKey }: AnyPartnerRoute): boolean =>
  method === 'POST' && onceByKey !== false

/** The order of checks, for a call that is given its first answer again whatever has become of what is in its path. */
export async function checkWithKey(
  parts: PartnerApiParts,
  route: CheckedRoute & { operation: string },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  await checkCaller(parts, route, request, reply)
  const tenant = tenantOf(request)
  const key = request.headers['idempotency-key']
  if (!tenant.idempotency || typeof key !== 'string') return checkTarget(route, request)
  const scope = { tenantId: tenant.tenantId, operation: route.operation, params: paramsOf(request) }
  const digest = isFitKey(key) ? digestKey(scope, key) : null
  request.onceKey = { digest, refusal: null }
  try {
    await checkTarget(route, request)
  } catch (error) {
    if (digest === null || !(error instanceof Refusal) || !(await parts.keptAnswers.has(tenant, digest)))
      throw error
    request.onceKey.refusal = error
  }
}

interface CallSteps {
  prepareCall: () => Promise<unknown>
  readCall: (tenant: CallerTenant) => (prepared: unknown) => Promise<unknown>
}

/** Steps 7 and 8 of a call with a key, once: the first answer is given again, to the letter. */
export async function answerOnce(
  parts: PartnerApiParts,
  { route, digest }: { route: AnyPartnerRoute; digest: string },
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  { prepareCall, readCall }: CallSteps,
): Promise<FastifyReply> {
  const tenant = tenantOf(request)
  const admitted: CallerTenant = { ...tenant, admission: admissionOf(parts, tenant, request) }
  const call = { digest, fingerprint: fingerprintOf(request.body ?? {}) }
  let prepared: unknown
  const { answer, clientId, isReplayed } = await parts.keptAnswers.answerOnce(
    admitted,
    call,
    async (scope) => {
      const run = readCall(scope)
      try {
        return toAnswer(route, request, reply, await run(prepared))
      } catch (error) {
        if (!isLasting(error)) throw error
        return refusedAnswer(parts, request, error)
      }
    },
    async () => {
      if (request.onceKey?.refusal != null) throw request.onceKey.refusal
      prepared = await prepareCall()
    },
  )
  if (isReplayed) {
    await checkAgain(parts, { needsToken: true }, request)
    const subjects = new Set([...Object.values(paramsOf(request)), ...(clientId === null ? [] : [clientId])])
    await parts.recordRead(tenant, {
      operation: 'answer.replay',
      actor: actorOf(parts, request),
      requestId: request.id,
      subjects: subjects.size === 0 ? [tenant.tenantId] : [...subjects],
    })
    void reply.header('idempotency-replayed', 'true')
  }
  if (answer.code !== undefined) void reply.headers(errorHeadersOf(answer.code))
  if (answer.etag !== null) void reply.header('etag', answer.etag)
  return reply.code(answer.status).header('content-type', 'application/json; charset=utf-8').send(answer.body)
}

/**
 * A rule's answer, which stands as what was done does. Whoever is not let in, finds us busy or comes while something else is under way
 * has had no answer yet.
 */
const isLasting = (error: unknown): error is Refusal =>
  error instanceof Refusal &&
  (error.statusCode === 400 || error.statusCode === 409) &&
  error.retryAfterSeconds === null &&
  !error.isPassing

function toAnswer(
  route: AnyPartnerRoute,
  request: FastifyRequest,
  reply: FastifyReply,
  handled: unknown,
): AnswerOfClient {
  const result = untag(handled)
  const etag = handled instanceof Tagged ? handled.etag : null
  const { status } = route.answer
  // As the route's schema writes it, so that the same bytes can be sent again.
  const body = reply.code(status).serialize(result) as string
  const clientId = route.clientOf?.(result) ?? clientOfCall(request) ?? clientIdIn(result)
  return { answer: { status, etag, body }, clientId }
}

const refusedAnswer = (
  { clock }: PartnerApiParts,
  request: FastifyRequest,
  refusal: Refusal,
): AnswerOfClient => ({
  answer: {
    status: refusal.statusCode,
    etag: null,
    code: refusal.code,
    body: JSON.stringify(envelope(refusal, request.url, clock.nowMs())),
  },
  clientId: clientOfCall(request),
})

const clientOfCall = ({ loaded }: FastifyRequest): string | null => clientIdIn(loaded)

function clientIdIn(found: unknown): string | null {
  if (typeof found !== 'object' || found === null || !('clientId' in found)) return null
  return typeof found.clientId === 'string' ? found.clientId : null
}
