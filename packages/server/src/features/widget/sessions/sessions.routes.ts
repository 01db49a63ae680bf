import {
  PageOf,
  PageQuery,
  WidgetSession,
  WidgetSessionCreate,
  WidgetTypedSession,
  WidgetWork,
  WidgetWorkQuery,
  type Page,
} from '@casenote/contract'
import type { WidgetApi } from '../../../http/widget-api.js'
import { openChange, type SealedParts } from '../../../kernel/change-context.js'
import { refuse } from '../../../kernel/refuse.js'
import { createRecordedSession, createTypedSession } from '../../sessions/index.js'
import { findTreatedClient, hasConsent } from '../clients/treated-clients.js'
import { listWork } from './list-work.js'
import { describeWidgetSession } from './describe-widget-session.js'
import { findTreatedSession, getWidgetSession, listWidgetSessions } from './read-widget-sessions.js'
import { selectSessionsOfClient } from './session-views.sql.js'

export function registerSessions(api: WidgetApi, parts: SealedParts): void {
  const { db, keys } = parts
  const subjects = (_loaded: unknown, result: unknown): string[] =>
    (result as Page<WidgetSession>).data.flatMap(({ sessionId, client }) => [sessionId, client.id])
  api.route({
    operation: 'widget.listSessions',
    method: 'GET',
    path: '/sessions',
    query: WidgetWorkQuery,
    answer: { status: 200, schema: WidgetWork },
    audit: 'read',
    subjects,
    handle: ({ caller, query: { state = null, name = '', page = 1 } }) =>
      listWork(parts, caller, { state, name, page }),
  })
  api.route({
    operation: 'widget.listSessionsOfClient',
    method: 'GET',
    path: '/clients/{clientId}/sessions',
    load: (caller, { clientId }) => findTreatedClient(db, caller, clientId ?? ''),
    query: PageQuery,
    answer: { status: 200, schema: PageOf(WidgetSession) },
    audit: 'read',
    subjects,
    handle: ({ caller, loaded, query }) => {
      const { clientId } = loaded
      const page = query.page ?? 1
      const statements = selectSessionsOfClient(caller.tenant, { clientId, page })
      return listWidgetSessions(parts, caller.tenant, statements, page)
    },
  })
  api.route({
    operation: 'widget.createSession',
    method: 'POST',
    path: '/clients/{clientId}/sessions',
    load: (caller, { clientId }) => findTreatedClient(db, caller, clientId ?? ''),
    body: WidgetSessionCreate,
    answer: { status: 201, schema: WidgetSession },
    audit: 'change',
    handle: async ({ caller, loaded, body, ...source }) => {
      const { tenant, clinicianId } = caller
      const { clientId } = loaded
      const context = await openChange(parts, tenant, source)
      const { sessionId } = await db.write(tenant, (tx) =>
        createRecordedSession(tx, context, { clientId, clinicianId, given: body }, async () => {
          if (await hasConsent(tx, clientId)) return
          throw refuse.conflict('The client’s consent to be recorded is missing')
        }),
      )
      return getWidgetSession(parts, caller, sessionId)
    },
  })
  api.route({
    operation: 'widget.createTypedSession',
    method: 'POST',
    path: '/clients/{clientId}/typed-sessions',
    load: (caller, { clientId }) => findTreatedClient(db, caller, clientId ?? ''),
    body: WidgetTypedSession,
    answer: { status: 201, schema: WidgetSession },
    audit: 'change',
    handle: async ({ caller, loaded, body, ...source }) => {
      const { tenant, clinicianId } = caller
      const { clientId } = loaded
      const context = await openChange(parts, tenant, source)
      const { sessionId } = await db.write(tenant, (tx) =>
        createTypedSession(tx, context, { clientId, clinicianId, given: body }),
      )
      return getWidgetSession(parts, caller, sessionId)
    },
  })
  api.route({
    operation: 'widget.readSession',
    method: 'GET',
    path: '/sessions/{sessionId}',
    load: (caller, { sessionId }) => findTreatedSession(db, caller, sessionId ?? ''),
    answer: { status: 200, schema: WidgetSession },
    audit: 'read',
    subjects: ({ row }) => [row.clientId],
    handle: async ({ caller, loaded }) =>
      describeWidgetSession(await keys.get(caller.tenant), loaded.row, loaded.note),
  })
}
