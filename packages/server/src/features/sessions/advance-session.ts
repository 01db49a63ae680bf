import type { Tx } from '../../kernel/db/database.js'
import { applySessionAction } from './apply-session-action.js'
import { updateProgress } from './sessions.sql.js'

/** The recording is here. False: the session is not at this point, as after a retry or a failure. */
export const startTranscribing = async (tx: Tx, sessionId: string): Promise<boolean> =>
  (await applySessionAction(tx, sessionId, 'startTranscribing')) !== null

/** Every step has ended; whether the note was written is the note's own state. */
export const completeSession = async (tx: Tx, sessionId: string): Promise<boolean> =>
  (await applySessionAction(tx, sessionId, 'complete')) !== null

/** Within a step; what is lower than what was reached is ignored. */
export async function recordProgress(tx: Tx, sessionId: string, progress: number): Promise<void> {
  if (!(progress >= 0 && progress < 1)) throw new Error('the progress of a running session is below 1')
  await tx.run(updateProgress(tx.tenant, sessionId, progress))
}
