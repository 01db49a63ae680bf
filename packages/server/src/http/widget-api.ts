import type { ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Static, TObject } from 'typebox'
import type { AuditEntry } from '../kernel/audit/index.js'
import type { Statement } from '../kernel/db/database.js'
import type { LimitVerdict } from '../kernel/limits/index.js'
import { refuse } from '../kernel/refuse.js'
import type { Admission, TenantScope } from '../kernel/tenant.js'
import { notLetIn, OpenCalls, type OpenCall, type OpenCallsParts } from './open-calls.js'
import { readBearer } from './read-bearer.js'
import {
  answerCall,
  bearerCallOf,
  frameOf,
  loadTarget,
  makeSender,
  requireInput,
  requireLoad,
  type Answered,
  type AnswerSchema,
  type BearerCall,
  type Handled,
  type PathParams,
  type ReadRecord,
  type RouteAnswer,
  type SendAnswer,
} from './route-machine.js'
import type { WidgetCaller } from './widget-caller.js'

/** What every route of the surface that our own widget talks to says about itself. */
interface WidgetRouteFrame<Loaded, Params> {
  operation: string
  method: 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'DELETE'
  /** Below `/widget/v1`: `/sessions/{sessionId}`. */
  path: string
  /** Required when the path has an id: reads it as far as the clinician may see it; null is the one 404. */
  load?: (caller: WidgetCaller, params: Params) => Promise<Loaded | null>
}

export interface WidgetRoute<
  Loaded,
  Query extends TObject,
  Body extends TObject,
  Params,
  Schema extends AnswerSchema,
> extends WidgetRouteFrame<Loaded, Params> {
  query?: Query
  body?: Body
  answer: RouteAnswer<Schema>
  /** Reads are answered once their record is durable; a change records itself in its transaction. */
  audit: 'read' | 'change'
  /** Whose data a read showed, beyond the ids in the path and of a list's items. */
  subjects?(loaded: NoInfer<Loaded>, result: Answered<Schema>): readonly string[]
  handle: (context: WidgetContext<Loaded, Static<Query>, Static<Body>>) => Promise<Handled<Schema>>
}

export interface WidgetContext<Loaded, Query, Body> {
  caller: WidgetCaller
  loaded: Loaded
  query: Query
  body: Body
  actor: AuditEntry['actor']
  requestId: string
  ifMatch: string | null
}

/** Answers something else than JSON: bytes, a stream of events, or the headers of an upload. */
export interface RawWidgetRoute<Loaded, Params> extends WidgetRouteFrame<Loaded, Params> {
  /** The body is read piece by piece, whatever its length. */
  takesStream?: true
  respond: (
    context: Pick<WidgetContext<Loaded, never, never>, 'caller' | 'loaded' | 'actor' | 'requestId'> & {
      /** Aborted when the caller is cut off while they are answered. */
      signal: AbortSignal
    },
    request: FastifyRequest,
    reply: FastifyReply,
  ) => Promise<unknown>
}

/** A route without a signed-in clinician: tokens themselves. */
export interface OpenWidgetRoute<Body extends TObject, Schema extends AnswerSchema> {
  operation: string
  method: 'POST'
  path: string
  body: Body
  answer: RouteAnswer<Schema>
  /** Whether of all pages in browsers only the frame may call it; it takes nothing that a page elsewhere can send without asking first. */
  isOfFrame?: true
  handle: (context: { body: Static<Body> } & BearerCall) => Promise<Handled<Schema>>
}

export interface WidgetApiParts extends OpenCallsParts {
  /** Null: the token is missing, expired or revoked. */
  findCaller(accessToken: string, address: string): Promise<WidgetCaller | null>
  admit(caller: WidgetCaller): LimitVerdict | Promise<LimitVerdict>
  /** What is asked in the transaction of a change; without a row the caller is let in no more. */
  selectLetIn(caller: WidgetCaller): Statement
  recordRead(tenant: TenantScope, entry: AuditEntry): Promise<void>
  sealAddress(tenant: TenantScope, address: string): string | Promise<string>
}

// oxlint-disable-next-line typescript/no-explicit-any -- the lists mix routes of every shape
type AnyWidgetRoute = WidgetRoute<any, TObject, TObject, any, any>

const prefix = '/widget/v1'

/** What ends by itself once its caller is cut off does so at once. */
const hangUpAfterMs = 1_000

export class WidgetApi {
  /** For the tests that must cover every one. */
  readonly routes: {
    operation: string
    method: string
    path: string
    query: TObject | null
    body: TObject | null
  }[] = []
  readonly #app: FastifyInstance
  readonly #parts: WidgetApiParts
  readonly #calls: OpenCalls

  constructor(app: FastifyInstance, parts: WidgetApiParts) {
    this.#app = app
    this.#parts = parts
    this.#calls = new OpenCalls(parts)
  }

  /** How many are in hand. */
  get openCalls(): number {
    return this.#calls.size
  }

  close(): Promise<void> {
    return this.#calls.close()
  }

  route<
    Loaded = undefined,
    Query extends TObject = TObject<{}>,
    Body extends TObject = TObject<{}>,
    const Path extends string = string,
    Schema extends AnswerSchema = null,
  >(route: WidgetRoute<Loaded, Query, Body, PathParams<Path>, Schema> & { path: Path }): void {
    const send = makeSender(route.answer)
    this.#mount(route, route.answer, async (request, reply) =>
      answerRoute(this.#parts, { route, send }, request, reply),
    )
  }

