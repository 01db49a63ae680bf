-- What partners called, for fourteen days: ids, statuses and times, nothing of a person (decision 0035).

create table casenote.request_logs (
  -- No reference: one more look-up for every call, for a tenant that the key has just named.
  tenant_id uuid not null,
  at timestamptz not null,
  request_id uuid not null,
  -- One of the Partner API's own; method and path follow from it.
  operation text not null,
  status int not null,
  code text,
  latency_ms int not null,
  -- Those of the path, in its order; null: what stood there was no id.
  path_ids uuid[] not null,
  primary key (tenant_id, at, request_id)
);
create index request_logs_of_operation on casenote.request_logs (tenant_id, operation, at);
-- Few of many, and what is looked for.
create index request_logs_of_errors on casenote.request_logs (tenant_id, at) where status >= 400;
-- Of these again few: the service's own faults.
create index request_logs_of_faults on casenote.request_logs (tenant_id, at) where status >= 500;
-- For the purge, which works for all tenants.
create index request_logs_by_time on casenote.request_logs (at);
select casenote.isolate_by_tenant('casenote.request_logs');
grant select on casenote.request_logs to casenote_app;

-- How many calls there were, for longer than the calls themselves are kept.
create table casenote.request_days (
  tenant_id uuid not null,
  day date not null,
  requests bigint not null,
  errors_4xx bigint not null,
  errors_5xx bigint not null,
  primary key (tenant_id, day)
)
-- Rewritten by every batch: room on the page keeps the rewrite on it.
with (fillfactor = 50);
select casenote.isolate_by_tenant('casenote.request_days');
grant select on casenote.request_days to casenote_app;

grant create on schema casenote to casenote_door;
grant select, insert, delete on casenote.request_logs to casenote_door;
grant select, insert, update, delete on casenote.request_days to casenote_door;

-- One batch holds calls of many tenants. A batch whose answer was lost is given again: what is there is not counted twice.
create function casenote.append_request_logs(
  tenant_ids uuid[], ats timestamptz[], request_ids uuid[], operations text[], statuses int[], codes text[],
  latencies int[], ids text[]
) returns void
language sql security definer set search_path = '' as $$
  with appended as (
    insert into casenote.request_logs (tenant_id, at, request_id, operation, status, code, latency_ms, path_ids)
    select r.tenant_id, r.at, r.request_id, r.operation, r.status, r.code, r.latency_ms, r.ids::uuid[]
    from unnest(tenant_ids, ats, request_ids, operations, statuses, codes, latencies, ids)
      as r (tenant_id, at, request_id, operation, status, code, latency_ms, ids)
    on conflict do nothing
    returning tenant_id, (at at time zone 'UTC')::date as day, status
  )
  insert into casenote.request_days as d (tenant_id, day, requests, errors_4xx, errors_5xx)
  select a.tenant_id, a.day, count(*), count(*) filter (where a.status between 400 and 499),
    count(*) filter (where a.status >= 500)
  from appended a group by a.tenant_id, a.day
  -- In this order everywhere, so that two processes never wait for each other in a circle.
  order by a.tenant_id, a.day
  on conflict (tenant_id, day) do update set requests = d.requests + excluded.requests,
    errors_4xx = d.errors_4xx + excluded.errors_4xx, errors_5xx = d.errors_5xx + excluded.errors_5xx
$$;

-- Gives how many calls it removed, which tells whether there may be more.
create function casenote.purge_request_logs(kept_days int, most int) returns int
language sql security definer set search_path = '' as $$
  with purged as (
    delete from casenote.request_logs l using (
      select o.tenant_id, o.at, o.request_id from casenote.request_logs o
      where o.at < now() - make_interval(days => kept_days) order by o.at limit most) old
    where l.tenant_id = old.tenant_id and l.at = old.at and l.request_id = old.request_id
    returning 1
  ), days as (
    delete from casenote.request_days d where d.day < (now() at time zone 'UTC')::date - 400
  )
  select count(*)::int from purged
$$;

do $$
declare
  door text;
begin
  foreach door in array array[
    'append_request_logs(uuid[], timestamptz[], uuid[], text[], int[], text[], int[], text[])',
    'purge_request_logs(int, int)'] loop
    execute format('alter function casenote.%s owner to casenote_door', door);
    execute format('revoke execute on function casenote.%s from public', door);
    execute format('grant execute on function casenote.%s to casenote_app', door);
  end loop;
end $$;
revoke create on schema casenote from casenote_door;
