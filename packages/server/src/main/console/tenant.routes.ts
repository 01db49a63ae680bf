import {
  ConsoleClinicians,
  ConsoleClinics,
  ConsoleDeliveries,
  ConsoleDeliveryTries,
  ConsoleEndpoints,
  ConsoleLimits,
  ConsoleOverview,
  ConsoleRates,
  ConsoleRecovered,
  ConsoleRequestLogs,
  ConsoleRetried,
  ConsoleSessionCourse,
  ConsoleSessions,
  ConsoleUsage,
  DELIVERY_STATUSES,
  oneOf,
  SESSION_STATUSES,
  STATUS_CLASSES,
} from '@casenote/contract'
import { Type } from 'typebox'
import { selectClinicianStandings } from '../../features/clinicians/index.js'
import type { OpenSession } from '../../features/console/index.js'
import { selectClinicStandings } from '../../features/organizations/index.js'
import { selectLimitStanding, selectStoredByDay, selectToday } from '../../features/partners/index.js'
import {
  countRecentRequests,
  countRequestsByDay,
  countRequestsByMinute,
  listNewestRequests,
  type LogCursor,
} from '../../features/request-logs/index.js'
import {
  countSessions,
  countSessionsByDay,
  selectSessionsKnownFrom,
  findSession,
  findSessionCourse,
  listNewestSessions,
} from '../../features/sessions/index.js'
import {
  boundSince,
  countDeliveriesByDay,
  selectDeliveriesKnownFrom,
  countNewestDeliveries,
  describeTries,
  findDelivery,
  findEndpoint,
  listEndpointStandings,
  listNewestDeliveries,
  recoverEndpoint,
  resendDelivery,
} from '../../features/webhooks/index.js'
import { retryFailedSession } from '../../features/widget/index.js'
import type { ConsoleApi } from '../../http/console-api.js'
import type { Database } from '../../kernel/db/database.js'
import { isId } from '../../kernel/ids.js'
import { refuse } from '../../kernel/refuse.js'
import type { TenantScope } from '../../kernel/tenant.js'
import { sourceOf, type ConsoleParts } from './console-parts.js'
import { isOurTime, pageMax, pageOfRows, readCursor, readNumber, readTime } from './cursor.js'
import { KnownForSeconds } from './known-for-seconds.js'
import { listUsageDays } from './list-usage-days.js'
import type { ConsoleReads } from './record-reads.js'

type Api = ConsoleApi<OpenSession>

/** Made by `writeCursor`. */
const cursor = Type.Optional(Type.String())

/** What a partner's developers see of their tenant, and an operator of any. */
export function registerTenantRoutes(api: Api, parts: ConsoleParts, reads: ConsoleReads): void {
  registerOverview(api, parts, reads)
  registerSessionRoutes(api, parts, reads)
  registerEndpointRoutes(api, parts)
  registerDeliveryRoutes(api, parts)
  registerStandingRoutes(api, parts, reads)
}

/** A little less than a screen waits before it asks again: it never sees the same count twice. */
const overviewSeconds = 4

async function countOverview(db: Database, tenant: TenantScope): Promise<ConsoleOverview> {
  const sessions = await countSessions(db, tenant)
  const endpoints = await listEndpointStandings(db, tenant)
  const [requests] = await db.read(tenant, countRecentRequests(tenant))
  if (requests === undefined) throw new Error('the database counts no requests')
  return {
    sessionsByStatus: sessions.byStatus,
    oldestWaitingAt: sessions.oldestWaitingAt,
    deliveriesByStatus: await countNewestDeliveries(db, tenant),
    requests,
    failing: endpoints.flatMap(({ id, failingSince }) =>
      failingSince === null ? [] : [{ endpointId: id, since: failingSince }],
    ),
  }
}

