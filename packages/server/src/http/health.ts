import type { FastifyInstance } from 'fastify'
import { isWell, type Vital } from '../kernel/vital.js'

export interface Health {
  /** Words for what a process waits for or has lost; none: it is ready. */
  findFailing(): string[]
}

/** The health of what has opened so far. `isOpen`: all of it has. */
export function makeHealth(isOpen: () => boolean, vitals: () => readonly Vital[]): Health {
  return {
    findFailing: () => {
      const failing = vitals().filter((vital) => !isWell(vital))
      const names = new Set(failing.map(({ name }) => name))
      return isOpen() ? [...names] : ['start', ...names]
    },
  }
}

/** Whether the process is ready, the same on every port. Nothing is asked for it: what answers slowly cannot delay who wants to know. */
export function describeReadiness(health: Health): { code: 200 | 503; body: object } {
  const failing = health.findFailing()
  if (failing.length === 0) return { code: 200, body: { status: 'ready' } }
  return { code: 503, body: { status: 'not ready', failing } }
}

/** For load balancers and scripts: alive is "the process answers", ready is "send me requests". */
export function mountHealth(app: FastifyInstance, health: Health): void {
  app.get('/health/live', { config: { operation: 'health.live' } }, async () => ({ status: 'live' }))
  app.get('/health/ready', { config: { operation: 'health.ready' } }, async (_request, reply) => {
    const { code, body } = describeReadiness(health)
    return reply.code(code).send(body)
  })
}
