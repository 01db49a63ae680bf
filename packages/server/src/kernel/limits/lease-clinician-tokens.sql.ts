import type { Statement } from '../db/database.js'
import type { ClinicianId } from '../ids.js'
import type { TenantScope } from '../tenant.js'
import type { Lease } from './lease-tokens.sql.js'

export interface ClinicianLeaseAsk {
  clinicianId: ClinicianId
  asked: number
  ratePerSecond: number
  burst: number
}

/** Leases from a clinician's bucket as `leaseTokens` does from a tenant's, without a day; the first lease opens a full bucket. */
export const leaseClinicianTokens = (
  tenant: TenantScope,
  { clinicianId, asked, ratePerSecond, burst }: ClinicianLeaseAsk,
): Statement<Pick<Lease, 'leased' | 'tokensLeft' | 'nextTokenInMs'>> => ({
  name: 'lease_clinician_tokens',
  text: `insert into casenote.clinician_buckets as b (tenant_id, clinician_id, tokens, refilled_at, leased)
    values ($1, $2, $5::int - least($3::int, $5::int), now(), least($3::int, $5::int))
    on conflict (tenant_id, clinician_id) do update set (tokens, refilled_at, leased) = (
      select filled.tokens - taken.leased, clock.at, taken.leased
      from (
        select case
          when b.refilled_at between now() and now() + interval '1 minute' then b.refilled_at else now()
        end as at
      ) clock,
      lateral (
        select least($5::int,
          b.tokens + $4::int * greatest(0, extract(epoch from clock.at - b.refilled_at)::float8)
        ) as tokens
      ) filled,
      lateral (select least(floor(filled.tokens), $3::int)::int as leased) taken
    )
    returning b.leased, floor(b.tokens)::int as "tokensLeft",
      ceil(1000 * greatest(0, 1 - b.tokens) / $4::int)::int as "nextTokenInMs"`,
  values: [tenant.tenantId, clinicianId, asked, ratePerSecond, burst],
})
