-- Rate, burst and daily quota of each tenant (decisions 10): one token bucket, from which every API process
-- leases small shares ahead. The limits themselves stay in casenote.tenants.

create table casenote.limit_buckets (
  tenant_id uuid primary key references casenote.tenants,
  -- What was in the bucket at refilled_at, with the fraction of the token that is on its way.
  tokens double precision not null check (tokens >= 0),
  refilled_at timestamptz not null,
  -- Counted in UTC days: tokens leased on this day and not given back.
  day date not null,
  day_count bigint not null check (day_count >= 0),
  -- What the last lease took: before PostgreSQL 18 an update cannot return the difference of old and new.
  leased int not null check (leased >= 0)
)
-- The row is rewritten hundreds of times a second under load: room on the page, and no index on what changes,
-- keep every rewrite on its page (HOT).
with (fillfactor = 50);
select casenote.isolate_by_tenant('casenote.limit_buckets');
grant select, insert, update on casenote.limit_buckets to casenote_app;
