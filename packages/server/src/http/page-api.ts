import { pickLanguage, type TextLanguage } from '@casenote/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Static, TObject, TSchema } from 'typebox'
import type { Clock } from '../kernel/clock.js'
import { refuse } from '../kernel/refuse.js'
import { AddressLimits } from './address-limits.js'
import { readLanguages } from './read-languages.js'
import {
  bearerCallOf,
  frameOf,
  guardGuess,
  requireInput,
  type BearerCall,
  type Handled,
} from './route-machine.js'

/** A route of the surface that the clients' pages talk to. */
export interface PageRoute<Body extends TObject, Schema extends TSchema> {
  operation: string
  method: 'GET' | 'POST'
  /** Below `/pages/v1`. */
  path: string
  body?: Body
  answer: Schema
  /** For what can be guessed (`guardGuess`). */
  refusal?: string
  /** Null: it was guessed wrong. */
  handle: (context: PageContext<Static<Body>>) => Promise<Handled<Schema> | null>
}

export interface PageContext<Body> extends BearerCall {
  body: Body
  /** The language that the person picked on the page. */
  picked: TextLanguage | null
  /** The languages that the browser asks for, best first. */
  languages: string[]
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

  route<Body extends TObject = TObject<{}>, Schema extends TSchema = TSchema>(
    route: PageRoute<Body, Schema>,
  ): void {
    const { operation, method, path, body: bodySchema, answer, refusal } = route
    this.routes.push({ operation, method, path, body: bodySchema ?? null })
    const refused = refusal === undefined ? null : () => refuse.forbidden('link_rejected', refusal)
    this.#app.route({
      ...frameOf('/pages/v1', route, { status: 200, schema: answer }),
      handler: async (request) => {
        const context = {
          body: requireInput(bodySchema === undefined ? {} : { body: bodySchema }, request)
            .body as Static<Body>,
          ...bearerCallOf(request),
          picked: readPicked(request),
          languages: readLanguages(request.headers['accept-language']),
        }
        return guardGuess(this.#limits, request, refused, () => route.handle(context))
      },
    })
  }
}

const readPicked = ({ headers }: FastifyRequest): TextLanguage | null => {
  const given = headers['casenote-language']
  return typeof given === 'string' ? pickLanguage([given]) : null
}
