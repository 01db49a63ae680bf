import {
  ConsoleRetried,
  ConsoleSessionCourse,
  ConsoleSessions,
  oneOf,
  SESSION_STATUSES,
} from '@casenote/contract'
import { Type } from 'typebox'
import type { OpenSession } from '../../features/console/index.js'
import { findSession, findSessionCourse, listNewestSessions } from '../../features/sessions/index.js'
import { retryFailedSession } from '../../features/widget/index.js'
import type { ConsoleApi } from '../../http/console-api.js'
import { refuse } from '../../kernel/refuse.js'
import { sourceOf, type ConsoleParts } from './console-parts.js'
import { pageMax, pageOfRows, readNumber, Cursor } from './cursor.js'
import type { ConsoleReads } from './record-reads.js'

export function registerTenantSessions(
  api: ConsoleApi<OpenSession>,
  parts: ConsoleParts,
  reads: ConsoleReads,
): void {
  const { db } = parts
  api.route({
    operation: 'console.listSessions',
    method: 'GET',
    path: '/tenants/{tenantId}/sessions',
    who: 'user',
    query: Type.Object({ status: Type.Optional(oneOf(SESSION_STATUSES)), cursor: Cursor }),
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
