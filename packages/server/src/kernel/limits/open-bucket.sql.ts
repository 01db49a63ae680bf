import type { Statement } from '../db/database.js'
import type { TenantScope } from '../tenant.js'

/** A tenant's first request finds no bucket, and opens a full one. Two processes may do so at once. */
export const openBucket = (tenant: TenantScope): Statement => ({
  name: 'open_limit_bucket',
  text: `insert into casenote.limit_buckets (tenant_id, tokens, refilled_at, day, day_count, leased)
    select tenant_id, burst, now(), (now() at time zone 'utc')::date, 0, 0
    from casenote.tenants where tenant_id = $1
    on conflict (tenant_id) do nothing`,
  values: [tenant.tenantId],
})
