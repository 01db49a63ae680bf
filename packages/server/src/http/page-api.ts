import { pickLanguage, type TextLanguage } from '@casenote/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Static, TObject, TSchema } from 'typebox'
import type { Clock } from '../kernel/clock.js'
import { refuse } from '../kernel/refuse.js'
import { AddressLimits } from './address-limits.js'
import { readBearer } from './read-bearer.js'
import { readLanguages } from './read-languages.js'
import { answerSchemaOf, guardGuess, requireInput, urlOf } from './route-machine.js'
import type { Suspect } from './server.js'

/** A route of the surface that the clients' pages talk to. */
export interface PageRoute<Body extends TObject> {
  operation: string
  method: 'GET' | 'POST'
  /** Below `/pages/v1`. */
  path: string
  body?: Body
  answer: TSchema
  /** For what can be guessed (`guardGuess`). */
  refusal?: string
  handle: (context: PageContext<Static<Body>>) => Promise<unknown>
}

export interface PageContext<Body> {
  body: Body
  /** From `Authorization: Bearer …`, unverified. Not a cookie: no other site can make a browser send it. */
  bearer: string | null
  /** The language that the person picked on the page. */
  picked: TextLanguage | null
  /** The languages that the browser asks for, best first. */
  languages: string[]
  requestId: string
  /** Of the network. */
  address: string
  /** Whose link it is, if it is refused. */
  suspect: (suspect: Suspect) => void
}

export class PageApi {
  /** For the tests that must cover every one. */
  readonly routes: { operation: string; method: 'GET' | 'POST'; path: string; body: TObject | null }[] = []
  readonly #app: FastifyInstance
  readonly #limits: AddressLimits

  constructor(app: FastifyInstance, clock: Clock) {
    this.#app = app
    this.#limits = new AddressLimits(clock)
  }

  route<Body extends TObject = TObject<{}>>(route: PageRoute<Body>): void {
    const { operation, method, path, body: bodySchema, answer } = route
    this.routes.push({ operation, method, path, body: bodySchema ?? null })
    this.#app.route({
      method,
      url: urlOf('/pages/v1', path),
      config: { operation, takesBody: bodySchema !== undefined },
      ...answerSchemaOf({ status: 200, schema: answer }),
      handler: async (request) => {
        const context = {
          body: requireInput(bodySchema === undefined ? {} : { body: bodySchema }, request)
            .body as Static<Body>,
          bearer: readBearer(request),
          picked: readPicked(request),
          languages: readLanguages(request.headers['accept-language']),
          requestId: request.id,
          address: request.ip,
          suspect: (suspect: Suspect) => (request.suspect = suspect),
        }
        const { refusal } = route
        if (refusal === undefined) return route.handle(context)
        const refused = () => refuse.forbidden('link_rejected', refusal)
        return guardGuess(this.#limits, request, refused, () => route.handle(context))
      },
    })
  }
}

const readPicked = ({ headers }: FastifyRequest): TextLanguage | null => {
  const given = headers['casenote-language']
  return typeof given === 'string' ? pickLanguage([given]) : null
}
