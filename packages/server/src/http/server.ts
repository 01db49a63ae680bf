import { randomUUID } from 'node:crypto'
import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Clock } from '../kernel/clock.js'
import type { Log } from '../kernel/log.js'
import { isTracing } from '../kernel/tracing/trace.js'
import { makeSerializer } from './answer-schema.js'
import { endConnections } from './end-connections.js'
import { makeErrorRenderer, renderUnknownRoute, type OnTurnedAway } from './errors.js'
import type { CallerTenant } from './gateway.js'
import { observeRequest } from './metrics.js'
import type { OnceKey } from './once-by-key.js'
import type { OpenCall } from './open-calls.js'
import { QueuedAnswers } from './queued-answers.js'
import { answerExpectations, answerRawError, answerWithoutHost, isWithoutHost } from './raw-errors.js'
import { installBodyReader } from './request-body.js'
import { traceRequests } from './trace-requests.js'
import { endSlowReaders, type ReadingLimits } from './slow-readers.js'
import type { Suspect } from './suspect.js'

declare module 'fastify' {
  interface FastifyRequest {
    tenant: CallerTenant | null
    /** The version of the key that signed a partner's token. */
    tokenKeyVersion: number | null
    loaded: unknown
    /** The key of a call that is done once; null for every other. */
    onceKey: OnceKey | null
    /** The open call of a widget whose access token was let in. */
    call: OpenCall | null
    /** The sealed address of a caller whose tenant is known. */
    from: string | null
    /** Whose credential it was that is not good, where a route without a signed-in caller knows it. */
    suspect: Suspect | null
  }
  interface FastifyContextConfig {
    operation?: string
    takesBody?: boolean
    takesStream?: boolean
  }
}

export interface HttpServerParts {
  clock: Clock
  log: Log
  /** Proxies whose `X-Forwarded-For` is believed; none by default. */
  trustedProxies?: readonly string[]
  onTurnedAway?: OnTurnedAway
  /** How a route that there is not is answered; as the Partner API does, unless said otherwise. */
  renderUnknown?: (request: FastifyRequest, reply: FastifyReply) => FastifyReply
  /** A listener that is told of every answer that is out; it must not throw. */
  onAnswered?: (request: FastifyRequest, reply: FastifyReply) => void
  /** How long a connection may stand still while it is answered. */
  stillMs?: number
  reading?: ReadingLimits
}

/** No answer takes this long, streams beat every 15 s, and who reads, however slowly, reads something meanwhile. How slowly, `slow-readers.ts` bounds. */
const usualStillMs = 60_000

/** The bare server: what every answer has in common. Surfaces mount their routes on it; nothing listens yet. */
export function makeHttpServer({
  clock,
  log,
  trustedProxies = [],
  onTurnedAway = () => {},
  onAnswered = () => {},
  renderUnknown = renderUnknownRoute,
  stillMs = usualStillMs,
  reading,
}: HttpServerParts): FastifyInstance {
  const app = fastify({
    logger: false,
    genReqId: () => randomUUID(),
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    // A HEAD is an unknown route (ruling 1), and an id of any length is step 5 and not step 1.
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: 20_000, ignoreTrailingSlash: false, caseSensitive: true },
    frameworkErrors: (_error, request, reply) => {
      void reply.header('x-request-id', request.id)
      renderUnknown(request, reply)
    },
    clientErrorHandler: answerRawError,
    // Node would answer it by itself, without our headers; the first hook does.
    http: { requireHostHeader: false },
    // The longest honest request is 1 MiB over a slow line.
    requestTimeout: 60_000,
    // Whoever reads nothing of an answer would keep it in our memory for ever.
    connectionTimeout: stillMs,
    // Closing waits for what is in hand, not for idle keep-alive connections.
    forceCloseConnections: 'idle',
    return503OnClosing: false,
  })
  answerExpectations(app.server)
  app.decorateRequest('tenant', null)
  app.decorateRequest('tokenKeyVersion', null)
  app.decorateRequest('loaded', null)
  app.decorateRequest('onceKey', null)
  app.decorateRequest('call', null)
  app.decorateRequest('from', null)
  app.decorateRequest('suspect', null)
  installBodyReader(app)
  app.setSerializerCompiler(makeSerializer)
  app.setErrorHandler(makeErrorRenderer(clock, log, onTurnedAway))
  app.setNotFoundHandler(renderUnknown)
  const queued = new QueuedAnswers()
  if (isTracing()) traceRequests(app)
  endSlowReaders(app, { log, ...(reading && { limits: reading }) })
  app.addHook('onRequest', async (request, reply) => {
    queued.add(request.raw, reply.raw)
    void reply.header('x-request-id', request.id)
    // Health data: no cache on the way may keep an answer.
    void reply.header('cache-control', 'no-store')
    void reply.header('x-content-type-options', 'nosniff')
    if (isWithoutHost(request.raw)) await answerWithoutHost(reply)
  })
  app.addHook('preClose', async () => {
    if (app.server.listening) endConnections(app.server)
  })
  app.addHook('onResponse', async (request, reply) => {
    const operation = request.routeOptions.config.operation ?? 'unknown'
    observeRequest(operation, reply.statusCode, reply.elapsedTime)
    onAnswered(request, reply)
    if (log.isLevelEnabled('debug')) {
      const { tenant, id } = request
      log.debug(
        { operation, requestId: id, tenantId: tenant?.tenantId, status: reply.statusCode },
        'answered',
      )
    }
  })
  return app
}
