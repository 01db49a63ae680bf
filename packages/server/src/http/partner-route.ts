import type { AskedPage } from '@casenote/contract'
import type { Static, TObject } from 'typebox'
import type { AuditEntry } from '../kernel/audit/index.js'
import type { Clock } from '../kernel/clock.js'
import type { Statement } from '../kernel/db/database.js'
import type { KeptAnswers } from '../kernel/idempotency/index.js'
import type { Log } from '../kernel/log.js'
import type { OnTurnedAway } from './errors.js'
import type { CallerTenant, GatewayLookups } from './gateway.js'
import type { Answered, AnswerSchema, Handled, RouteAnswer } from './route-machine.js'

/** Everything a route says about itself: the checks, the documentation and the audit read the same words. */
export interface PartnerRoute<
  Loaded,
  Query extends TObject,
  Body extends TObject,
  Prepared,
  Params,
  Schema extends AnswerSchema,
> {
  /** One name for OpenAPI, logs, metrics and audit: `organization.read`. */
  operation: string
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** The path as the contract writes it: `/organizations/{organizationId}`. */
  path: string
  summary: string
  /** More than the summary says; Markdown's backticks for code, nothing else of it. */
  description?: string
  /** Only `POST /partners/authenticate` goes without. */
  needsToken?: false
  /** Required when the path has an id: reads it within the tenant. */
  load?: (tenant: CallerTenant, params: Params) => Promise<Loaded | null>
  requireState?: (loaded: Loaded) => void
  query?: Query
  body?: Body
  /** What the schema cannot say of the body (as it came), so that every offending field is listed at once. */
  findProblems?: (tenant: CallerTenant, body: Readonly<Record<string, unknown>>) => string[]
  /** A page that is written in pieces never has more than ten items. */
  answer: RouteAnswer<Schema> & { description: string }
  /** The artifact may not have been made yet: then the answer is `refuse.notReady`, as the tenant chose. */
  mayBeNotReady?: true
  /** What is handled is answered as `Tagged`, with its version for the `ETag` header. */
  etag?: true
  /**
   * A POST that an `Idempotency-Key` does not hold to once: what the two `authenticate` give out is nothing to keep, and what is
   * erased is erased once.
   */
  onceByKey?: false
  /** Whose data the answer shows, where neither the path nor the answer says it in `clientId`. */
  clientOf?(result: Answered<Schema>): string
  /** The call honours `If-Match`. */
  takesIfMatch?: true
  /** Statuses of step 8, with their texts, for the documentation. */
  rules?: Partial<Record<400 | 401 | 403 | 409, string>>
  /**
   * Reads are recorded here, and answered once the record is durable. A change records itself in its transaction.
   * A login is recorded as a read is.
   */
  audit: 'read' | 'change' | 'login'
  /** Whose data a read showed, beyond the ids in the path and of a list's items: the client, above all. */
  subjects?(loaded: NoInfer<Loaded>, result: Answered<Schema>): readonly string[]
  /** For whatever takes long, a thread's work above all: `handle` of a call with a key is one transaction. Changes nothing. */
  prepare?: (tenant: CallerTenant, loaded: Loaded) => Promise<Prepared>
  handle: (context: PartnerContext<Loaded, Static<Query>, Static<Body>, Prepared>) => Promise<Handled<Schema>>
}

interface PartnerContext<Loaded, Query, Body, Prepared> {
  tenant: CallerTenant
  loaded: Loaded
  /** What `prepare` gave; undefined where there is none. */
  prepared: Prepared
  query: Query
  /** For a list: which page of it is asked for, and how long pages are. */
  page: AskedPage
  body: Body
  actor: AuditEntry['actor']
  requestId: string
  /** `If-Match` as sent; null when there is none, or the route does not take it. */
  ifMatch: string | null
}

// oxlint-disable-next-line typescript/no-explicit-any -- the list mixes routes of every shape
export type AnyPartnerRoute = PartnerRoute<any, TObject, TObject, any, any, any>

export interface PartnerApiParts extends GatewayLookups {
  recordRead(tenant: CallerTenant, entry: AuditEntry): Promise<void>
  sealAddress(tenant: CallerTenant, address: string): string
  keptAnswers: KeptAnswers<CallerTenant>
  clock: Clock
  log: Log
  /** Asks, outside of any transaction, whether a caller is let in. */
  askLetIn<Row>(tenant: CallerTenant, statement: Statement<Row>): Promise<Row[]>
  /** Told of an answer that was broken off, too. */
  onTurnedAway: OnTurnedAway
}
