import { StretchToStrike, StruckStretch } from '@casenote/contract'
import type { PartnerApi } from '../../http/partner-api.js'
import { openChange, type SealedParts } from '../../kernel/change-context.js'
import { findSession } from '../sessions/index.js'
import { strikeStretch } from './strike-stretch.js'

/** What is off the record afterwards (decision 0049); the clinician has the same in the widget. */
export function registerStrikes(api: PartnerApi, parts: SealedParts): void {
  const { db } = parts
  api.route({
    operation: 'session.strike',
    method: 'POST',
    path: '/sessions/{sessionId}/strike',
    summary: 'Strike a stretch of a session',
    load: (tenant, { sessionId }) => findSession(db, tenant, sessionId),
    body: StretchToStrike,
    answer: {
      status: 200,
      schema: StruckStretch,
      description:
        'What was taken out, or with `preview` what would be. Audio, words and whatever was written of the session are gone, also from sessions that are linked to it; the note is written anew from what is left',
    },
    rules: {
      409: 'The session is being processed, its note is signed, danger was said in the stretch and `dangerSeen` is not true, nothing would be left, nobody was recorded, or the client is under a legal hold; the same of a linked session that has lines in the stretch',
    },
    audit: 'change',
    handle: async ({ tenant, loaded, body, ...caller }) => {
      const context = await openChange(parts, tenant, caller)
      const by = { kind: 'partner', id: tenant.tenantId } as const
      return db.write(tenant, (tx) => strikeStretch(tx, context, { sessionId: loaded.sessionId, by }, body))
    },
  })
}
