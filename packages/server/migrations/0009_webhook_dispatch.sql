-- Delivering: what the dispatcher keeps about endpoints, and the doors by which it works for all tenants at once.

alter table casenote.webhook_endpoints
  -- The first failed attempt since the last that succeeded. Failing for 5 days in a row disables (decisions 8).
  add column failing_since timestamptz,
  add column failures_in_a_row int not null default 0 check (failures_in_a_row >= 0),
  -- Nothing is sent before: it could not be reached, was overloaded, or asked for it by Retry-After.
  add column held_until timestamptz,
  add constraint webhook_endpoints_failing check ((failing_since is null) = (failures_in_a_row = 0));

-- By endpoint: how many are under way to it is asked before every claim.
drop index casenote.webhook_deliveries_leased;
create index webhook_deliveries_under_way
  on casenote.webhook_deliveries (tenant_id, endpoint_id) where status = 'delivering';
-- For retention. A B-tree would be written three times for every delivery; this one hardly ever, and rows lie in the
-- order of their creation anyway.
create index webhook_deliveries_by_age on casenote.webhook_deliveries using brin (created_at);

-- A queue: every row is updated twice within a second of its insertion. Room on the page for that keeps the versions
-- together.
alter table casenote.webhook_deliveries set (fillfactor = 50);

-- Written by the doors below alone, which name a delivery that they have just changed: a check of the key for every
-- attempt was a fifth of what recording it cost.
alter table casenote.webhook_attempts drop constraint webhook_attempts_tenant_id_delivery_id_fkey;

-- The dispatcher changes deliveries, attempts and events through the doors below and in no other way.
revoke insert, update on casenote.webhook_deliveries from casenote_dispatcher;
revoke insert on casenote.webhook_attempts from casenote_dispatcher;
revoke update (fanned_out_at) on casenote.events from casenote_dispatcher;
revoke update (enabled, disabled_reason) on casenote.webhook_endpoints from casenote_dispatcher;

grant create on schema casenote to casenote_door;
grant select on casenote.tenants to casenote_door;
grant select, update (fanned_out_at) on casenote.events to casenote_door;
grant select, update (enabled, disabled_reason, failing_since, failures_in_a_row, held_until)
  on casenote.webhook_endpoints to casenote_door;
grant select, insert, update, delete on casenote.webhook_deliveries to casenote_door;
grant select, insert, delete on casenote.webhook_attempts to casenote_door;

-- Makes the deliveries of events that have none yet, tenant by tenant, so that a flood of one tenant's holds up no
-- other. Returns how many events it took.
-- Bitmap scans off: with statistics that lag behind, the planner collected and sorted all of 20,000 events for the
-- first 500 of them, each time; the index has them in order.
create function casenote.fan_out_webhook_events(most_of_tenant int) returns int
language plpgsql security definer set search_path = '' set enable_bitmapscan = off set enable_seqscan = off as $$
declare
  tenant uuid := '00000000-0000-0000-0000-000000000000';
  taken int;
  total int := 0;
begin
  loop
    select e.tenant_id into tenant from casenote.events e
      where e.fanned_out_at is null and e.tenant_id > tenant order by e.tenant_id limit 1;
    exit when not found;
    with picked as (
      select e.event_id, e.event_type from casenote.events e
      where e.tenant_id = tenant and e.fanned_out_at is null
      order by e.seq limit most_of_tenant for update skip locked
    ), made as (
      insert into casenote.webhook_deliveries (tenant_id, delivery_id, endpoint_id, event_id, event_type, trigger)
      select tenant, gen_random_uuid(), w.endpoint_id, p.event_id, p.event_type, 'event'
      from picked p join casenote.webhook_endpoints w on w.tenant_id = tenant
      where w.enabled and w.deleted_at is null
        and (w.event_types is null or p.event_type = any(w.event_types))
      on conflict (tenant_id, event_id, endpoint_id) where trigger = 'event' do nothing
    )
    update casenote.events e set fanned_out_at = now()
      where e.tenant_id = tenant and e.event_id = any(array(select p.event_id from picked p));
    get diagnostics taken = row_count;
    total := total + taken;
  end loop;
  return total;
end $$;

-- Claims what is due. Endpoint by endpoint, the longest due first, each no further than its own bound: an endpoint with
-- 100,000 waiting fills its bound and no more. The endpoint's row is locked meanwhile, so the bound holds across
-- dispatchers, and its url is the one of now. No lock is ever waited for.
create function casenote.claim_webhook_deliveries(
  most int, most_of_endpoint int, most_of_failing int, lease_ms int
) returns table (
  tenant_id uuid, delivery_id uuid, endpoint_id uuid, event_id uuid, body bytea, url text, digest_header text,
  environment text, failures_in_a_row int, fence bigint, schedule_step int, waited_ms double precision
)
language plpgsql security definer set search_path = ''
  set enable_bitmapscan = off set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  due record;
  endpoint record;
  room int;
  given int;
  total int := 0;
