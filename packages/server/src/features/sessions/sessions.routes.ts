import { PageOf, PageQuery, Session, SessionCreate } from '@casenote/contract'
import type { PartnerApi } from '../../http/partner-api.js'
import { openChange, type SealedParts } from '../../kernel/change-context.js'
import { findClient } from '../clients/index.js'
import { createSession, findLanguageProblems, findSourceProblems } from './create-session.js'
import { describeSession } from './describe-session.js'
import { findSession, listSessions } from './read-sessions.js'

export interface SessionsParts extends SealedParts {
  /** What may be spoken in a session here. */
  languages: readonly string[]
}

export function registerSessions(api: PartnerApi, parts: SessionsParts): void {
  const { db, keys, languages } = parts
  api.route({
    operation: 'session.create',
    method: 'POST',
    path: '/clients/{clientId}/sessions',
    summary: 'Create a session from a recording, or from what the clinician typed or dictated about it',
    load: (tenant, { clientId }) => findClient(db, tenant, clientId),
    body: SessionCreate,
    findProblems: ({ targets }, body) => [
      ...findSourceProblems(targets, body),
      ...findLanguageProblems(languages, body),
    ],
    answer: {
      status: 201,
      schema: Session,
      description: 'The session, whose recording is now fetched or whose text is read',
    },
    rules: {
      409: '`Client is archived`, or `Clinician is deactivated`. Where the partner requires it (`requiresRecordingConsent`), also `The client’s consent to be recorded is missing`, for a `fileUrl` that is not `dictated`. Where `uniqueExternalIds` is on, also `sessionExternalId is taken by session …`, with the id of the session that has it; a failed one does not count',
    },
    audit: 'change',
    handle: async ({ tenant, loaded, body, ...caller }) => {
      const context = await openChange(parts, tenant, caller)
      const { clientId } = loaded
      const row = await db.write(tenant, (tx) =>
        createSession(tx, context, tenant.targets, {
          clientId,
          given: body,
          languages,
          isExternalIdUnique: tenant.uniqueExternalIds,
        }),
      )
      return describeSession(context.ring, row)
    },
  })
  api.route({
    operation: 'session.list',
    method: 'GET',
    path: '/clients/{clientId}/sessions',
    summary: 'List the sessions of a client',
    load: (tenant, { clientId }) => findClient(db, tenant, clientId),
    query: PageQuery,
    answer: { status: 200, schema: PageOf(Session), description: 'A page of sessions, oldest first' },
    audit: 'read',
    handle: async ({ tenant, loaded, page }) =>
      listSessions(db, await keys.get(tenant), { clientId: loaded.clientId, page }),
  })
  api.route({
    operation: 'session.read',
    method: 'GET',
    path: '/sessions/{sessionId}',
    summary: 'Read a session',
    load: (tenant, { sessionId }) => findSession(db, tenant, sessionId),
    answer: { status: 200, schema: Session, description: 'The session, with its status and progress' },
    audit: 'read',
    subjects: ({ clientId }) => [clientId],
    handle: async ({ tenant, loaded }) => describeSession(await keys.get(tenant), loaded),
  })
}
