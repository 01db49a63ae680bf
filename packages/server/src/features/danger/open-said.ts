import type { Finding } from '../../engines/reader/reading.js'
import { recordChange } from '../../kernel/audit/index.js'
import type { Tx } from '../../kernel/db/database.js'
import { newId, type SessionId } from '../../kernel/ids.js'
import type { TenantKeyRing } from '../../kernel/secrets/tenant-keys.js'
import { sealItem, unsealItem, type ItemContent } from './danger-item.js'
import { insertSaidItems, selectItemsOfSession, updateOpenItem } from './danger.sql.js'
import { gatherSaid } from './gather-said.js'
import { matchSaid } from './match-said.js'

/** More than anybody reads, and as many as the note's own list holds; what was said first is kept. */
const itemsOfSessionMax = 100

/**
 * Opens what a reading found, in the transaction that keeps the reading. Any number of times: what is known by its words
 * opens once, whatever became of it and whatever is put right in it, and points to the newest reading's findings, by which the ledger knows it. What that
 * reading does not find stays open and points to none; nor does what the note was never compared with (`isCompared`), which
 * would look as if the note had it. The caller has locked the session's reading, so no two open the same.
 */
export async function openSaidDanger(
  tx: Tx,
  ring: TenantKeyRing,
  {
    sessionId,
    findings,
    correctedItems,
    isCompared,
  }: {
    sessionId: SessionId
    findings: readonly Finding[]
    /** Lines of the transcript whose words were put right since they were heard. */
    correctedItems: readonly number[]
    isCompared: boolean
  },
): Promise<void> {
  const said = gatherSaid(findings)
  const rows = await tx.run(selectItemsOfSession(tx.tenant, sessionId))
  const known = rows.map((row) => ({ ...row, content: unsealItem(ring, row) }))
  const { saidOf, fresh } = matchSaid(known, said, correctedItems)
  for (const item of known) {
    const { itemId, isOpen, content } = item
    if (!isOpen) continue
    const found = saidOf.get(item) ?? { ...content, findingIds: [] }
    const now = isCompared ? found : withoutIds(found, content.findingIds)
    if (JSON.stringify(now) === JSON.stringify(content)) continue
    await tx.run(updateOpenItem(tx.tenant, { itemId, sealedItem: sealItem(ring, itemId, now) }))
  }
  const opened = fresh.slice(0, Math.max(0, itemsOfSessionMax - known.length))
  await insert(tx, ring, sessionId, isCompared ? opened : opened.map((one) => withoutIds(one, [])))
}

const withoutIds = (content: ItemContent, known: readonly string[]): ItemContent => ({
  ...content,
  findingIds: content.findingIds.filter((id) => known.includes(id)),
})

async function insert(
  tx: Tx,
  ring: TenantKeyRing,
  sessionId: SessionId,
  contents: readonly ItemContent[],
): Promise<void> {
  if (contents.length === 0) return
  const rows = contents.map((content) => {
    const itemId = newId()
    return { itemId, sealedItem: sealItem(ring, itemId, content) }
  })
  const [made] = await tx.run(insertSaidItems(tx.tenant, sessionId, rows))
  if (made === undefined) throw new Error('a session is gone')
  const subjects = [made.clientId, sessionId, ...rows.map(({ itemId }) => itemId)]
  const actor = { kind: 'system', id: null } as const
  await recordChange(tx, { operation: 'danger.open', actor, requestId: null, subjects })
}
