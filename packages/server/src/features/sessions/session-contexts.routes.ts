import { SessionContext, SessionContextChange, type KnownContext } from '@casenote/contract'
import type { PartnerApi } from '../../http/partner-api.js'
import { openChange, type SealedParts } from '../../kernel/change-context.js'
import type { SessionId } from '../../kernel/ids.js'
import { changeSessionContext } from './change-session-context.js'
import { findContext } from './keep-context.js'
import { findSession } from './read-sessions.js'

/** What a partner knows beside a session (decision 0040). */
export function registerSessionContexts(api: PartnerApi, parts: SealedParts): void {
  const { db, keys } = parts
  api.route({
    operation: 'session.readContext',
    method: 'GET',
    path: '/sessions/{sessionId}/context',
    summary: 'Read what you told about a session',
    load: (tenant, { sessionId }) => findSession(db, tenant, sessionId),
    answer: {
      status: 200,
      schema: SessionContext,
      description: 'What was given as `context`; `updatedAt` is `null` where nothing was',
    },
    audit: 'read',
    subjects: ({ clientId }) => [clientId],
    handle: async ({ tenant, loaded: { sessionId } }) => {
      const { context, updatedAt } = await findContext(db, await keys.get(tenant), sessionId)
      return describe(sessionId, context, updatedAt)
    },
  })
  api.route({
    operation: 'session.changeContext',
    method: 'PATCH',
    path: '/sessions/{sessionId}/context',
    summary: 'Tell what you know about a session',
    description:
      'Background for the writer of the note, and for the checks before it is signed: nothing of it is ever written as if it had been said. A note that is there already is not written anew for it: `POST /progress-notes/{progressNoteId}/regenerate` does that.',
    load: (tenant, { sessionId }) => findSession(db, tenant, sessionId),
    body: SessionContextChange,
    answer: {
      status: 200,
      schema: SessionContext,
      description: 'All that is known now: what is given takes the place of what was, the rest stays',
    },
    rules: { 409: 'The session was discarded, or withdrawn for another client' },
    audit: 'change',
    handle: async ({ tenant, loaded: { sessionId, clientId }, body, ...caller }) => {
      const change = await openChange(parts, tenant, caller)
      await db.write(tenant, (tx) => changeSessionContext(tx, change, { sessionId, clientId, given: body }))
      const { context, updatedAt } = await findContext(db, change.ring, sessionId)
      return describe(sessionId, context, updatedAt)
    },
  })
}

const describe = (sessionId: SessionId, context: KnownContext, updatedAt: Date | null): SessionContext => ({
  sessionId,
  ...context,
  updatedAt: updatedAt?.toISOString() ?? null,
})
