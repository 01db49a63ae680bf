import { recordChange } from '../../kernel/audit/index.js'
import type { ChangeContext } from '../../kernel/change-context.js'
import type { Tx } from '../../kernel/db/database.js'
import type { DangerItemId } from '../../kernel/ids.js'
import { refuse } from '../../kernel/refuse.js'
import { sealLeftReason, unsealItem } from './danger-item.js'
import { markItemsHeld, insertLeftOpen, lockItemsOfClient, selectOpenForNote } from './danger.sql.js'
import { isAnsweredFor, standingOf, type DangerNote, type StatedAnswers } from './judge-danger.js'

/**
 * Whoever signs in the widget answers for what is open; a partner's signature is never refused for it. `shownIds`: what the
 * signer saw when they said why.
 */
export type OpenDangerRule =
  { isAskedFor: false } | { isAskedFor: true; reason: string | null; shownIds: readonly string[] }

/** Of two signatures only the last lets the note hold anything; the second asks for what the first did not answer for. */
interface Signature {
  firstSignedAt: Date | null
  isLast: boolean
}

/**
 * In the transaction that signs a note: the note holds what it says, and what stays open is recorded with it. 409 where
 * something of this session, or answered since the last signed note, is not in the note and nobody said why of it.
 */
export async function settleDanger(
  tx: Tx,
  { ring, actor, requestId }: ChangeContext,
  note: DangerNote,
  { stated, rule, signature }: { stated: StatedAnswers; rule: OpenDangerRule; signature: Signature },
): Promise<void> {
  const { noteId, clientId, sessionId, review } = note
  const rows = await tx.run(selectOpenForNote(tx.tenant, { clientId, sessionId, clinicianId: null }))
  const locked = await tx.run(
    lockItemsOfClient(
      tx.tenant,
      clientId,
      rows.map(({ itemId }) => itemId),
    ),
  )
  // What somebody closed in between is answered for.
  const open = new Set(locked.filter(({ isOpen }) => isOpen).map(({ itemId }) => itemId))
  const stillOpen = rows.filter(({ itemId }) => open.has(itemId))
  const judged = stillOpen.map((row) => ({
    itemId: row.itemId,
    isAnswered: isAnsweredFor(row, signature.firstSignedAt),
    standing: standingOf(row, unsealItem(ring, row), { review, stated }),
  }))
  const missing = new Set(
    judged
      .filter(({ standing, isAnswered }) => standing === 'not_in_note' && !isAnswered)
      .map(({ itemId }) => itemId),
  )
  const reason = rule.isAskedFor ? rule.reason : null
  if (rule.isAskedFor) {
    const answeredFor = new Set(reason === null ? [] : rule.shownIds)
    if ([...missing].some((itemId) => !answeredFor.has(itemId)))
      throw refuse.conflict('danger_open', openDangerRefusal)
  }
  const held = judged.filter(({ standing }) => standing === 'in_note').map(({ itemId }) => itemId)
  const left = judged.filter(({ standing, isAnswered }) => standing !== 'in_note' && !isAnswered)
  const record = async (operation: string, itemIds: readonly DangerItemId[]): Promise<void> =>
    recordChange(tx, { operation, actor, requestId, subjects: [clientId, sessionId, ...itemIds] })
  if (signature.isLast && held.length > 0) {
    await tx.run(markItemsHeld(tx.tenant, noteId, held))
    await record('danger.hold', held)
  }
  if (left.length === 0) return
  const own = ring.forClient(clientId)
  const leftRows = left.map(({ itemId }) => {
    const hasReason = reason !== null && missing.has(itemId)
    return { itemId, sealedReason: hasReason ? sealLeftReason(own, { noteId, itemId }, reason) : null }
  })
  await tx.run(insertLeftOpen(tx.tenant, noteId, leftRows))
  await record(
    'danger.leaveOpen',
    left.map(({ itemId }) => itemId),
  )
}

/** A sentence for the clinician. */
const openDangerRefusal =
  'Danger is open that is not in the note. Close it, write it, or say why it stays open.'
