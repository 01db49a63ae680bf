import type { Statement } from '../db/database.js'
import type { TenantScope } from '../tenant.js'

export interface LeaseAsk {
  /** Requests that wait for this lease: spent at once, so no share bounds them. */
  waiting: number
  /** What this process would like to have at hand afterwards, and what it still has. */
  share: number
  inHand: number
}

export interface Lease {
  leased: number
  /** Whole tokens left in the bucket, and what is left of the day, after this lease. */
  tokensLeft: number
  dayLeft: number
  /** The largest share that one process may hold now. */
  shareMost: number
  nextTokenInMs: number
  /** The UTC day on which the tokens count, `YYYY-MM-DD`. */
  day: string
  dayEndsInMs: number
}

/**
 * The hot statement: refills by the database's clock, turns the day, and takes what is asked for or what is
 * there. The limits come from the tenant's row, so that all processes agree from the commit of a change on.
 *
 * - A process may hold a 400th of the burst and of what is left of the day: four processes that park their
 *   whole share keep 1 % from the others. Below 400 nothing is leased ahead.
 * - `now()` is when the transaction began, which may be before the row's last refill if it had to wait for
 *   the row: then time stands still, and no moment is counted twice. A refill more than a minute ahead comes
 *   from a clock that has been put back since, and is forgotten.
 */
export const leaseTokens = (tenant: TenantScope, { waiting, share, inHand }: LeaseAsk): Statement<Lease> => ({
  name: 'lease_tokens',
  text: `update casenote.limit_buckets b
    set (tokens, refilled_at, day, day_count, leased) = (
      select filled.tokens - taken.leased, clock.at, filled.day, spent.day_count + taken.leased, taken.leased
      from (
        select case
          when b.refilled_at between now() and now() + interval '1 minute' then b.refilled_at else now()
        end as at
      ) clock,
      lateral (
        select (clock.at at time zone 'utc')::date as day,
          least(t.burst,
            b.tokens + t.rate_per_second * greatest(0, extract(epoch from clock.at - b.refilled_at)::float8)
          ) as tokens
      ) filled,
      lateral (select case when b.day = filled.day then b.day_count else 0 end as day_count) spent,
      lateral (select greatest(0, t.per_day - spent.day_count) as day_left) quota,
      lateral (
        select least(floor(filled.tokens), quota.day_left,
          $2::int + greatest(0, least($3::int, t.burst / 400, quota.day_left / 400) - $4::int)
        )::int as leased
      ) taken
    )
    from casenote.tenants t
    where b.tenant_id = $1 and t.tenant_id = b.tenant_id
    returning b.leased,
      floor(b.tokens)::int as "tokensLeft",
      greatest(0, t.per_day - b.day_count) as "dayLeft",
      greatest(0, least(t.burst, t.per_day - b.day_count)) / 400 as "shareMost",
      ceil(1000 * greatest(0, 1 - b.tokens) / t.rate_per_second)::int as "nextTokenInMs",
      b.day,
      ceil(1000 * extract(epoch from (b.day + 1)::timestamp at time zone 'utc' - b.refilled_at))::int
        as "dayEndsInMs"`,
  values: [tenant.tenantId, waiting, share, inHand],
})