begin
  for due in
    -- One look into the index for each endpoint that has something pending, however much that is.
    with recursive walk as (
      (select d.tenant_id, d.endpoint_id, d.next_attempt_at from casenote.webhook_deliveries d
        where d.status = 'pending' order by d.tenant_id, d.endpoint_id, d.next_attempt_at limit 1)
      union all
      select n.tenant_id, n.endpoint_id, n.next_attempt_at from walk w cross join lateral (
        select d.tenant_id, d.endpoint_id, d.next_attempt_at from casenote.webhook_deliveries d
        where d.status = 'pending' and (d.tenant_id, d.endpoint_id) > (w.tenant_id, w.endpoint_id)
        order by d.tenant_id, d.endpoint_id, d.next_attempt_at limit 1) n
    )
    select w.tenant_id, w.endpoint_id from walk w where w.next_attempt_at <= now() order by w.next_attempt_at
  loop
    exit when total >= most;
    select w.url, w.digest_header, w.failing_since, w.failures_in_a_row, t.environment into endpoint
      from casenote.webhook_endpoints w join casenote.tenants t on t.tenant_id = w.tenant_id
      where w.tenant_id = due.tenant_id and w.endpoint_id = due.endpoint_id
        and w.enabled and w.deleted_at is null and (w.held_until is null or w.held_until <= now())
        and t.suspended_at is null
      for no key update of w skip locked;
    continue when not found;
    select least(most - total,
        case when endpoint.failing_since is null then most_of_endpoint else most_of_failing end - count(*))
      into room from casenote.webhook_deliveries d
      where d.tenant_id = due.tenant_id and d.endpoint_id = due.endpoint_id and d.status = 'delivering';
    continue when room <= 0;
    return query
      with picked as (
        select d.delivery_id, d.next_attempt_at as due_at from casenote.webhook_deliveries d
        where d.tenant_id = due.tenant_id and d.endpoint_id = due.endpoint_id and d.status = 'pending'
          and d.next_attempt_at <= now()
        order by d.next_attempt_at limit room for update skip locked
      ), claimed as (
        update casenote.webhook_deliveries d
        set status = 'delivering', next_attempt_at = null, fence = d.fence + 1, attempt_count = d.attempt_count + 1,
          leased_until = now() + lease_ms * interval '1 millisecond'
        from picked p
        where d.tenant_id = due.tenant_id and d.delivery_id = p.delivery_id
        returning d.delivery_id, d.event_id, d.fence, d.schedule_step, p.due_at
      )
      select due.tenant_id, c.delivery_id, due.endpoint_id, c.event_id,
        (select e.body from casenote.events e where e.tenant_id = due.tenant_id and e.event_id = c.event_id),
        endpoint.url, endpoint.digest_header, endpoint.environment, endpoint.failures_in_a_row,
        c.fence, c.schedule_step,
        extract(epoch from clock_timestamp() - c.due_at)::double precision * 1000
      from claimed c;
    get diagnostics given = row_count;
    total := total + given;
  end loop;
end $$;

