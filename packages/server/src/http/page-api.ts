import { readBody } from '@casenote/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Static, TObject, TSchema } from 'typebox'
import type { Clock } from '../kernel/clock.js'
import { refuse, Refusal } from '../kernel/refuse.js'
import { AddressLimits } from './address-limits.js'

/** A route of the surface that the clients' pages talk to. */
export interface PageRoute<Body extends TObject> {
  operation: string
  method: 'GET' | 'POST'
  /** Below `/pages/v1`. */
  path: string
  body?: Body
  answer: TSchema
  handle: (context: PageContext<Static<Body>>) => Promise<unknown>
}

export interface PageContext<Body> {
  body: Body
  /** From `Authorization: Bearer …`, unverified. Not a cookie: no other site can make a browser send it. */
  bearer: string | null
  /** The languages that the browser asks for, best first. */
  languages: string[]
  requestId: string
}

/** Who is not let in is counted against their address, whichever route they try. */
const countedStatuses = new Set([401, 403])

export class PageApi {
  readonly #app: FastifyInstance
  readonly #limits: AddressLimits

  constructor(app: FastifyInstance, clock: Clock) {
    this.#app = app
    this.#limits = new AddressLimits(clock)
  }

  route<Body extends TObject = TObject<{}>>(route: PageRoute<Body>): void {
    const { operation, method, path, body: bodySchema, answer } = route
    this.#app.route({
      method,
      url: `/pages/v1${path}`,
      config: { operation, takesBody: bodySchema !== undefined },
      schema: { response: { 200: answer } },
      handler: (request, reply) =>
        this.#limit(request, reply, async () => {
          const reading = bodySchema === undefined ? null : readBody(bodySchema, request.body ?? {})
          if (reading !== null && reading.problems !== null) throw refuse.invalid(reading.problems)
          return route.handle({
            body: (reading?.value ?? {}) as Static<Body>,
            bearer: readBearer(request),
            languages: readLanguages(request),
            requestId: request.id,
          })
        }),
    })
  }

  /** Taken before the answer is known: of a thousand tries at once none must slip through. */
  async #limit(request: FastifyRequest, reply: FastifyReply, work: () => Promise<unknown>): Promise<unknown> {
    const waitSeconds = this.#limits.take(request.ip)
    if (waitSeconds !== null) {
      void reply.header('retry-after', String(waitSeconds))
      throw new Refusal(429, 'TooManyRequestsException', 'Too many tries from this address')
    }
    try {
      const result = await work()
      this.#limits.giveBack(request.ip)
      return result
    } catch (error) {
      const isCounted = error instanceof Refusal && countedStatuses.has(error.statusCode)
      if (!isCounted) this.#limits.giveBack(request.ip)
      throw error
    }
  }
}

function readBearer(request: FastifyRequest): string | null {
  return /^Bearer ([\w.-]+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? null
}

/** RFC 9110, without the weights: browsers send the best first. */
function readLanguages(request: FastifyRequest): string[] {
  return (request.headers['accept-language'] ?? '')
    .split(',', 10)
    .flatMap((part) => /^\s*([a-z]{2,3}(?:-[A-Za-z]{2,4})?)\s*(?:;|$)/.exec(part)?.[1] ?? [])
}
