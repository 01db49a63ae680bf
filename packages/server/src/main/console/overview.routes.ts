import { ConsoleOverview, ConsoleRequestLogs, oneOf, STATUS_CLASSES } from '@casenote/contract'
import { Type } from 'typebox'
import type { OpenSession } from '../../features/console/index.js'
import { countRecentRequests, listNewestRequests, type LogCursor } from '../../features/request-logs/index.js'
import { countNewestSessions } from '../../features/sessions/index.js'
import { countNewestDeliveries, listEndpointStandings } from '../../features/webhooks/index.js'
import type { ConsoleApi } from '../../http/console-api.js'
import type { Database } from '../../kernel/db/database.js'
import { isId } from '../../kernel/ids.js'
import type { TenantScope } from '../../kernel/tenant.js'
import type { ConsoleParts } from './console-parts.js'
import { isOurTime, pageMax, pageOfRows, readCursor, Cursor } from './cursor.js'
import { KnownForSeconds, screenSeconds } from './known-for-seconds.js'
import type { ConsoleReads } from './record-reads.js'

async function countOverview(db: Database, tenant: TenantScope): Promise<ConsoleOverview> {
  const sessions = await countNewestSessions(db, tenant)
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

/** What happens just now, and what was asked of the APIs. */
export function registerOverview(
  api: ConsoleApi<OpenSession>,
  { db, templates }: ConsoleParts,
  reads: ConsoleReads,
): void {
  const overviews = new KnownForSeconds<ConsoleOverview>(screenSeconds)
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
      cursor: Cursor,
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
