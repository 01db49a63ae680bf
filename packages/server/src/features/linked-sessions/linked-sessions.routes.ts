import { LinkedSessionCreate, Session } from '@casenote/contract'
import type { PartnerApi } from '../../http/partner-api.js'
import { openChange, type SealedParts } from '../../kernel/change-context.js'
import { describeSession, findSession } from '../sessions/index.js'
import { linkSession } from './link-session.js'

/** A note for each of those who were recorded together (decision 0051). */
export function registerLinkedSessions(api: PartnerApi, parts: SealedParts): void {
  const { db } = parts
  api.route({
    operation: 'session.link',
    method: 'POST',
    path: '/sessions/{sessionId}/linked-sessions',
    summary: 'Make a session of its own for another client who is heard',
    description:
      'A session with a note and events of its own, of the lines of these voices and of what the clinician asked directly before them. Nothing that others said is in it, and no recording. Asked again for the same client and voices, it is the same session.',
    load: (tenant, { sessionId }) => findSession(db, tenant, sessionId),
    body: LinkedSessionCreate,
    answer: { status: 201, schema: Session, description: 'The client’s own session, with `sharedFrom`' },
    rules: {
      409: '`Transcript has not been generated`, or it was typed or dictated; `Client is archived`; `Clinician is deactivated`; the client has one with other voices, or another has one of these; the session is a linked one itself, or was tried again; no voice is the clinician’s, or nobody said who the other voices are. Where it was recorded in the widget or the partner requires it (`requiresRecordingConsent`), also `The client’s consent to be recorded is missing`. Where `uniqueExternalIds` is on, also `sessionExternalId is taken by session …`',
    },
    // The path is of the shared session, and of its client: the answer is of the other one, and goes with them.
    clientOf: ({ clientId }) => clientId,
    audit: 'change',
    handle: async ({ tenant, loaded, body, ...caller }) => {
      const context = await openChange(parts, tenant, caller)
      const row = await db.write(tenant, (tx) =>
        linkSession(tx, context, { sharedSessionId: loaded.sessionId, given: body }),
      )
      return describeSession(context.ring, row)
    },
  })
}
