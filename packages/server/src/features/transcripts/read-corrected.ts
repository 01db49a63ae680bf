import type { Tx } from '../../kernel/db/database.js'
import type { SessionId } from '../../kernel/ids.js'
import { selectCorrectedNumbers } from './transcript-corrections.sql.js'
import { selectTranscriptMark } from './transcripts.sql.js'

/** Lines whose words were ever put right, and a mark: another one, and other words or speakers stand there. Null: no transcript. */
export interface CorrectedLines {
  items: number[]
  mark: string | null
}

export async function readCorrected(tx: Tx, sessionId: SessionId): Promise<CorrectedLines> {
  const rows = await tx.run(selectCorrectedNumbers(tx.tenant, sessionId))
  const [transcript] = await tx.run(selectTranscriptMark(tx.tenant, sessionId))
  return { items: rows.map(({ item }) => item), mark: transcript?.mark ?? null }
}
