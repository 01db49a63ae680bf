import type { Statement } from '../../kernel/db/database.js'
import { tenantNow } from '../../kernel/db/tenant-clock.sql.js'
import type { ClientId } from '../../kernel/ids.js'
import type { TenantScope } from '../../kernel/tenant.js'

/** A quarter of a year: with it the client also takes back what they signed. By the database's clock, which also decides whether it is over. */
const expiry = `${tenantNow} + interval '90 days'`

/** In the place of the client's link of before, which opens nothing from here on: however often one is made, a client has one row. */
export const renewConsentLink = (
  tenant: TenantScope,
  clientId: ClientId,
  tokenHash: Buffer,
): Statement<{ expiresAt: Date }> => ({
  name: 'renew_consent_link',
  text: `update casenote.consent_links set token_hash = $3, created_at = now(), expires_at = ${expiry}
    where tenant_id = $1 and client_id = $2 and revoked_at is null returning expires_at as "expiresAt"`,
  values: [tenant.tenantId, clientId, tokenHash],
})

/** The first one. */
export const insertConsentLink = (
  tenant: TenantScope,
  clientId: ClientId,
  tokenHash: Buffer,
): Statement<{ expiresAt: Date }> => ({
  name: 'insert_consent_link',
  text: `insert into casenote.consent_links (tenant_id, token_hash, client_id, expires_at)
    values ($1, $2, $3, ${expiry}) returning expires_at as "expiresAt"`,
  values: [tenant.tenantId, tokenHash, clientId],
})
