import type { FastifyInstance, FastifyRequest } from 'fastify'
import { startTrace } from '../kernel/tracing/trace.js'

/** What is asked every few seconds by whoever watches the service. */
const isWatching = (operation: string): boolean => operation.startsWith('health.')

/**
 * A trace for each request, by its operation: neither its path nor its headers are told. A `traceparent` that comes along is not taken:
 * whoever calls must not choose what is kept here.
 */
export function traceRequests(app: FastifyInstance): void {
  const traces = new WeakMap<FastifyRequest, ReturnType<typeof startTrace>>()
  const within = (request: FastifyRequest, act: () => void): void => {
    const trace = traces.get(request)
    if (trace === undefined) act()
    else trace.within(act)
  }
  app.addHook('onRequest', (request, _reply, done) => {
    const operation = request.routeOptions.config.operation ?? 'unknown'
    if (isWatching(operation)) {
      done()
      return
    }
    const facts = { operation, requestId: request.id, method: request.method }
    traces.set(request, startTrace({ name: operation, kind: 'server', facts }))
    within(request, done)
  })
  // A body comes by events of the socket, which know nothing of the request that it belongs to.
  app.addHook('preValidation', (request, _reply, done) => within(request, done))
  app.addHook('onResponse', async (request, reply) => {
    const trace = traces.get(request)
    const { statusCode } = reply
    trace?.add({ status: statusCode, tenantId: request.tenant?.tenantId })
    trace?.end(statusCode >= 500 ? new ServerError() : undefined)
  })
}

class ServerError extends Error {
  override name = 'ServerError'
}