  raw<Loaded = undefined, const Path extends string = string>(
    route: RawWidgetRoute<Loaded, PathParams<Path>> & { path: Path },
  ): void {
    this.#mount(route, null, async (request, reply) => {
      const { caller, signal } = requireCall(request)
      const context = {
        caller,
        signal,
        loaded: request.loaded as Loaded,
        actor: actorOf(caller, request),
        requestId: request.id,
      }
      return route.respond(context, request, reply)
    })
  }

  open<Body extends TObject, Schema extends AnswerSchema = null>(route: OpenWidgetRoute<Body, Schema>): void {
    const { operation, method, path, body: schema, answer } = route
    this.routes.push({ operation, method, path, query: null, body: schema })
    const send = makeSender(answer)
    this.#app.route({
      ...frameOf(prefix, route, answer),
      ...(route.isOfFrame === true ? { onRequest: async (request) => requireFrame(request) } : {}),
      handler: async (request, reply) => {
        const body = requireInput({ body: schema }, request).body as Static<Body>
        return send(reply, await route.handle({ body, ...bearerCallOf(request) }))
      },
    })
  }

  #mount<Loaded, Params>(
    route: WidgetRouteFrame<Loaded, Params> & { query?: TObject; body?: TObject; takesStream?: true },
    answer: RouteAnswer | null,
    handler: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>,
  ): void {
    requireLoad(route)
    const { operation, method, path, load, query = null, body = null } = route
    this.routes.push({ operation, method, path, query, body })
    this.#app.route({
      ...frameOf(prefix, route, answer),
      handler,
      onRequest: async (request, reply) => {
        const caller = await this.#requireCaller(request)
        await this.#requireShare(caller)
        // Who hung up while they were looked up has been heard of for the last time: nothing would end their call.
        if (reply.raw.destroyed) throw refuse.busy('busy', 'The connection was closed')
        const call = this.#calls.open(caller)
        request.call = call
        reply.raw.once('close', call.close).once('finish', call.close)
        call.signal.addEventListener('abort', () => hangUpOn(reply.raw), { once: true })
        request.from = await this.#parts.sealAddress(caller.tenant, request.ip)
        // Bodies are read after ownership, as in the Partner API.
        if (load !== undefined) await loadTarget(load, caller, request)
      },
    })
  }

  async #requireCaller(request: FastifyRequest): Promise<WidgetCaller> {
    const accessToken = readBearer(request)
    const caller = accessToken === null ? null : await this.#parts.findCaller(accessToken, request.ip)
    if (caller === null) throw notLetIn()
    return { ...caller, tenant: { ...caller.tenant, admission: this.#admissionOf(caller) } }
  }

  #admissionOf(caller: WidgetCaller): Admission {
    return {
      isCertain: () => false,
      require: async (ask) => {
        const [letIn] = await ask(this.#parts.selectLetIn(caller))
        if (letIn === undefined) throw notLetIn()
      },
    }
  }

  /**
   * Refuses a caller who has no share of the rate, in the shape of this surface's refusals: nothing of the widget goes through a partner's
   * gateway.
   */
  async #requireShare(caller: WidgetCaller): Promise<void> {
    const { isAdmitted, retryAfterSeconds } = await this.#parts.admit(caller)
    if (!isAdmitted)
      throw refuse.tooMany('rate_limited', 'Too many requests; ask again in a moment', retryAfterSeconds)
  }
}

/**
 * A page elsewhere may send what it likes without a preflight, but no JSON by name, and its visitors' browsers say whose it is. Programs
 * say nothing of that; they are bound by the limits.
 */
function requireFrame({ givenMediaType, headers }: FastifyRequest): void {
  const site = headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin')
    throw refuse.forbidden('widget_only', 'Only the widget can ask for this')
  if (givenMediaType?.split(';', 1)[0]?.trim().toLowerCase() !== 'application/json')
    throw refuse.mediaType('Content-Type must be application/json')
}

/** Streams end by themselves, and what has not begun is refused; an answer that is on its way is not written to its end. */
function hangUpOn(response: ServerResponse): void {
  const look = (): void => {
    if (response.headersSent && !response.writableFinished) response.destroy()
  }
  const looking = setInterval(look, hangUpAfterMs)
  const stop = (): void => clearInterval(looking)
  response.once('close', stop).once('finish', stop)
  if (response.writableFinished || response.destroyed) stop()
}

/** Whoever was cut off while their request came in, a slow body for example, is let in no more. */
function requireCall({ call }: FastifyRequest): OpenCall {
  call?.signal.throwIfAborted()
  return call as OpenCall
}

const actorOf = ({ clinicianId }: WidgetCaller, { from }: FastifyRequest): AuditEntry['actor'] => ({
  kind: 'clinician',
  id: clinicianId,
  ...(from === null ? {} : { from }),
})

function answerRoute(
  parts: WidgetApiParts,
  { route, send }: { route: AnyWidgetRoute; send: SendAnswer },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const { caller } = requireCall(request)
  const { operation } = route
  const { id: requestId } = request
  const actor = actorOf(caller, request)
  const ifMatch = request.headers['if-match'] ?? null
  const context = {
    caller,
    loaded: request.loaded,
    ...requireInput(route, request),
    actor,
    requestId,
    ifMatch,
  }
  const read: ReadRecord = {
    // What was waited for meanwhile may have taken longer than cutting them off.
    lookAgain: () => void requireCall(request),
    record: (subjects) => parts.recordRead(caller.tenant, { operation, actor, requestId, subjects }),
    self: caller.clinicianId,
  }
  const isRead = route.audit === 'read'
  return answerCall({ route, send }, { request, reply }, () => route.handle(context), isRead ? read : null)
}
