import { recordChange } from '../../kernel/audit/index.js'
import type { ChangeContext } from '../../kernel/change-context.js'
import type { Tx } from '../../kernel/db/database.js'
import type { NoteRow } from './progress-notes.sql.js'

/** Records a change of a note with the client among its subjects: the question to an audit log is whose data was touched. */
export async function recordNoteChange(
  tx: Tx,
  { actor, requestId }: ChangeContext,
  operation: string,
  { progressNoteId, sessionId, clientId }: Pick<NoteRow, 'progressNoteId' | 'sessionId' | 'clientId'>,
): Promise<void> {
  tx.announce('casenote_sessions')
  await recordChange(tx, { operation, actor, requestId, subjects: [progressNoteId, sessionId, clientId] })
}
