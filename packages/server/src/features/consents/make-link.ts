import type { ConsentLink } from '@casenote/contract'
import { recordChange, type ChangeSource } from '../../kernel/audit/index.js'
import type { Tx } from '../../kernel/db/database.js'
import type { ClientId } from '../../kernel/ids.js'
import { hashLinkToken, newLinkToken } from '../../kernel/link-tokens.js'
import { refuse } from '../../kernel/refuse.js'
import { lockClient } from '../clients/index.js'
import { insertConsentLink, renewConsentLink } from './consent-links.sql.js'

/** The link is shown here and never again: only its hash is kept. A new one ends the one before. */
export async function makeConsentLink(
  tx: Tx,
  { clientId, publicUrl, operation }: { clientId: ClientId; publicUrl: string; operation: string },
  source: ChangeSource,
): Promise<ConsentLink> {
  const [client] = await tx.run(lockClient(tx.tenant, clientId))
  if (client?.status === 'archived') throw refuse.conflict('client_archived', 'Client is archived')
  const token = newLinkToken(tx.tenant)
  const hash = hashLinkToken(token)
  const renewed = await tx.run(renewConsentLink(tx.tenant, clientId, hash))
  const [link] = renewed.length > 0 ? renewed : await tx.run(insertConsentLink(tx.tenant, clientId, hash))
  if (link === undefined) throw new Error('a link that was kept is not there')
  const { actor, requestId } = source
  await recordChange(tx, { operation, actor, requestId, subjects: [clientId] })
  return { clientId, url: `${publicUrl}/c/${token}`, expiresAt: link.expiresAt.toISOString() }
}
