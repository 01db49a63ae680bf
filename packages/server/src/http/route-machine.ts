import { readBody, readQuery } from '@casenote/contract'
import type { FastifyReply, FastifyRequest, FastifySchema, HTTPMethods, RouteOptions } from 'fastify'
import type { Static, TObject, TSchema } from 'typebox'
import { isId, type NamedIds } from '../kernel/ids.js'
import { refuse, type Refusal } from '../kernel/refuse.js'
import type { AddressLimits } from './address-limits.js'
import { makePageWriter } from './answer-in-pieces.js'
import { forSerializer } from './answer-schema.js'
import { delayRefusal } from './delay-refusal.js'
import { readBearer } from './read-bearer.js'
import { SentFile } from './sent-file.js'
import type { Suspect } from './suspect.js'
import { Tagged } from './tagged.js'

/*
 * What the Partner API, the widget's, the clients' pages' and the console's share: how a route becomes one of fastify's, how
 * input is read, how an answer is sent. The order of checks is each surface's own.
 */

/** `/sessions/{sessionId}` as fastify writes it. */
const urlOf = (prefix: string, path: string): string => `${prefix}${path.replaceAll(/\{(\w+)\}/g, ':$1')}`

type PathNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathNames<Rest>
  : never

/** A path's ids, each of the thing that it names; of a path that is put together in the program, nothing is known. */
export type PathParams<Path extends string> = string extends Path
  ? Record<string, string>
  : { [Name in PathNames<Path>]: Name extends keyof NamedIds ? NamedIds[Name] : string }

/** Whoever adds a route with an id and forgets whose it is learns so at the start. */
export function requireLoad({
  operation,
  path,
  load,
}: {
  operation: string
  path: string
  load?: unknown
}): void {
  if (path.includes('{') && load === undefined)
    throw new Error(`${operation} has an id in its path and nothing that checks whose it is`)
}

export type AnswerSchema = TSchema | null

export interface RouteAnswer<Schema extends AnswerSchema = AnswerSchema> {
  status: 200 | 201 | 202 | 204
  schema: Schema
  /** A page of items that are long: they are written one by one. */
  inPieces?: true
  /** The media type of a `SentFile`, which is no JSON: `schema` is null then. */
  mediaType?: string
}

/** What an answer of this schema shows. */
export type Answered<Schema extends AnswerSchema> = Schema extends TSchema ? Static<Schema> : unknown

/** What a handler gives for it. Without a schema: a file, or nothing. */
export type Handled<Schema extends AnswerSchema> = Schema extends TSchema
  ? Static<Schema> | Tagged<Static<Schema>>
  : SentFile | null | undefined | void

/** For fastify's serializer; nothing for an answer without a body. */
const answerSchemaOf = ({ status, schema }: RouteAnswer): { schema?: FastifySchema } =>
  schema === null ? {} : { schema: { response: { [status]: forSerializer(schema) } } }

/** A route as fastify takes it, but for what it does. */
export const frameOf = (
  prefix: string,
  route: { operation: string; method: HTTPMethods; path: string; body?: unknown; takesStream?: boolean },
  answer: RouteAnswer | null,
): Pick<RouteOptions, 'method' | 'url' | 'config' | 'schema'> => ({
  method: route.method,
  url: urlOf(prefix, route.path),
  config: {
    operation: route.operation,
    takesBody: route.body != null,
    takesStream: route.takesStream ?? false,
  },
  ...(answer === null ? {} : answerSchemaOf(answer)),
})

/** What is in the path, by name; fastify knows of none before it has found the route. */
export const paramsOf = ({ params }: Pick<FastifyRequest, 'params'>): Record<string, string> =>
  (params ?? {}) as Record<string, string>

/** Reads what is in the path as far as the caller may see it. Null: it does not exist or is not theirs. */
export async function loadTarget<Caller>(
  load: (caller: Caller, params: never) => Promise<unknown>,
  caller: Caller,
  request: FastifyRequest,
): Promise<void> {
  const loaded = await load(caller, request.params as never)
  if (loaded === null) throw refuse.notFound()
  request.loaded = loaded
}

/** What is known of a call that shows by itself whose it is. */
export interface BearerCall {
  /** The credential from `Authorization: Bearer …`, unverified. Not a cookie: no other site can make a browser send it. */
  bearer: string | null
  /** The network address that the call came from. */
  address: string
  requestId: string
  /** Tells whose credential it is, if it is refused. */
  suspect: (suspect: Suspect) => void
}

export const bearerCallOf = (request: FastifyRequest): BearerCall => ({
  bearer: readBearer(request),
  address: request.ip,
  requestId: request.id,
  suspect: (suspect) => {
    request.suspect = suspect
  },
})

