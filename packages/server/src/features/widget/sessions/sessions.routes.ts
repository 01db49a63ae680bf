import {
  PageOf,
  pageOfTen,
  PageQuery,
  WidgetSession,
  WidgetSessionCreate,
  WidgetTypedSession,
  WidgetWork,
  WidgetWorkQuery,
  type Page,
} from '@casenote/contract'
import type { WidgetApi } from '../../../http/widget-api.js'
import type { WidgetCaller } from '../../../http/widget-caller.js'
import type { ChangeSource } from '../../../kernel/audit/index.js'
import { openChange, type ChangeContext, type SealedParts } from '../../../kernel/change-context.js'
import type { Tx } from '../../../kernel/db/database.js'
import type { SessionId } from '../../../kernel/ids.js'
import {
  createDictatedSession,
  createRecordedSession,
  createTypedSession,
  type SessionsParts,
} from '../../sessions/index.js'
import { requireConsent } from '../../consents/index.js'
import { findTreatedClient } from '../clients/treated-clients.js'
import { listWork } from './list-work.js'
import { describeWidgetSession } from './describe-widget-session.js'
import { findTreatedSession, getWidgetSession, listWidgetSessions } from './read-widget-sessions.js'
import { selectSessionsOfClient } from './session-views.sql.js'

export function registerSessions(api: WidgetApi, parts: SessionsParts): void {
  const { db, keys, languages } = parts
  const subjects = (_loaded: unknown, result: Page<WidgetSession>): string[] =>
    result.data.flatMap(({ sessionId, client }) => [sessionId, client.id])
  api.route({
    operation: 'widget.listSessions',
    method: 'GET',
    path: '/sessions',
    query: WidgetWorkQuery,
    answer: { status: 200, schema: WidgetWork },
    audit: 'read',
    subjects,
    handle: ({ caller, query: { state = null, name = '', page } }) =>
      listWork(parts, caller, { state, name, page: pageOfTen(page) }),
  })
  api.route({
    operation: 'widget.listSessionsOfClient',
    method: 'GET',
    path: '/clients/{clientId}/sessions',
    load: (caller, { clientId }) => findTreatedClient(db, caller, clientId),
    query: PageQuery,
    answer: { status: 200, schema: PageOf(WidgetSession) },
    audit: 'read',
    subjects,
    handle: ({ caller, loaded, query }) => {
      const { clientId } = loaded
      const page = pageOfTen(query.page)
      const statements = selectSessionsOfClient(caller.tenant, { clientId, page })
      return listWidgetSessions(parts, caller.tenant, statements, page)
    },
  })
  api.route({
    operation: 'widget.createSession',
    method: 'POST',
    path: '/clients/{clientId}/sessions',
    load: (caller, { clientId }) => findTreatedClient(db, caller, clientId),
    body: WidgetSessionCreate,
    answer: { status: 201, schema: WidgetSession },
    audit: 'change',
    handle: ({ caller, loaded: { clientId }, body, ...source }) =>
      open(parts, caller, source, (tx, context) =>
        createRecordedSession(tx, context, { clientId, clinicianId: caller.clinicianId, given: body }, () =>
          requireConsent(tx, clientId),
        ),
      ),
  })
  api.route({
    operation: 'widget.createDictatedSession',
    method: 'POST',
    path: '/clients/{clientId}/dictated-sessions',
    load: (caller, { clientId }) => findTreatedClient(db, caller, clientId),
    body: WidgetSessionCreate,
    answer: { status: 201, schema: WidgetSession },
    audit: 'change',
    handle: ({ caller, loaded: { clientId }, body, ...source }) =>
      open(parts, caller, source, (tx, context) =>
        createDictatedSession(tx, context, { clientId, clinicianId: caller.clinicianId, given: body }),
      ),
  })
  api.route({
    operation: 'widget.createTypedSession',
    method: 'POST',
    path: '/clients/{clientId}/typed-sessions',
    load: (caller, { clientId }) => findTreatedClient(db, caller, clientId),
    body: WidgetTypedSession,
    answer: { status: 201, schema: WidgetSession },
    audit: 'change',
    handle: ({ caller, loaded: { clientId }, body, ...source }) =>
      open(parts, caller, source, (tx, context) =>
        createTypedSession(tx, context, {
          clientId,
          clinicianId: caller.clinicianId,
          given: body,
          languages,
        }),
      ),
  })
  api.route({
    operation: 'widget.readSession',
    method: 'GET',
    path: '/sessions/{sessionId}',
    load: (caller, { sessionId }) => findTreatedSession(db, caller, sessionId),
    answer: { status: 200, schema: WidgetSession },
    audit: 'read',
    subjects: ({ row }) => [row.clientId],
    handle: async ({ caller, loaded }) =>
      describeWidgetSession(await keys.get(caller.tenant), loaded.row, loaded.note),
  })
}

/** A session as the frame shows it once it is made. */
async function open(
  parts: SealedParts,
  caller: WidgetCaller,
  source: ChangeSource,
  create: (tx: Tx, context: ChangeContext) => Promise<{ sessionId: SessionId }>,
): Promise<WidgetSession> {
  const context = await openChange(parts, caller.tenant, source)
  const { sessionId } = await parts.db.write(caller.tenant, (tx) => create(tx, context))
  return getWidgetSession(parts, caller, sessionId)
}
