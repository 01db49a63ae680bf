import type { Tx } from '../../kernel/db/database.js'
import { requireFreeExternalId } from '../../kernel/external-ids/require-free-external-id.js'
import { selectSessionOfExternalId } from './sessions.sql.js'

/** What partners create and try again. What a clinician recorded is never refused for an id: it would be lost (decision 0034). */
export const requireFreeSessionId = (tx: Tx, externalId: string | null | undefined): Promise<void> =>
  requireFreeExternalId(tx, {
    kind: 'session',
    externalId,
    selectTaken: (wanted) => selectSessionOfExternalId(tx.tenant, wanted),
  })
