import { setImmediate as nextTurn } from 'node:timers/promises'
import type { CorrectedItem } from '@casenote/contract'
import type { Database } from '../../kernel/db/database.js'
import type { SessionId } from '../../kernel/ids.js'
import { unsealJson, type JsonPlace } from '../../kernel/secrets/sealed-json.js'
import type { TenantKeyRing } from '../../kernel/secrets/tenant-keys.js'
import { selectCorrectedItems } from './transcript-corrections.sql.js'

export const correctionPlace = (
  sessionId: SessionId,
  number: number,
): JsonPlace<{ before: string; after: string }> => ({
  table: 'transcript_corrections',
  row: `${sessionId}/${number}`,
  column: 'sealed_words',
})

/** There may be two thousand; these take some milliseconds. */
const openedInTurn = 200

/** Each item that was ever corrected, with what the recognizer had written and who was the last to change it. */
export async function listCorrectedItems(
  db: Database,
  ring: TenantKeyRing,
  sessionId: SessionId,
): Promise<CorrectedItem[]> {
  const tenant = { tenantId: ring.tenantId }
  const rows = await db.read(tenant, selectCorrectedItems(tenant, sessionId))
  const items: CorrectedItem[] = []
  for (const { item, number, sealedWords, name, at } of rows) {
    const { before } = unsealJson(ring, correctionPlace(sessionId, number), sealedWords)
    items.push({ item, original: before, name, at: at.toISOString() })
    if (items.length % openedInTurn === 0) await nextTurn()
  }
  return items
}
