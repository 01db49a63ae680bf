import type { Statement } from '../../kernel/db/database.js'
import { tenantNow } from '../../kernel/db/tenant-clock.sql.js'
import type { ClientId } from '../../kernel/ids.js'
import type { TenantScope } from '../../kernel/tenant.js'

export const revokeInvitations = (tenant: TenantScope, clientId: ClientId): Statement => ({
  name: 'revoke_invitations',
  text: `update casenote.client_invitations set revoked_at = now()
    where tenant_id = $1 and client_id = $2 and revoked_at is null`,
  values: [tenant.tenantId, clientId],
})

/** Two weeks: a holiday long. By the database's clock, which also decides whether it is over. */
export const insertInvitation = (
  tenant: TenantScope,
  clientId: ClientId,
  tokenHash: Buffer,
): Statement<{ expiresAt: Date }> => ({
  name: 'insert_invitation',
  text: `insert into casenote.client_invitations (tenant_id, token_hash, client_id, expires_at)
    values ($1, $2, $3, ${tenantNow} + interval '14 days') returning expires_at as "expiresAt"`,
  values: [tenant.tenantId, tokenHash, clientId],
})
