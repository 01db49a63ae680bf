import type { Tx } from '../../kernel/db/database.js'
import {
  areExternalIdsUnique,
  reserveExternalId,
  requireFreeExternalId,
} from '../../kernel/external-ids/require-free-external-id.js'
import { selectSessionOfExternalId } from './sessions.sql.js'

/** What partners create, and whatever is tried again. The client is locked before: all who want an id come in that order. */
export const requireFreeSessionId = (tx: Tx, externalId: string | null | undefined): Promise<void> =>
  requireFreeExternalId(tx, {
    kind: 'session',
    externalId,
    selectTaken: (wanted) => selectSessionOfExternalId(tx.tenant, wanted),
  })

/** Does what `requireFreeSessionId` does, where the tenant wants external ids to be unique. */
export async function requireFreeIfUnique(tx: Tx, externalId: string | null): Promise<void> {
  if (externalId !== null && (await areExternalIdsUnique(tx))) await requireFreeSessionId(tx, externalId)
}

/** What a clinician recorded or typed is never refused for an id: it would be lost (decision 0034). It counts for others at once. */
export async function reserveIfUnique(tx: Tx, externalId: string | null | undefined): Promise<void> {
  if (externalId != null && (await areExternalIdsUnique(tx)))
    await reserveExternalId(tx, { kind: 'session', externalId })
}
