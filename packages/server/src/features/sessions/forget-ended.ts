import type { Tx } from '../../kernel/db/database.js'
import type { ClientId, SessionId } from '../../kernel/ids.js'
import { forgetHeard, stopHearing } from '../live-transcripts/index.js'
import { isUnderHold } from '../session-gaps/index.js'
import { forgetPad } from '../session-pads/index.js'
import { forgetContext } from './keep-context.js'
import { deleteDownload } from './recording-downloads.sql.js'
import { listEndedSessions } from './sessions.sql.js'

interface EndedSession {
  sessionId: SessionId
  clientId: ClientId
  /** Whether the session was given up by its clinician, or since nothing came of it: what was written beside it goes, too. */
  isGivenUp: boolean
}

/** What was heard of a session that ended without a transcript. Under a legal hold it stays where nobody reads it, until it is lifted. */
export async function forgetEnded(tx: Tx, session: EndedSession): Promise<void> {
  if (await isUnderHold(tx, session.clientId)) await stopHearing(tx, session.sessionId)
  else await forget(tx, session)
}

/** What a hold that is lifted now kept of such sessions. The client is locked. */
export async function forgetEndedOfClient(tx: Tx, clientId: ClientId): Promise<void> {
  for (const session of await tx.run(listEndedSessions(tx.tenant, clientId))) await forget(tx, session)
}

async function forget(
  tx: Tx,
  { sessionId, isGivenUp }: Pick<EndedSession, 'sessionId' | 'isGivenUp'>,
): Promise<void> {
  await tx.run(deleteDownload(tx.tenant, sessionId))
  await forgetHeard(tx, sessionId)
  if (!isGivenUp) return
  await forgetPad(tx, sessionId)
  await forgetContext(tx, sessionId)
}
