import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Static, TObject, TSchema } from 'typebox'
import type { Clock } from '../kernel/clock.js'
import type { TenantId } from '../kernel/ids.js'
import type { Log } from '../kernel/log.js'
import { refuse } from '../kernel/refuse.js'
import type { TenantScope } from '../kernel/tenant.js'
import { AddressLimits } from './address-limits.js'
import { makeBareRenderer, type OnTurnedAway } from './errors.js'
import {
  frameOf,
  guardGuess,
  paramsOf,
  requireInput,
  type AnswerSchema,
  type PathParams,
} from './route-machine.js'
import type { Suspect } from './suspect.js'

/**
 * Who may call a route. `anyone`: to get in. `enrolling`: with what a link gave, and with nothing else. `user`: whoever is signed in, a
 * partner's people for their own tenant alone. `operator`: on the admin port alone; elsewhere there is no such route.
 */
export type ConsoleWho = 'anyone' | 'enrolling' | 'user' | 'operator'

/** Who has got in: nobody, where anyone may call. */
type SessionOf<Session, Who extends ConsoleWho> = Who extends 'anyone' ? null : Session

/** The tenant that the path names, once it is known to be theirs. */
type TenantOf<Path extends string, Who extends ConsoleWho> = Who extends 'anyone'
  ? null
  : 'tenantId' extends keyof PathParams<Path>
    ? TenantScope
    : null

export interface ConsoleRoute<
  Session,
  Query extends TObject,
  Body extends TObject,
  Path extends string,
  Who extends ConsoleWho,
  Schema extends AnswerSchema,
> {
  operation: string
  method: 'GET' | 'POST'
  /** Below `/console/api`; `{tenantId}` is checked before anything else of it is looked at. */
  path: Path
  who: Who
  /** Only for whoever showed within five minutes that it is them; the act itself uses that up (`takeConfirmation`). */
  needsFresh?: true
  query?: Query
  body?: Body
  /** The schema of the answer in the contract, which the page reads, too. Null: nothing is answered. */
  answer: Schema
  /** For what can be guessed (`guardGuess`). */
  refusal?: string
  /** Null: it was guessed wrong. */
  handle: (
    context: ConsoleContext<Session, Static<Query>, Static<Body>, Path, Who>,
  ) => Promise<ConsoleHandled<Schema> | null>
}

/** What a handler gives; the tag of a read is made of it. */
type ConsoleHandled<Schema extends AnswerSchema> = Schema extends TSchema ? Static<Schema> : void

export interface ConsoleContext<Session, Query, Body, Path extends string, Who extends ConsoleWho> {
  session: SessionOf<Session, Who>
  tenant: TenantOf<Path, Who>
  params: Readonly<PathParams<Path>>
  query: Query
  body: Body
  /** The body as it was sent, with what the schema does not name. */
  rawBody: unknown
  requestId: string
  address: string
  host: AskedHost
  /** Whose link it was, if it is refused. */
  suspect: (suspect: Suspect) => void
  /** The cookie of whoever has got in; null: it ends. */
  setToken: (token: string | null) => void
}

/** The host at which the page was asked for: a passkey is good for this origin and no other. */
export interface AskedHost {
  /** `https://ehr.example` */
  origin: string
  /** `ehr.example` */
  hostname: string
}

export interface ConsoleApiParts<Session> {
  kind: 'operator' | 'partner'
  clock: Clock
  log: Log
  /** Whether anybody may use it. Until then there is no such route. */
  isOpen(): Promise<boolean>
  /** `isByItself`: the page asks again, and nobody may be there. */
  findSession(token: string, use: { isByItself: boolean }): Promise<Session | null>
  isEnrolment(session: Session): boolean
  isFresh(session: Session): boolean
  /** Null: there is none, or it is not theirs. */
  findTenant(session: Session, tenantId: TenantId): Promise<TenantScope | null>
  /** In whose log it stands that somebody asked for what is not theirs. */
  suspectOf(session: Session): Suspect | null
  onTurnedAway: OnTurnedAway
  /** Counts who was refused and stands in nobody's log. */
  countNobody: (address: string) => void
  renderUnknown: (request: FastifyRequest, reply: FastifyReply) => FastifyReply
  /** The origin at which the public port is reached, as it was told; what a proxy says of itself may differ. Null: it is not that port. */
  publicOrigin: string | null
}

/** Cookies know no ports: on one host, signing in to one console must not end the other's session. */
const cookieNames = { operator: 'casenote_operator', partner: 'casenote_console' } as const

/** Twelve hours, as the session has at the most. */
const cookieSeconds = 43_200

// oxlint-disable-next-line typescript/no-explicit-any -- the list mixes routes of every shape
type AnyConsoleRoute = ConsoleRoute<any, TObject, TObject, any, any, AnswerSchema>

/**
 * The console's own API: same origin, a cookie that scripts cannot read, and a header that no other site can send. The order of
 * checks: open, origin, who, tenant, input, rules.
 */
export class ConsoleApi<Session> {
  /** The one table of rights; the test walks it. */
  readonly routes: AnyConsoleRoute[] = []
  readonly #parts: ConsoleApiParts<Session>
  readonly #limits: AddressLimits

  constructor(parts: ConsoleApiParts<Session>) {
    this.#parts = parts
    this.#limits = new AddressLimits(parts.clock)
  }

  route<
    Query extends TObject = TObject<{}>,
    Body extends TObject = TObject<{}>,
    const Path extends string = string,
    const Who extends ConsoleWho = ConsoleWho,
    Schema extends AnswerSchema = AnswerSchema,
  >(route: ConsoleRoute<Session, Query, Body, Path, Who, Schema>): void {
    this.routes.push(route)
  }

