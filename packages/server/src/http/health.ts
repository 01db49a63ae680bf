import type { FastifyInstance } from 'fastify'

/** For load balancers and scripts: alive is "the process answers", ready is "send me requests". */
export function mountHealth(app: FastifyInstance, isReady: () => Promise<boolean>): void {
  app.get('/health/live', { config: { operation: 'health.live' } }, async () => ({ status: 'live' }))
  app.get('/health/ready', { config: { operation: 'health.ready' } }, async (_request, reply) => {
    const ready = await isReady()
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ready' : 'not ready' })
  })
}
