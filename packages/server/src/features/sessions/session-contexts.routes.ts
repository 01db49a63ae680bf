import {
  changeContext,
  findContextProblems,
  SessionContext,
  SessionContextChange,
  type KnownContext,
} from '@casenote/contract'
import type { PartnerApi } from '../../http/partner-api.js'
import { recordChange } from '../../kernel/audit/index.js'
import { openChange, type SealedParts } from '../../kernel/change-context.js'
import type { SessionId } from '../../kernel/ids.js'
import { refuse } from '../../kernel/refuse.js'
import { findContext, keepContext, readContext } from './keep-context.js'
import { findSession, getLockedSession } from './read-sessions.js'

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
      const { ring, actor, requestId } = await openChange(parts, tenant, caller)
      await db.write(tenant, async (tx) => {
        const { failureCode } = await getLockedSession(tx, sessionId)
        if (failureCode === 'discarded' || failureCode === 'withdrawn')
          throw refuse.conflict('session_discarded', 'The session has failed')
        const problems = findContextProblems(changeContext(await readContext(tx, ring, sessionId), body))
        if (problems.length > 0) throw refuse.invalid(problems)
        await keepContext(tx, ring.forClient(clientId), { sessionId, given: body })
        const subjects = [sessionId, clientId]
        await recordChange(tx, { operation: 'session.changeContext', actor, requestId, subjects })
      })
      const { context, updatedAt } = await findContext(db, ring, sessionId)
      return describe(sessionId, context, updatedAt)
    },
  })
}

const describe = (sessionId: SessionId, context: KnownContext, updatedAt: Date | null): SessionContext => ({
  sessionId,
  ...context,
  updatedAt: updatedAt?.toISOString() ?? null,
})
