import type { WriterEngine } from '../engines/writer/writer-engine.js'
import { failSession } from '../features/sessions/index.js'
import type { ChangeContext } from '../kernel/change-context.js'
import type { Tx } from '../kernel/db/database.js'
import type { SessionId } from '../kernel/ids.js'

/**
 * Without a language model nothing can be written of talk that the reader does not know: its session ends here, with its transcript, instead of
 * with a note that could not be made (decision 0052).
 */
export async function endUnwritten(
  tx: Tx,
  context: ChangeContext,
  { sessionId, language, writer }: { sessionId: SessionId; language: string | null; writer: WriterEngine },
): Promise<void> {
  if (language === null || writer.name !== 'extract') return
  await failSession(tx, context, { sessionId, failure: 'language_not_written' })
}