-- Ends claims: the attempt, the delivery's new state and what it tells about the endpoint, together. What another
-- claim has taken over meanwhile is left alone and not counted. Returns the deliveries that were ended.
-- Endpoints are locked before deliveries, in order, as everywhere.
create function casenote.record_webhook_outcomes(
  tenant_ids uuid[], endpoint_ids uuid[], delivery_ids uuid[], fences bigint[], durations_ms int[],
  http_statuses int[], errors text[], new_statuses text[], steps int[], delays_ms double precision[],
  -- How the endpoint did: `well`, `failed`, `gone`, or null when the attempt tells nothing about it.
  verdicts text[], holds_ms double precision[], disable_after_ms double precision
) returns setof uuid
language plpgsql security definer set search_path = ''
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  perform from casenote.webhook_endpoints w
    join (select distinct v.tenant_id, v.endpoint_id from unnest(tenant_ids, endpoint_ids, verdicts)
        as v (tenant_id, endpoint_id, verdict) where v.verdict <> 'well') v
      on w.tenant_id = v.tenant_id and w.endpoint_id = v.endpoint_id
    order by w.tenant_id, w.endpoint_id for no key update of w;
  return query
    with given as (
      select * from unnest(tenant_ids, delivery_ids, fences, durations_ms, http_statuses, errors, new_statuses, steps,
        delays_ms) as g (tenant_id, delivery_id, fence, duration_ms, http_status, error, new_status, step, delay_ms)
    ), ended as (
      update casenote.webhook_deliveries d
      set status = g.new_status, leased_until = null, schedule_step = g.step,
        next_attempt_at = case when g.new_status = 'pending' then now() + g.delay_ms * interval '1 millisecond' end
      from given g
      -- A lease is the same as `delivering`, by a constraint. Asked for by its status, each row was sought among all that
      -- are under way, in their index, and not by its key.
      where d.tenant_id = g.tenant_id and d.delivery_id = g.delivery_id
        and d.leased_until is not null and d.fence = g.fence
      returning d.tenant_id, d.delivery_id, d.attempt_count, g.fence, g.duration_ms, g.http_status, g.error
    ), tried as (
      insert into casenote.webhook_attempts (
        tenant_id, delivery_id, attempt, fence, started_at, duration_ms, status, error)
      select e.tenant_id, e.delivery_id, e.attempt_count, e.fence,
        clock_timestamp() - e.duration_ms * interval '1 millisecond', e.duration_ms, e.http_status, e.error
      from ended e
    )
    select e.delivery_id from ended e;
  -- The last word of a batch counts: one success among failures means that it can be reached.
  with told as (
    select v.tenant_id, v.endpoint_id, bool_or(v.verdict = 'well') as is_well, bool_or(v.verdict = 'gone') as is_gone,
      count(*) filter (where v.verdict = 'failed')::int as failures, max(v.hold_ms) as hold_ms,
      max(v.duration_ms) as duration_ms
    from unnest(tenant_ids, endpoint_ids, verdicts, holds_ms, durations_ms)
      as v (tenant_id, endpoint_id, verdict, hold_ms, duration_ms)
    where v.verdict is not null group by 1, 2
  ), judged as (
    select t.*, case
        when t.is_gone then 'gone'
        when not t.is_well and e.failing_since <= now() - disable_after_ms * interval '1 millisecond' then 'failing'
      end as reason
    from told t join casenote.webhook_endpoints e on e.tenant_id = t.tenant_id and e.endpoint_id = t.endpoint_id
  )
  update casenote.webhook_endpoints w
  set enabled = w.enabled and t.reason is null,
    disabled_reason = case when w.enabled then t.reason else w.disabled_reason end,
    failing_since = case when t.is_well then null
      else coalesce(w.failing_since, now() - t.duration_ms * interval '1 millisecond') end,
    failures_in_a_row = case when t.is_well then 0 else w.failures_in_a_row + greatest(t.failures, 1) end,
    held_until = case when t.hold_ms > 0
      then greatest(w.held_until, now() + t.hold_ms * interval '1 millisecond') end
  from judged t
  where w.tenant_id = t.tenant_id and w.endpoint_id = t.endpoint_id
    -- An endpoint that does well, and did, is not written at all.
    and not (t.is_well and not t.is_gone and w.failing_since is null and w.held_until is null
      and coalesce(t.hold_ms, 0) = 0);
end $$;

-- For a dispatcher that is alive and still has them in hand. Returns those that are still its own.
create function casenote.renew_webhook_leases(
  tenant_ids uuid[], delivery_ids uuid[], fences bigint[], lease_ms int
) returns setof uuid
language sql security definer set search_path = ''
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
  update casenote.webhook_deliveries d set leased_until = now() + lease_ms * interval '1 millisecond'
  from unnest(tenant_ids, delivery_ids, fences) as g (tenant_id, delivery_id, fence)
  where d.tenant_id = g.tenant_id and d.delivery_id = g.delivery_id
    and d.leased_until is not null and d.fence = g.fence
  returning d.delivery_id
$$;

-- Takes over what a dispatcher left behind that died or was stopped. How that attempt ended nobody knows: it is on
-- record as interrupted, and the delivery is due again at the same step of its schedule.
create function casenote.release_webhook_claims(most int, lease_ms int) returns int
language sql security definer set search_path = '' as $$
  with lost as (
    select d.tenant_id, d.delivery_id, d.leased_until from casenote.webhook_deliveries d
    where d.status = 'delivering' and d.leased_until < now() limit most for update skip locked
  ), released as (
    update casenote.webhook_deliveries d set status = 'pending', leased_until = null, next_attempt_at = now()
    from lost l where d.tenant_id = l.tenant_id and d.delivery_id = l.delivery_id
    returning d.tenant_id, d.delivery_id, d.attempt_count, d.fence, l.leased_until
  ), tried as (
    insert into casenote.webhook_attempts (tenant_id, delivery_id, attempt, fence, started_at, duration_ms, error)
    select r.tenant_id, r.delivery_id, r.attempt_count, r.fence,
      r.leased_until - lease_ms * interval '1 millisecond', lease_ms, 'interrupted'
    from released r
  )
  select count(*)::int from released
