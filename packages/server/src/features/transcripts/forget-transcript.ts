import type { Tx } from '../../kernel/db/database.js'
import type { SessionId } from '../../kernel/ids.js'
import { forgetHeard } from '../live-transcripts/index.js'
import { deleteReading } from './readings.sql.js'
import { deleteCorrections } from './transcript-corrections.sql.js'
import { deleteTranscript } from './transcripts.sql.js'

/** What was said and what was found in it, of a session that was withdrawn: the other session hears the recording anew. */
export async function forgetTranscript(tx: Tx, sessionId: SessionId): Promise<void> {
  await tx.run(deleteTranscript(tx.tenant, sessionId))
  await tx.run(deleteCorrections(tx.tenant, sessionId))
  await forgetHeard(tx, sessionId)
  await tx.run(deleteReading(tx.tenant, sessionId))
}
