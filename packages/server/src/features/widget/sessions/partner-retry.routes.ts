import { Session } from '@casenote/contract'
import type { PartnerApi } from '../../../http/partner-api.js'
import { recordChange, type ChangeSource } from '../../../kernel/audit/index.js'
import { openChange } from '../../../kernel/change-context.js'
import { refuse } from '../../../kernel/refuse.js'
import type { TenantScope } from '../../../kernel/tenant.js'
import { requireActive } from '../../clinicians/index.js'
import { findNoteOfSession } from '../../progress-notes/index.js'
import {
  describeSession,
  findSession,
  findTreating,
  getSession,
  tryAgain,
  type SessionRow,
} from '../../sessions/index.js'
import type { CorrectionParts } from './correct-client.routes.js'
import { retryPartsOf } from './retry-parts.js'

/** The partner's way out of a session that failed; the clinician has the same one in the widget. */
export function registerSessionRetry(api: PartnerApi, parts: CorrectionParts): void {
  const { db } = parts
  api.route({
    operation: 'session.retry',
    method: 'POST',
    path: '/sessions/{sessionId}/retry',
    summary: 'Try a failed session again',
    load: (tenant, { sessionId }) => findSession(db, tenant, sessionId),
    answer: {
      status: 200,
      schema: Session,
      description:
        'A new session with the recording, `fileUrl` or text of the failed one, or with its transcript where the recording is gone, its `sessionExternalId`, and `retryOf`. Asked again, the same new session',
    },
    rules: {
      409: 'It has not failed, it would fail the same way again, neither its recording nor a transcript is kept any more, its client is archived, or its clinician is deactivated or does not treat the client any more. Where `uniqueExternalIds` is on, also: another session has its `sessionExternalId` by now',
    },
    audit: 'change',
    handle: ({ tenant, loaded, actor, requestId }) =>
      retryFailedSession(parts, tenant, loaded, { actor, requestId }),
  })
}

/** Whoever asks for it: the partner, or somebody in the console. */
export async function retryFailedSession(
  parts: CorrectionParts,
  tenant: TenantScope,
  session: SessionRow,
  by: ChangeSource,
): Promise<Session> {
  const { db, blobs } = parts
  const { sessionId } = session
  const context = await openChange(parts, tenant, by)
  const note = await findNoteOfSession(db, tenant, sessionId)
  const retried = { sessionId, note, keepDays: blobs.keepDays }
  const row = await db.write(tenant, async (tx) => {
    await requireActive(tx, session.clinicianId)
    if ((await findTreating(tx, session.clientId, session.clinicianId)) === null)
      throw refuse.conflict(
        'clinician_not_treating',
        'The clinician of the session does not treat the client any more',
      )
    const again = await getSession(tx, await tryAgain(tx, context, retryPartsOf(context.ring, retried)))
    const subjects = [sessionId, again.sessionId, again.clientId]
    await recordChange(tx, { ...by, operation: 'session.retry', subjects })
    return again
  })
  return describeSession(context.ring, row)
}
