import { changeContext, findContextProblems, type SessionContextChange } from '@casenote/contract'
import { recordChange } from '../../kernel/audit/index.js'
import type { ChangeContext } from '../../kernel/change-context.js'
import type { Tx } from '../../kernel/db/database.js'
import type { ClientId, SessionId } from '../../kernel/ids.js'
import { refuse } from '../../kernel/refuse.js'
import { keepContext, readContext } from './keep-context.js'
import { getLockedSession } from './read-sessions.js'

/** What is given takes the place of what was known beside the session; the rest stays. */
export async function changeSessionContext(
  tx: Tx,
  { ring, actor, requestId }: ChangeContext,
  { sessionId, clientId, given }: { sessionId: SessionId; clientId: ClientId; given: SessionContextChange },
): Promise<void> {
  const { failureCode } = await getLockedSession(tx, sessionId)
  if (failureCode === 'discarded' || failureCode === 'withdrawn')
    throw refuse.conflict('session_discarded', 'The session has failed')
  const problems = findContextProblems(changeContext(await readContext(tx, ring, sessionId), given))
  if (problems.length > 0) throw refuse.invalid(problems)
  await keepContext(tx, ring.forClient(clientId), { sessionId, given })
  const subjects = [sessionId, clientId]
  await recordChange(tx, { operation: 'session.changeContext', actor, requestId, subjects })
}