$$;

-- What waits for an endpoint that is no longer there will not be sent.
create function casenote.cancel_webhook_deliveries(most int) returns int
language sql security definer set search_path = '' as $$
  with cancelled as (
    update casenote.webhook_deliveries d set status = 'cancelled', next_attempt_at = null
    from (
      select p.tenant_id, p.delivery_id from casenote.webhook_endpoints w cross join lateral (
        select d.tenant_id, d.delivery_id from casenote.webhook_deliveries d
        where d.tenant_id = w.tenant_id and d.endpoint_id = w.endpoint_id and d.status = 'pending'
        limit most for update skip locked) p
      where w.deleted_at is not null limit most
    ) p
    where d.tenant_id = p.tenant_id and d.delivery_id = p.delivery_id
    returning 1
  )
  select count(*)::int from cancelled
$$;

-- Retention: finished deliveries with their attempts. Whatever is still on its way stays, however old.
create function casenote.purge_webhook_deliveries(before timestamptz, most int) returns int
language plpgsql security definer set search_path = '' as $$
declare
  old record;
  purged int := 0;
begin
  for old in
    select d.tenant_id, d.delivery_id from casenote.webhook_deliveries d
    where d.status in ('succeeded', 'failed', 'cancelled') and d.created_at < before
    limit most for update skip locked
  loop
    delete from casenote.webhook_attempts a where a.tenant_id = old.tenant_id and a.delivery_id = old.delivery_id;
    delete from casenote.webhook_deliveries d where d.tenant_id = old.tenant_id and d.delivery_id = old.delivery_id;
    purged := purged + 1;
  end loop;
  return purged;
end $$;

-- For metrics: one row for each endpoint that has anything on its way or is not as it should be.
create function casenote.describe_webhook_queue(most int) returns table (
  endpoint_id uuid, state text, waiting bigint, due bigint, under_way bigint, oldest_due_ms double precision
)
language sql stable security definer set search_path = '' as $$
  select w.endpoint_id,
    case when w.disabled_reason is not null then 'disabled_' || w.disabled_reason
      when not w.enabled then 'disabled'
      when t.suspended_at is not null then 'suspended'
      when w.held_until > now() then 'held'
      when w.failing_since is not null then 'failing'
      else 'well' end,
    q.waiting, q.due, q.under_way, q.oldest_due_ms
  from casenote.webhook_endpoints w
  join casenote.tenants t on t.tenant_id = w.tenant_id
  cross join lateral (
    select count(*) filter (where d.status = 'pending') as waiting,
      count(*) filter (where d.status = 'pending' and d.next_attempt_at <= now()) as due,
      count(*) filter (where d.status = 'delivering') as under_way,
      greatest(0, extract(epoch from now() - min(d.next_attempt_at))::double precision * 1000) as oldest_due_ms
    from casenote.webhook_deliveries d
    where d.tenant_id = w.tenant_id and d.endpoint_id = w.endpoint_id and d.status in ('pending', 'delivering')
  ) q
  where w.deleted_at is null
  order by q.waiting + q.under_way desc, w.endpoint_id limit most
$$;

do $$
declare
  door text;
begin
  foreach door in array array[
    'fan_out_webhook_events(int)',
    'claim_webhook_deliveries(int, int, int, int)',
    'record_webhook_outcomes(uuid[], uuid[], uuid[], bigint[], int[], int[], text[], text[], int[], '
      || 'double precision[], text[], double precision[], double precision)',
    'renew_webhook_leases(uuid[], uuid[], bigint[], int)',
    'release_webhook_claims(int, int)',
    'cancel_webhook_deliveries(int)',
    'describe_webhook_queue(int)',
    'purge_webhook_deliveries(timestamptz, int)'
  ] loop
    execute format('alter function casenote.%s owner to casenote_door', door);
    execute format('revoke execute on function casenote.%s from public', door);
    execute format('grant execute on function casenote.%s to %s', door,
      case when door like 'purge%' then 'casenote_app' else 'casenote_dispatcher' end);
  end loop;
end $$;
revoke create on schema casenote from casenote_door;
