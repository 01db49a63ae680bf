import type { Statement } from '../db/database.js'
import type { TenantScope } from '../tenant.js'

/** Whoever wants the same id of the same kind waits until this transaction has ended, in whatever process. */
export const lockExternalId = (tenant: TenantScope, kind: string, externalId: string): Statement => ({
  name: 'lock_external_id',
  text: `select pg_advisory_xact_lock(hashtextextended(concat_ws('/', 'external_id', $1::text, $2::text, $3::text), 0))`,
  values: [tenant.tenantId, kind, externalId],
})

export const selectUniqueExternalIds = (tenant: TenantScope): Statement<{ areUnique: boolean }> => ({
  name: 'select_unique_external_ids',
  text: 'select unique_external_ids as "areUnique" from casenote.tenants where tenant_id = $1',
  values: [tenant.tenantId],
})