  mount(app: FastifyInstance): void {
    const { kind, log, onTurnedAway } = this.#parts
    void app.register(async (scope) => {
      scope.setErrorHandler(makeBareRenderer(log, onTurnedAway))
      for (const route of this.routes) {
        if (route.who === 'operator' && kind !== 'operator') continue
        scope.route({
          ...frameOf('/console/api', route, null),
          handler: (request, reply) => this.#answer(route, request, reply),
        })
      }
    })
  }

  async #answer(route: AnyConsoleRoute, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    if (!(await this.#parts.isOpen())) return this.#parts.renderUnknown(request, reply)
    if (route.method !== 'GET') this.#requireOwnPage(request)
    const session = await this.#requireSession(route, request)
    const tenant = await this.#requireTenant(request, session)
    if (route.needsFresh === true && (session === null || !this.#parts.isFresh(session)))
      throw refuse.conflict('console_confirm_first', 'Show once more that it is you')
    const context: ConsoleContext<
      Session,
      Record<string, unknown>,
      Record<string, unknown>,
      string,
      ConsoleWho
    > = {
      session,
      tenant,
      params: paramsOf(request),
      ...requireInput(route, request),
      rawBody: request.body,
      requestId: request.id,
      address: request.ip,
      host: hostOf(request, this.#parts.publicOrigin),
      suspect: (suspect) => {
        request.suspect = suspect
      },
      setToken: (token) => setCookie(request, reply, token, this.#parts),
    }
    const { refusal } = route
    const refused =
      refusal === undefined ? null : () => refuse.unauthorized('console_sign_in_refused', refusal)
    const result = await guardGuess(this.#limits, request, refused, () => route.handle(context))
    if (route.answer === null) return reply.code(204).send()
    return route.method === 'GET' ? sendTagged(request, reply, result) : result
  }

  async #requireSession(route: AnyConsoleRoute, request: FastifyRequest): Promise<Session | null> {
    if (route.who === 'anyone') return null
    const token = readCookie(request, cookieNames[this.#parts.kind])
    const isByItself = request.headers['x-casenote-by-itself'] === '1'
    // 256 bits are not guessed: whoever is signed in need not stand in line behind others of their address.
    const found = token === null ? null : await this.#parts.findSession(token, { isByItself })
    const isRight = found !== null && this.#parts.isEnrolment(found) === (route.who === 'enrolling')
    if (found !== null) request.suspect = this.#parts.suspectOf(found)
    if (isRight) return found
    // The page asks without a cookie at every visit before anybody has signed in.
    if (token !== null && request.suspect === null) this.#parts.countNobody(request.ip)
    throw refuse.unauthorized('console_sign_in_first', 'Sign in first')
  }

  #requireOwnPage(request: FastifyRequest): void {
    const { publicOrigin, countNobody } = this.#parts
    if (isOwnPage(request, publicOrigin)) return
    countNobody(request.ip)
    throw refuse.forbidden('console_page_only', 'This is for the console’s own page')
  }

  async #requireTenant(request: FastifyRequest, session: Session | null): Promise<TenantScope | null> {
    const { tenantId } = paramsOf(request)
    if (tenantId === undefined || session === null) return null
    const tenant = await this.#parts.findTenant(session, tenantId)
    if (tenant === null) throw refuse.notFound()
    return tenant
  }
}

/** A screen asks every few seconds for what has seldom changed: then a line is sent, and not the whole. */
function sendTagged(request: FastifyRequest, reply: FastifyReply, result: unknown): FastifyReply {
  const text = JSON.stringify(result)
  const tag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`
  void reply.header('etag', tag)
  if (request.headers['if-none-match'] === tag) return reply.code(304).send()
  return reply.header('content-type', 'application/json; charset=utf-8').send(text)
}

/** No other page can send the header without asking first, and nobody answers such a question here. */
function isOwnPage(request: FastifyRequest, publicOrigin: string | null): boolean {
  const { 'x-casenote-console': mark, 'sec-fetch-site': site, origin } = request.headers
  return (
    mark === '1' &&
    (site === undefined || site === 'same-origin') &&
    (site !== undefined || origin !== undefined) &&
    (origin === undefined || isOwnOrigin(origin, request, publicOrigin))
  )
}

const isOwnOrigin = (origin: string, request: FastifyRequest, publicOrigin: string | null): boolean =>
  origin === publicOrigin || (URL.canParse(origin) && new URL(origin).host === request.host)

/** The host that was asked, by what the browser says, which a proxy in between does not change. */
function hostOf(request: FastifyRequest, publicOrigin: string | null): AskedHost {
  const said = request.headers.origin
  const origin =
    said !== undefined && isOwnOrigin(said, request, publicOrigin)
      ? said
      : `${request.protocol}://${request.host}`
  return { origin, hostname: URL.canParse(origin) ? new URL(origin).hostname : request.hostname }
}

function readCookie({ headers }: FastifyRequest, cookieName: string): string | null {
  for (const part of (headers.cookie ?? '').split(';')) {
    const [name, value] = part.split('=', 2)
    if (name?.trim() === cookieName) return value?.trim() ?? null
  }
  return null
}

function setCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  token: string | null,
  { kind, publicOrigin }: Pick<ConsoleApiParts<unknown>, 'kind' | 'publicOrigin'>,
): void {
  const isSecure = request.protocol === 'https' || hostOf(request, publicOrigin).origin.startsWith('https:')
  const life = token === null ? 0 : cookieSeconds
  const cookie = `${cookieNames[kind]}=${token ?? ''}; Path=/console; Max-Age=${life}; HttpOnly; SameSite=Strict`
  void reply.header('set-cookie', isSecure ? `${cookie}; Secure` : cookie)
}
