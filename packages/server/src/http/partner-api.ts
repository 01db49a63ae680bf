import { itemsPerPage, pageSizeHeader, pageSizeMax, readPageSize, type AskedPage } from '@casenote/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { TObject } from 'typebox'
import { keyProblem } from '../kernel/idempotency/index.js'
import { refuse } from '../kernel/refuse.js'
import { renderUnknownRoute } from './errors.js'
import { actorOf, admissionOf, checkAgain, checkInOrder, tenantOf, type CallerTenant } from './gateway.js'
import { OpenAnswers } from './open-answers.js'
import { answerOnce, checkWithKey, isOnceByKey } from './once-by-key.js'
import {
  answerCall,
  frameOf,
  makeSender,
  nothing,
  readInput,
  requireLoad,
  type AnswerSchema,
  type PathParams,
  type ReadInput,
  type ReadRecord,
  type SendAnswer,
} from './route-machine.js'
import { warnOfUnknownQuery } from './unknown-query.js'
import type { AnyPartnerRoute, PartnerApiParts, PartnerRoute } from './partner-route.js'

/** What a feature registers its routes with. Keeps the list that OpenAPI and the ownership meta-test read. */
export class PartnerApi {
  readonly routes: AnyPartnerRoute[] = []
  readonly #reserved: { method: AnyPartnerRoute['method']; path: string }[] = []
  #templates: ReadonlyMap<string, AnyPartnerRoute> | null = null

  route<
    Loaded = undefined,
    Query extends TObject = TObject<{}>,
    Body extends TObject = TObject<{}>,
    Prepared = undefined,
    const Path extends string = string,
    Schema extends AnswerSchema = null,
  >(route: PartnerRoute<Loaded, Query, Body, Prepared, PathParams<Path>, Schema> & { path: Path }): void {
    requireLoad(route)
    this.routes.push(route)
  }

  /** A path that looks like one with an id but is none: an unknown route (ruling 1). */
  reserve(method: AnyPartnerRoute['method'], path: string): void {
    this.#reserved.push({ method, path })
  }

  /** Method and path of every operation. */
  templates(): ReadonlyMap<string, Pick<AnyPartnerRoute, 'method' | 'path'>> {
    this.#templates ??= new Map(this.routes.map((route) => [route.operation, route]))
    return this.#templates
  }

  mount(app: FastifyInstance, parts: PartnerApiParts): void {
    for (const { method, path } of this.#reserved) {
      app.route({ method, url: `/v2${path}`, handler: renderUnknownRoute })
    }
    const openAnswers = new OpenAnswers(parts.log)
    app.addHook('onClose', () => openAnswers.close())
    for (const route of this.routes) mountRoute(app, { ...parts, openAnswers }, route)
  }
}

interface MountedParts extends PartnerApiParts {
  openAnswers: OpenAnswers
}

function mountRoute(app: FastifyInstance, parts: MountedParts, route: AnyPartnerRoute): void {
  const checked = {
    needsToken: route.needsToken ?? true,
    load: route.load ?? null,
    requireState: route.requireState ?? null,
  }
  const send = makeSender(route.answer)
  const known = new Set(Object.keys(route.query?.properties ?? {}))
  app.route({
    ...frameOf('/v2', route, route.answer),
    onRequest: (request, reply) => {
      warnOfUnknownQuery(known, request, reply)
      return isOnceByKey(route)
        ? checkWithKey(parts, { ...checked, operation: route.operation }, request, reply)
        : checkInOrder(parts, checked, request, reply)
    },
    handler: async (request, reply) => {
      if (route.body !== undefined) await checkAgain(parts, checked, request)
      const digest = request.onceKey?.digest ?? null
      if (digest !== null)
        return answerOnce(
          parts,
          { route, digest },
          { request, reply },
          {
            prepareCall: () => prepareCall(route, request),
            readCall: (tenant) => readCall(parts, route, request, tenant),
          },
        )
      return answer(parts, { route, send }, request, reply)
    },
  })
}

