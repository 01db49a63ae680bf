import type { KeyKind } from '@casenote/contract'
import type { Statement } from '../../kernel/db/database.js'
import type { TenantScope } from '../../kernel/tenant.js'

export interface KeyStandingRow {
  id: string
  kind: KeyKind
  createdAt: Date
  endsAt: Date | null
  endedAt: Date | null
}

/** When a partner's keys were made and ended; nothing of the keys. API keys are numbered: their hash is not for looking at. */
export const selectKeyStandings = (tenant: TenantScope): Statement<KeyStandingRow> => ({
  text: `(select 'api-key-' || row_number() over (order by created_at) as id, 'api_key' as kind, created_at as "createdAt",
        null::timestamptz as "endsAt", revoked_at as "endedAt"
      from casenote.api_keys where tenant_id = $1 order by created_at desc limit 50)
    union all
    (select secret_id::text, 'client_secret', created_at, case when expires_at > now() then expires_at end,
        case when expires_at <= now() then expires_at end
      from casenote.client_secrets where tenant_id = $1 order by created_at desc limit 50)
    union all
    (select purpose || '-key-' || version, purpose || '_key', created_at, null, retired_at
      from casenote.tenant_keys where tenant_id = $1 and purpose in ('token', 'data') order by created_at desc limit 100)
    order by 3 desc`,
  values: [tenant.tenantId],
})

export interface LimitStandingRow {
  ratePerSecond: number
  burst: number
  perDay: number
  usedToday: number
  storedBytesMax: number
  storedBytes: number
  openUploadsMax: number
  openUploads: number
}

export const selectLimitStanding = (tenant: TenantScope): Statement<LimitStandingRow> => ({
  text: `select t.rate_per_second as "ratePerSecond", t.burst, t.per_day as "perDay",
      coalesce((select b.day_count from casenote.limit_buckets b
        where b.tenant_id = t.tenant_id and b.day = (now() at time zone 'UTC')::date), 0) as "usedToday",
      t.stored_bytes_max as "storedBytesMax", t.open_uploads_max as "openUploadsMax",
      coalesce(u.stored_bytes, 0) as "storedBytes", coalesce(u.open_uploads, 0) as "openUploads"
    from casenote.tenants t left join casenote.tenant_usage u on u.tenant_id = t.tenant_id
    where t.tenant_id = $1`,
  values: [tenant.tenantId],
})

/** Today's date, by which rows are of a day. */
export const selectToday = (): Statement<{ day: string }> => ({
  text: `select to_char(now() at time zone 'UTC', 'YYYY-MM-DD') as day`,
  values: [],
})

export interface StoredDayRow {
  day: string
  storedBytes: number
}

/** Oldest first, with the last day before them, whose bytes were stored until the first. */
export const selectStoredByDay = (tenant: TenantScope, days: number): Statement<StoredDayRow> => ({
  text: `(select to_char(day, 'YYYY-MM-DD') as day, stored_bytes as "storedBytes" from casenote.usage_days
      where tenant_id = $1 and day <= (now() at time zone 'UTC')::date - $2::int order by day desc limit 1)
    union all
    (select to_char(day, 'YYYY-MM-DD'), stored_bytes from casenote.usage_days
      where tenant_id = $1 and day > (now() at time zone 'UTC')::date - $2::int)
    order by 1`,
  values: [tenant.tenantId, days],
})
