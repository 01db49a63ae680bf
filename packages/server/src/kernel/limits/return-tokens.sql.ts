import type { Statement } from '../db/database.js'
import type { TenantScope } from '../tenant.js'

/**
 * Unspent tokens go back into the bucket, never above the burst, and off the day's count if that day is still
 * the bucket's. The refill stays due from when it was: filling up later caps in the same way.
 */
export const returnTokens = (tenant: TenantScope, tokens: number, day: string): Statement => ({
  name: 'return_tokens',
  text: `update casenote.limit_buckets b
    set tokens = least(t.burst, b.tokens + $2::int),
      day_count = case when b.day = $3::date then greatest(0, b.day_count - $2::int) else b.day_count end
    from casenote.tenants t
    where b.tenant_id = $1 and t.tenant_id = b.tenant_id`,
  values: [tenant.tenantId, tokens, day],
})