function registerOverview(api: Api, { db, templates }: ConsoleParts, reads: ConsoleReads): void {
  const overviews = new KnownForSeconds<ConsoleOverview>(overviewSeconds)
  api.route({
    operation: 'console.overview',
    method: 'GET',
    path: '/tenants/{tenantId}/overview',
    who: 'user',
    answer: ConsoleOverview,
    handle: ({ tenant }) => overviews.get(tenant.tenantId, () => countOverview(db, tenant)),
  })
  api.route({
    operation: 'console.listRequests',
    method: 'GET',
    path: '/tenants/{tenantId}/request-logs',
    who: 'user',
    query: Type.Object({
      status: Type.Optional(oneOf(STATUS_CLASSES)),
      operation: Type.Optional(Type.String()),
      cursor,
    }),
    answer: ConsoleRequestLogs,
    handle: async (context) => {
      const { tenant, query } = context
      const filter = {
        status: query.status ?? null,
        operation: query.operation ?? null,
      }
      const page = { after: readCursor(query.cursor, isLogCursor), most: pageMax + 1 }
      const rows = await listNewestRequests({ db, templates }, tenant, filter, page)
      const shown = pageOfRows(
        rows,
        ({ request }) => request,
        (row) => row.cursor,
      )
      const ids = shown.data.flatMap((request) => request.ids)
      const subjects = ids.filter(({ kind }) => isOfAClient.has(kind)).map(({ id }) => id)
      await reads.record(context, 'console.listRequests', subjects)
      return shown
    },
  })
}

/** Those of the ids in a path by which the log is asked who saw what. */
const isOfAClient: ReadonlySet<string> = new Set(['client', 'session'])

function isLogCursor(value: unknown): value is LogCursor {
  if (typeof value !== 'object' || value === null || !('at' in value && 'requestId' in value)) return false
  const { at, requestId } = value
  return isOurTime(at) && typeof requestId === 'string' && isId(requestId)
}

function registerSessionRoutes(api: Api, parts: ConsoleParts, reads: ConsoleReads): void {
  const { db } = parts
  api.route({
    operation: 'console.listSessions',
    method: 'GET',
    path: '/tenants/{tenantId}/sessions',
    who: 'user',
    query: Type.Object({ status: Type.Optional(oneOf(SESSION_STATUSES)), cursor }),
    answer: ConsoleSessions,
    handle: async (context) => {
      const { tenant, query } = context
      const status = query.status ?? null
      const filter = { status, before: readNumber(query.cursor), most: pageMax + 1 }
      const shown = pageOfRows(
        await listNewestSessions(db, tenant, filter),
        ({ session }) => session,
        ({ seq }) => seq,
      )
      const subjects = shown.data.flatMap(({ id, clientId }) => [id, clientId])
      await reads.record(context, 'console.listSessions', subjects)
      return shown
    },
  })
  api.route({
    operation: 'console.readSession',
    method: 'GET',
    path: '/tenants/{tenantId}/sessions/{sessionId}',
    who: 'user',
    answer: ConsoleSessionCourse,
    handle: async (context) => {
      const course = await findSessionCourse(db, context.tenant, context.params.sessionId)
      if (course === null) throw refuse.notFound()
      await reads.record(context, 'console.readSession', [course.id, course.clientId])
      return course
    },
  })
  api.route({
    operation: 'session.retry',
    method: 'POST',
    path: '/tenants/{tenantId}/sessions/{sessionId}/retry',
    who: 'user',
    answer: ConsoleRetried,
    handle: async (context) => {
      const { tenant, params } = context
      const session = await findSession(db, tenant, params.sessionId)
      if (session === null) throw refuse.notFound()
      const { id } = await retryFailedSession(parts, tenant, session, await sourceOf(parts, context))
      return { id }
    },
  })
}

