import type { Tx } from '../../kernel/db/database.js'
import { selectCorrectedNumbers } from './transcript-corrections.sql.js'

interface CorrectedRow {
  item: number
  corrections: number
}

/** Which lines were ever put right, and how often in all: another number, and other words stand there than were read. */
export interface CorrectedLines {
  items: number[]
  total: number
}

export async function readCorrected(tx: Tx, sessionId: string): Promise<CorrectedLines> {
  const rows = await tx.run<CorrectedRow & Record<string, unknown>>(
    selectCorrectedNumbers(tx.tenant, sessionId),
  )
  return {
    items: rows.map(({ item }) => item),
    total: rows.reduce((sum, { corrections }) => sum + corrections, 0),
  }
}
