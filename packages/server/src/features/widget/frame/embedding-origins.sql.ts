import type { Statement } from '../../../kernel/db/database.js'
import type { TenantScope } from '../../../kernel/tenant.js'

/** Null: any origin. */
export const selectEmbeddingOrigins = (tenant: TenantScope): Statement<{ origins: string[] | null }> => ({
  name: 'select_embedding_origins',
  text: `select embedding_origins as origins from casenote.tenants
    where tenant_id = $1 and suspended_at is null`,
  values: [tenant.tenantId],
})