function registerEndpointRoutes(api: Api, parts: ConsoleParts): void {
  const { db, realm, config } = parts
  api.route({
    operation: 'console.listEndpoints',
    method: 'GET',
    path: '/tenants/{tenantId}/endpoints',
    who: 'user',
    answer: ConsoleEndpoints,
    handle: async ({ tenant }) => ({ data: await listEndpointStandings(db, tenant), next: null }),
  })
  api.route({
    operation: 'webhookEndpoint.recover',
    method: 'POST',
    path: '/tenants/{tenantId}/endpoints/{endpointId}/recover',
    who: 'user',
    body: Type.Object({ since: Type.String({ format: 'date-time' }) }),
    answer: ConsoleRecovered,
    handle: async (context) => {
      const { tenant, params, body } = context
      const endpoint = await findEndpoint(db, tenant, params.endpointId)
      if (endpoint === null) throw refuse.notFound()
      const { deliveryRetentionDays } = config
      const since = boundSince(readTime('since', body.since), {
        nowMs: realm.clock.nowMs(),
        deliveryRetentionDays,
      })
      const by = await sourceOf(parts, context)
      const { recovered } = await db.write(tenant, (tx) =>
        recoverEndpoint(tx, { endpointId: endpoint.id, since }, by),
      )
      return { count: recovered }
    },
  })
}

function registerDeliveryRoutes(api: Api, parts: ConsoleParts): void {
  const { db } = parts
  api.route({
    operation: 'console.listDeliveries',
    method: 'GET',
    path: '/tenants/{tenantId}/deliveries',
    who: 'user',
    query: Type.Object({
      endpoint: Type.Optional(Type.String()),
      status: Type.Optional(oneOf(DELIVERY_STATUSES)),
      cursor,
    }),
    answer: ConsoleDeliveries,
    handle: async ({ tenant, query }) => {
      if (query.endpoint !== undefined && !isId(query.endpoint)) return { data: [], next: null }
      const rows = await listNewestDeliveries(db, tenant, {
        endpointId: query.endpoint ?? null,
        status: query.status ?? null,
        before: readNumber(query.cursor),
        most: pageMax + 1,
      })
      return pageOfRows(
        rows,
        ({ delivery }) => delivery,
        ({ seq }) => seq,
      )
    },
  })
  api.route({
    operation: 'console.readDelivery',
    method: 'GET',
    path: '/tenants/{tenantId}/deliveries/{deliveryId}',
    who: 'user',
    answer: ConsoleDeliveryTries,
    handle: async ({ tenant, params }) => {
      const row = await findDelivery(db, tenant, params.deliveryId)
      if (row === null) throw refuse.notFound()
      return describeTries(row)
    },
  })
  api.route({
    operation: 'webhookDelivery.resend',
    method: 'POST',
    path: '/tenants/{tenantId}/deliveries/{deliveryId}/resend',
    who: 'user',
    answer: null,
    handle: async (context) => {
      const { tenant, params } = context
      const row = await findDelivery(db, tenant, params.deliveryId)
      if (row === null) throw refuse.notFound()
      const by = await sourceOf(parts, context)
      await db.write(tenant, (tx) => resendDelivery(tx, row, by))
    },
  })
}

/** The rates of an hour: what is refused for its rate is refused within it. */
const ratedMinutes = 60

function registerRates(api: Api, db: Database): void {
  const rates = new KnownForSeconds<ConsoleRates>(overviewSeconds)
  api.route({
    operation: 'console.listRates',
    method: 'GET',
    path: '/tenants/{tenantId}/rates',
    who: 'user',
    answer: ConsoleRates,
    handle: ({ tenant }) => rates.get(tenant.tenantId, () => listRates(db, tenant)),
  })
}

async function listRates(db: Database, tenant: TenantScope): Promise<ConsoleRates> {
  const [rows, [standing]] = await db.read(
    tenant,
    countRequestsByMinute(tenant, ratedMinutes),
    selectLimitStanding(tenant),
  )
  if (standing === undefined) throw refuse.notFound()
  return {
    ratePerSecond: standing.ratePerSecond,
    burst: standing.burst,
    perDay: standing.perDay,
    minutes: rows.map(({ at, requests, limited }) => ({ at: at.toISOString(), requests, limited })),
  }
}