function answer(
  parts: MountedParts,
  { route, send }: { route: AnyPartnerRoute; send: SendAnswer },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const tenant = tenantOf(request)
  const isChange = route.audit === 'change'
  const caller = isChange ? { ...tenant, admission: admissionOf(parts, tenant, request) } : tenant
  const { operation, needsToken = true } = route
  const call = readCall(parts, route, request, caller) // 7
  const handle = async (): Promise<unknown> => call(await prepareCall(route, request)) // 8
  const read: ReadRecord = {
    lookAgain: () => checkAgain(parts, { needsToken }, request),
    record: (subjects) => {
      const actor = actorOf(parts, request)
      return parts.recordRead(tenant, { operation, actor, requestId: request.id, subjects })
    },
    whenSent: (sent, subjects) => cutWhenTurnedAway(parts, request, sent, subjects),
    self: tenant.tenantId,
  }
  return answerCall({ route, send }, { request, reply }, handle, isChange ? null : read)
}

/** A caller who is cut off while they read an answer gets no more of it, and that stands in the log beside what they read. */
function cutWhenTurnedAway(
  parts: MountedParts,
  request: FastifyRequest,
  reply: FastifyReply,
  subjects: readonly string[],
): void {
  const tenant = tenantOf(request)
  const admission = admissionOf(parts, tenant, request)
  parts.openAnswers.add({
    response: reply.raw,
    mark: `${tenant.tenantId} ${String(request.headers['x-api-key'])} ${request.tokenKeyVersion}`,
    requireLetIn: async () => {
      if (!admission.isCertain()) await admission.require((statement) => parts.askLetIn(tenant, statement))
    },
    onCut: ({ statusCode }) => {
      const actor = { kind: 'partner', id: tenant.tenantId } as const
      request.suspect = { tenant, actor, operation: 'answer.cutOff', subjects }
      parts.onTurnedAway(request, statusCode)
    },
  })
}

/** Step 7 now, step 8 when it is called, with what was prepared. */
function readCall(
  parts: PartnerApiParts,
  route: AnyPartnerRoute,
  request: FastifyRequest,
  tenant: CallerTenant,
): (prepared: unknown) => Promise<unknown> {
  const context = {
    tenant,
    loaded: request.loaded,
    ...readCallInput(route, tenant, request),
    actor: actorOf(parts, request),
    requestId: request.id,
    ifMatch: route.takesIfMatch === true ? (request.headers['if-match'] ?? null) : null,
  }
  return (prepared) => route.handle({ ...context, prepared })
}

/** Prepares a call, with the tenant as it came in: nothing of it is part of a transaction. */
const prepareCall = async ({ prepare }: AnyPartnerRoute, request: FastifyRequest): Promise<unknown> =>
  prepare?.(tenantOf(request), request.loaded)

interface CallInput extends Omit<ReadInput, 'problems'> {
  page: AskedPage
}

function readCallInput(route: AnyPartnerRoute, tenant: CallerTenant, request: FastifyRequest): CallInput {
  const { query, body, problems } = readInput(route, request)
  const size = isList(route) ? readPageSize(request.headers[sizeHeader]) : itemsPerPage
  if (size === null) problems.push(`${pageSizeHeader} must be an integer number from 1 to ${pageSizeMax}`)
  if (route.findProblems !== undefined) problems.push(...route.findProblems(tenant, asRecord(request.body)))
  if (request.onceKey?.digest === null) problems.push(keyProblem)
  if (problems.length > 0 || size === null) throw refuse.invalid(problems)
  const number = (query as { page?: number }).page ?? 1
  const page = { number, size: route.answer.inPieces === true ? Math.min(size, itemsPerPage) : size }
  return { query, page, body }
}

const sizeHeader = pageSizeHeader.toLowerCase()

/** Whether the answer is a page of a list. */
export const isList = ({ query }: Pick<AnyPartnerRoute, 'query'>): boolean =>
  query !== undefined && Object.hasOwn(query.properties, 'page')

const asRecord = (body: unknown): Record<string, unknown> =>
  typeof body === 'object' && body !== null ? { ...body } : nothing
