import { readBody } from '@casenote/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Static, TObject, TSchema } from 'typebox'
import { refuse } from '../kernel/refuse.js'

/** A route of the surface that our own widget talks to. Who may call it, the feature decides by the access token. */
export interface WidgetRoute<Body extends TObject> {
  operation: string
  method: 'GET' | 'POST'
  /** Below `/widget/v1`. */
  path: string
  body?: Body
  answer: { status: 200 | 204; schema: TSchema | null }
  handle: (context: WidgetContext<Static<Body>>) => Promise<unknown>
}

interface WidgetContext<Body> {
  body: Body
  /** From `Authorization: Bearer …`, unverified. */
  accessToken: string | null
  requestId: string
}

export class WidgetApi {
  readonly #app: FastifyInstance

  constructor(app: FastifyInstance) {
    this.#app = app
  }

  route<Body extends TObject = TObject<{}>>(route: WidgetRoute<Body>): void {
    const { operation, method, path, body: bodySchema, answer } = route
    this.#app.route({
      method,
      url: `/widget/v1${path}`,
      config: { operation, takesBody: bodySchema !== undefined },
      ...(answer.schema === null ? {} : { schema: { response: { [answer.status]: answer.schema } } }),
      handler: async (request, reply) => {
        const reading = bodySchema === undefined ? null : readBody(bodySchema, request.body ?? {})
        if (reading !== null && reading.problems !== null) throw refuse.invalid(reading.problems)
        const body = (reading?.value ?? {}) as Static<Body>
        const result = await route.handle({ body, accessToken: readBearer(request), requestId: request.id })
        void reply.code(answer.status)
        return result ?? null
      },
    })
  }
}

function readBearer(request: FastifyRequest): string | null {
  return /^Bearer ([\w.-]+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? null
}