async function countUsage(db: Database, tenant: TenantScope, days: number): Promise<ConsoleUsage> {
  const [requests, sessions, deliveries, stored, [sessionsFrom], [deliveriesFrom], [today]] = await db.read(
    tenant,
    countRequestsByDay(tenant, days),
    countSessionsByDay(tenant, days),
    countDeliveriesByDay(tenant, days),
    selectStoredByDay(tenant, days),
    selectSessionsKnownFrom(tenant),
    selectDeliveriesKnownFrom(tenant),
    selectToday(),
  )
  if (today === undefined) throw new Error('the database has no today')
  const knownFrom = { sessions: sessionsFrom?.day ?? null, deliveries: deliveriesFrom?.day ?? null }
  return { days: listUsageDays(days, { requests, sessions, deliveries, stored, knownFrom }, today.day) }
}

function registerStandingRoutes(api: Api, { db }: ConsoleParts, reads: ConsoleReads): void {
  const usage = new KnownForSeconds<ConsoleUsage>(overviewSeconds)
  api.route({
    operation: 'console.listLimits',
    method: 'GET',
    path: '/tenants/{tenantId}/limits',
    who: 'user',
    answer: ConsoleLimits,
    handle: async ({ tenant }) => {
      const [row] = await db.read(tenant, selectLimitStanding(tenant))
      if (row === undefined) throw refuse.notFound()
      return [
        { name: 'ratePerSecond', limit: row.ratePerSecond, window: 'second', used: null },
        { name: 'burst', limit: row.burst, window: null, used: null },
        { name: 'perDay', limit: row.perDay, window: 'UTC day', used: row.usedToday },
        { name: 'storedBytes', limit: row.storedBytesMax, window: null, used: row.storedBytes },
        { name: 'openUploads', limit: row.openUploadsMax, window: null, used: row.openUploads },
      ]
    },
  })
  api.route({
    operation: 'console.listUsage',
    method: 'GET',
    path: '/tenants/{tenantId}/usage',
    who: 'user',
    query: Type.Object({ days: Type.Optional(Type.Integer({ minimum: 1, maximum: 90 })) }),
    answer: ConsoleUsage,
    handle: ({ tenant, query: { days = 30 } }) =>
      usage.get(`${tenant.tenantId}/${days}`, () => countUsage(db, tenant, days)),
  })
  registerRates(api, db)
  api.route({
    operation: 'console.listClinics',
    method: 'GET',
    path: '/tenants/{tenantId}/clinics',
    who: 'user',
    query: Type.Object({ cursor }),
    answer: ConsoleClinics,
    handle: async ({ tenant, query }) => {
      const page = { after: readNumber(query.cursor) ?? 0, most: pageMax + 1 }
      const rows = await db.read(tenant, selectClinicStandings(tenant, page))
      return pageOfRows(
        rows,
        ({ id, organizationId, clinicians, createdAt }) => ({
          id,
          organizationId,
          clinicians,
          createdAt: createdAt.toISOString(),
        }),
        ({ seq }) => seq,
      )
    },
  })
  api.route({
    operation: 'console.listClinicians',
    method: 'GET',
    path: '/tenants/{tenantId}/clinicians',
    who: 'user',
    query: Type.Object({ cursor }),
    answer: ConsoleClinicians,
    handle: async (context) => {
      const { tenant, query } = context
      const page = { after: readNumber(query.cursor) ?? 0, most: pageMax + 1 }
      const rows = await db.read(tenant, selectClinicianStandings(tenant, page))
      const shown = pageOfRows(
        rows,
        ({ id, clinicId, active, sessions, createdAt }) => ({
          id,
          clinicId,
          active,
          sessions,
          createdAt: createdAt.toISOString(),
        }),
        ({ seq }) => seq,
      )
      const subjects = shown.data.map(({ id }) => id)
      await reads.record(context, 'console.listClinicians', subjects)
      return shown
    },
  })
}
