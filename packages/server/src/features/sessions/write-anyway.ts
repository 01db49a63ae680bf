import type { ChangeContext } from '../../kernel/change-context.js'
import type { Tx } from '../../kernel/db/database.js'
import { refuse } from '../../kernel/refuse.js'
import { NoRetry, retrySession, type RetryParts } from './retry-session.js'
import { isOfLanguage } from './session-lifecycle.js'
import { lockEndedSession, selectRetryOf, type EndedSessionRow } from './sessions.sql.js'

/**
 * The clinician says that a session was in English, which the service did not understand: another session with the same
 * recording or text, of which whatever is heard is taken. Asked again, it is the same one.
 */
export async function writeAnyway(tx: Tx, context: ChangeContext, parts: RetryParts): Promise<string> {
  const { sessionId } = parts
  const [held] = await tx.run<EndedSessionRow & Record<string, unknown>>(
    lockEndedSession(tx.tenant, sessionId),
  )
  const [again] = await tx.run<{ sessionId: string }>(selectRetryOf(tx.tenant, sessionId))
  if (again !== undefined) return again.sessionId
  if (held?.status !== 'failed' || !isOfLanguage(held.failureCode))
    throw refuse.conflict('The session did not fail because of its language')
  try {
    return await retrySession(tx, context, { ...parts, language: 'en' })
  } catch (error) {
    if (error instanceof NoRetry) throw refuse.conflict('The recording is no longer kept')
    throw error
  }
}