export interface TakesInput {
  query?: TObject
  body?: TObject
}

type Values = Record<string, unknown>

export interface ReadInput {
  query: Values
  body: Values
  /** Every offending field, of query and body. */
  problems: string[]
}

export const nothing: Values = {}

/** The query as fastify reads it; nothing has looked at it. */
export const queryOf = ({ query }: FastifyRequest): Values => query as Values

export function readInput({ query, body }: TakesInput, request: FastifyRequest): ReadInput {
  const asked = query === undefined ? null : readQuery(query, queryOf(request))
  const sent = body === undefined ? null : readBody(body, request.body ?? nothing)
  return {
    query: asked?.value ?? nothing,
    body: sent?.value ?? nothing,
    problems: [...(asked?.problems ?? []), ...(sent?.problems ?? [])],
  }
}

export function requireInput(takes: TakesInput, request: FastifyRequest): Omit<ReadInput, 'problems'> {
  const { query, body, problems } = readInput(takes, request)
  if (problems.length > 0) throw refuse.invalid(problems)
  return { query, body }
}

export type SendAnswer = (reply: FastifyReply, handled: unknown) => unknown

/** What was handled, with its status, its tag and, where it is long, piece by piece. */
export function makeSender(answer: RouteAnswer): SendAnswer {
  const writePage = makePageWriter(answer)
  return (reply, handled) => {
    const result = untag(handled)
    if (handled instanceof Tagged) void reply.header('etag', handled.etag)
    void reply.code(answer.status)
    if (handled instanceof SentFile)
      return handled.send(reply, answer.mediaType ?? 'application/octet-stream')
    return writePage === null ? (result ?? null) : writePage(reply, result)
  }
}

export const untag = (handled: unknown): unknown => (handled instanceof Tagged ? handled.answer : handled)

export interface NamesSubjects {
  // oxlint-disable-next-line typescript/no-explicit-any -- what a route loads is its own
  subjects?: (loaded: any, result: unknown) => readonly string[]
}

/** Whose data was shown: the ids in the path, what the route adds and, for a list, those of its items. */
function listSubjects(route: NamesSubjects, request: FastifyRequest, result: unknown): string[] {
  const subjects = new Set(Object.values(paramsOf(request)).filter(isId))
  for (const subject of route.subjects?.(request.loaded, result) ?? []) subjects.add(subject)
  const { data } = (result ?? {}) as { data?: { id?: string }[] }
  // Templates and assessments are named by a word: they are no records of anyone.
  if (Array.isArray(data)) for (const { id } of data) if (id !== undefined && isId(id)) subjects.add(id)
  return [...subjects]
}

/** How a surface keeps who was shown what. */
export interface ReadRecord {
  /** Whoever was cut off while the answer was made is not shown it. */
  lookAgain: () => Promise<void> | void
  /** Durable once it is done. */
  record: (subjects: readonly string[]) => Promise<void>
  /** Told as the answer begins to be sent, for whoever is cut off while it is. */
  whenSent?: (reply: FastifyReply, subjects: readonly string[]) => void
  /** Who asked, where nobody's data was shown. */
  self: string
}

/** Handles a call, records it where it is a read, and answers. `read`: null for a change, which records itself. */
export async function answerCall(
  { route, send }: { route: NamesSubjects; send: SendAnswer },
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  handle: () => Promise<unknown>,
  read: ReadRecord | null,
): Promise<unknown> {
  const handled = await handle()
  try {
    if (read !== null) {
      await read.lookAgain()
      const shown = listSubjects(route, request, untag(handled))
      await read.record(shown.length === 0 ? [read.self] : shown)
      read.whenSent?.(reply, shown)
    }
    return await send(reply, handled)
  } catch (error) {
    // Nobody reads it any more, and what it holds is for others.
    if (handled instanceof SentFile) handled.stream.destroy()
    throw error
  }
}

/**
 * For what can be guessed: null means that the guess was wrong. Who guessed wrong is told the same after the same time, whatever was
 * wrong with it, and has one try less. Without a refusal there is nothing to guess.
 */
export async function guardGuess(
  limits: AddressLimits,
  request: FastifyRequest,
  refusal: (() => Refusal) | null,
  work: () => Promise<unknown>,
): Promise<unknown> {
  if (refusal === null) return work()
  const startedMs = performance.now()
  const { result, waitSeconds } = await limits.guard(request.ip, work)
  if (result !== null) return result
  await delayRefusal(startedMs)
  if (waitSeconds === null) throw refusal()
  throw refuse.tooMany('too_many_tries', 'Too many tries from this address', waitSeconds)
}
