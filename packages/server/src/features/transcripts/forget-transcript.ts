import type { Tx } from '../../kernel/db/database.js'
import type { SessionId } from '../../kernel/ids.js'
import { endJobsOf } from '../../jobs/enqueue-job.js'
import { selectEarlierTries } from '../sessions/index.js'
import { forgetHeard } from '../live-transcripts/index.js'
import { deleteReading } from './readings.sql.js'
import { deleteCorrections } from './transcript-corrections.sql.js'
import { deleteTranscript } from './transcripts.sql.js'

/** What was said and what was found in it, of a session that was withdrawn or tried again: the other session has its own. */
export async function forgetTranscript(tx: Tx, sessionId: SessionId): Promise<void> {
  await tx.run(deleteTranscript(tx.tenant, sessionId))
  await tx.run(deleteCorrections(tx.tenant, sessionId))
  await forgetHeard(tx, sessionId)
  await tx.run(deleteReading(tx.tenant, sessionId))
}

/**
 * What goes of a session goes of those that it is another try of, too: they heard the same. They have their transcripts until the newer one is
 * kept, and under a legal hold for as long as that lasts. Gives their ids.
 */
export async function forgetEarlierTries(tx: Tx, sessionId: SessionId): Promise<SessionId[]> {
  const earlier = (await tx.run(selectEarlierTries(tx.tenant, sessionId))).map((row) => row.sessionId)
  // What is being made of their words would be kept after them.
  await endJobsOf(tx, earlier)
  for (const one of earlier) await forgetTranscript(tx, one)
  return earlier
}
