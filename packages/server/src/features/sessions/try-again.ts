import type { ChangeContext } from '../../kernel/change-context.js'
import type { Tx } from '../../kernel/db/database.js'
import type { SessionId } from '../../kernel/ids.js'
import { refuse, type Refusal } from '../../kernel/refuse.js'
import { NoRetry, retrySession, type RetryParts } from './retry-session.js'
import { canBeTriedAgain, isOfLanguage } from './session-lifecycle.js'
import { lockEndedSession, selectRetryOf } from './sessions.sql.js'

/** The clinician has a session tried again that failed for want of something, with the same recording or text. */
export async function tryAgain(tx: Tx, context: ChangeContext, parts: RetryParts): Promise<string> {
  const { again, failureCode } = await findFailure(tx, parts.sessionId)
  if (again !== null) return again
  if (!canBeTriedAgain(failureCode))
    throw refuse.conflict('session_not_retryable', 'The session cannot be tried again')
  return retryForClinician(tx, context, parts)
}

/**
 * The clinician says that a session was in English, which the service did not understand: another session with the same
 * recording or text, of which whatever is heard is taken.
 */
export async function writeAnyway(tx: Tx, context: ChangeContext, parts: RetryParts): Promise<string> {
  const { again, failureCode } = await findFailure(tx, parts.sessionId)
  if (again !== null) return again
  if (!isOfLanguage(failureCode))
    throw refuse.conflict('session_not_of_language', 'The session did not fail because of its language')
  return retryForClinician(tx, context, { ...parts, language: 'en' })
}

/** `again`: asked twice, it is the same session. The other session of a withdrawn one is another client's, and told to nobody here. */
async function findFailure(
  tx: Tx,
  sessionId: SessionId,
): Promise<{ again: string | null; failureCode: string | null }> {
  const [locked] = await tx.run(lockEndedSession(tx.tenant, sessionId))
  const failureCode = locked?.failureCode ?? null
  const [again] = failureCode === 'withdrawn' ? [] : await tx.run(selectRetryOf(tx.tenant, sessionId))
  return { again: again?.sessionId ?? null, failureCode }
}

async function retryForClinician(tx: Tx, context: ChangeContext, parts: RetryParts): Promise<string> {
  try {
    return await retrySession(tx, context, parts)
  } catch (error) {
    if (error instanceof NoRetry) throw toRefusal(error)
    throw error
  }
}

function toRefusal({ obstacle }: NoRetry): Refusal {
  if (obstacle === 'archived')
    return refuse.conflict(
      'client_archived',
      'The client is archived. Have the client made active again, then the session can be tried again.',
    )
  if (obstacle === 'recording_gone')
    return refuse.conflict('recording_gone', 'The recording is no longer kept')
  if (obstacle === 'text_gone') return refuse.conflict('text_gone', 'The text is no longer kept')
  return refuse.conflict('session_not_retryable', 'The session cannot be tried again')
}
