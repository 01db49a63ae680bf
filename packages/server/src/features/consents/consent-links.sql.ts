import type { Statement } from '../../kernel/db/database.js'
import { tenantNow } from '../../kernel/db/tenant-clock.sql.js'
import type { ClientId } from '../../kernel/ids.js'
import type { TenantScope } from '../../kernel/tenant.js'

export const revokeConsentLinks = (tenant: TenantScope, clientId: ClientId): Statement => ({
  name: 'revoke_consent_links',
  text: `update casenote.consent_links set revoked_at = now()
    where tenant_id = $1 and client_id = $2 and revoked_at is null`,
  values: [tenant.tenantId, clientId],
})

/** A quarter of a year: with it the client also takes back what they signed. By the database's clock, which also decides whether it is over. */
export const insertConsentLink = (tenant: TenantScope, clientId: ClientId, tokenHash: Buffer): Statement => ({
  name: 'insert_consent_link',
  text: `insert into casenote.consent_links (tenant_id, token_hash, client_id, expires_at)
    values ($1, $2, $3, ${tenantNow} + interval '90 days') returning expires_at as "expiresAt"`,
  values: [tenant.tenantId, tokenHash, clientId],
})
