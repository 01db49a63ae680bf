import type { InvitedClient } from '@casenote/contract'
import { recordChange, type ChangeSource } from '../../kernel/audit/index.js'
import type { Tx } from '../../kernel/db/database.js'
import type { ClientId } from '../../kernel/ids.js'
import { hashLinkToken, newLinkToken } from '../../kernel/link-tokens.js'
import { refuse } from '../../kernel/refuse.js'
import type { TenantKeyRing } from '../../kernel/secrets/tenant-keys.js'
import { queueClientMail } from '../client-mail/index.js'
import { applyClientAction } from './apply-client-action.js'
import { toClient } from './client-rules.js'
import { readLockedClient } from './find-client.js'
import { insertInvitation, revokeInvitations } from './invitations.sql.js'

export interface InviteOptions {
  publicUrl: string
  /** Null: no mail is sent. */
  mailRing: TenantKeyRing | null
}

/** The link is shown here and never again: only its hash is kept. Inviting again replaces the link. */
export async function inviteClient(
  tx: Tx,
  clientId: ClientId,
  { publicUrl, mailRing }: InviteOptions,
  source: ChangeSource,
): Promise<InvitedClient> {
  const client = await readLockedClient(tx, clientId)
  if (!client.email && !client.phoneNumber) {
    throw refuse.rule('client_unreachable', 'Client needs an email or a phoneNumber to be invited')
  }
  const status = await applyClientAction(tx, clientId, 'invite')
  if (status === null)
    throw refuse.conflict('client_not_invitable', `Client cannot be invited while ${client.status}`)
  const token = newLinkToken(tx.tenant)
  await tx.run(revokeInvitations(tx.tenant, clientId))
  const [invitation] = await tx.run(insertInvitation(tx.tenant, clientId, hashLinkToken(token)))
  await recordChange(tx, { ...source, operation: 'client.invite', subjects: [clientId] })
  const inviteUrl = `${publicUrl}/i/${token}`
  const isEmailed = mailRing !== null && invitation !== undefined && Boolean(client.email)
  if (isEmailed) {
    const { expiresAt } = invitation
    const mail = { clientId, kind: 'invitation', assignment: null, url: inviteUrl, expiresAt } as const
    await queueClientMail(tx, mailRing, mail)
  }
  return { ...toClient({ ...client, status }), inviteUrl, isEmailed }
}
