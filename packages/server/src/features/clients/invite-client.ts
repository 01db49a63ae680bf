import type { InvitedClient } from '@casenote/contract'
import { recordChange, type ChangeSource } from '../../kernel/audit/index.js'
import type { Tx } from '../../kernel/db/database.js'
import { hashLinkToken, newLinkToken } from '../../kernel/link-tokens.js'
import { refuse } from '../../kernel/refuse.js'
import { applyClientAction } from './apply-client-action.js'
import { toClient } from './client-rules.js'
import { lockAndReadClient } from './find-client.js'
import { insertInvitation, revokeInvitations } from './invitations.sql.js'

/** The link is shown here and never again: only its hash is kept. Inviting again replaces the link. */
export async function inviteClient(
  tx: Tx,
  clientId: string,
  publicUrl: string,
  source: ChangeSource,
): Promise<InvitedClient> {
  const client = await lockAndReadClient(tx, clientId)
  if (!client.email && !client.phoneNumber) {
    throw refuse.rule('Client needs an email or a phoneNumber to be invited')
  }
  const status = await applyClientAction(tx, clientId, 'invite')
  if (status === null) throw refuse.conflict(`Client cannot be invited while ${client.status}`)
  const token = newLinkToken(tx.tenant)
  await tx.run(revokeInvitations(tx.tenant, clientId))
  await tx.run(insertInvitation(tx.tenant, clientId, hashLinkToken(token)))
  await recordChange(tx, { ...source, operation: 'client.invite', subjects: [clientId] })
  return { ...toClient({ ...client, status }), inviteUrl: `${publicUrl}/i/${token}` }
}
