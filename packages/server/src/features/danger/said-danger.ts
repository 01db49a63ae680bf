import type { Tx } from '../../kernel/db/database.js'
import type { DangerItemId, SessionId } from '../../kernel/ids.js'
import type { TenantKeyRing } from '../../kernel/secrets/tenant-keys.js'
import { sealItem, unsealItem, type ItemContent } from './danger-item.js'
import { selectItemsOfSession, updateItemLines } from './danger.sql.js'

export interface SaidDanger {
  itemId: DangerItemId
  content: ItemContent
}

/** All that a session said about danger, whatever became of it. */
export async function listSaidDanger(
  tx: Tx,
  ring: TenantKeyRing,
  sessionId: SessionId,
): Promise<SaidDanger[]> {
  const rows = await tx.run(selectItemsOfSession(tx.tenant, sessionId))
  return rows.map((row) => ({ itemId: row.itemId, content: unsealItem(ring, row) }))
}

/** Gives what was said about danger its places anew after lines of the transcript have gone. It points to no finding until the rest is read again. */
export async function moveSaidDanger(
  tx: Tx,
  ring: TenantKeyRing,
  { itemId, content }: SaidDanger,
  lineOf: (line: number) => number,
): Promise<void> {
  const moved = { ...content, transcriptItems: content.transcriptItems.map(lineOf), findingIds: [] }
  await tx.run(updateItemLines(tx.tenant, { itemId, sealedItem: sealItem(ring, itemId, moved) }))
}
