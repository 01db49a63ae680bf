-- What a sandbox can be made to do. A production tenant can have no row in any of these tables, by the key of the first.
alter table casenote.tenants add unique (tenant_id, environment);

create table casenote.sandbox_settings (
  tenant_id uuid primary key,
  environment text not null default 'sandbox' check (environment = 'sandbox'),
  -- Partner tokens of an earlier one have expired.
  token_epoch int not null default 0 check (token_epoch >= 0),
  -- When its tokens were last expired, and faults last asked for: each once a second, since every process then reads again whom
  -- it knows.
  expired_at timestamptz,
  provoked_at timestamptz,
  foreign key (tenant_id, environment) references casenote.tenants (tenant_id, environment)
);
select casenote.isolate_by_tenant('casenote.sandbox_settings');
grant select, insert, update on casenote.sandbox_settings to casenote_app;
create trigger directory_changed after update of token_epoch on casenote.sandbox_settings
  for each row when (old.token_epoch <> new.token_epoch) execute function casenote.bump_directory_version();

-- How the next calls are answered: one at a time for a tenant.
create table casenote.sandbox_faults (
  tenant_id uuid primary key references casenote.sandbox_settings,
  status int not null check (status in (429, 500, 503)),
  asked int not null check (asked between 1 and 100),
  remaining int not null check (remaining between 0 and asked),
  -- Of the path behind /v2; empty: every one.
  path_prefix text not null,
  created_at timestamptz not null default now()
) with (fillfactor = 50);
select casenote.isolate_by_tenant('casenote.sandbox_faults');
grant select, insert, update, delete on casenote.sandbox_faults to casenote_app;
-- Every process hears that there is something to take, and that there is nothing more; not of each that is taken.
create trigger directory_changed after insert on casenote.sandbox_faults
  for each row execute function casenote.bump_directory_version();
create trigger directory_turned after update of remaining on casenote.sandbox_faults
  for each row when ((old.remaining = 0) <> (new.remaining = 0)) execute function casenote.bump_directory_version();
create trigger directory_ended after delete on casenote.sandbox_faults
  for each row when (old.remaining > 0) execute function casenote.bump_directory_version();

-- The test clock. By how much a sandbox's clock is ahead of the database's, from when on: so the age of a row is told also where
-- its time is the database's. Never backwards.
create table casenote.sandbox_clock_moves (
  tenant_id uuid not null references casenote.sandbox_settings,
  moved_at timestamptz not null default clock_timestamp(),
  -- 400 days.
  ahead_seconds int not null check (ahead_seconds between 1 and 34560000),
  primary key (tenant_id, moved_at)
);
select casenote.isolate_by_tenant('casenote.sandbox_clock_moves');
grant select, insert on casenote.sandbox_clock_moves to casenote_app;
grant select on casenote.sandbox_clock_moves to casenote_dispatcher, casenote_door;
grant select on casenote.sandbox_settings to casenote_door;

-- What a tenant's clock showed when the database's showed `at`. The same, but for a sandbox that is at home and was moved.
create function casenote.tenant_time(of_tenant uuid, at timestamptz) returns timestamptz
language plpgsql stable as $$
begin
  return at + make_interval(secs => coalesce((
    select m.ahead_seconds from casenote.sandbox_clock_moves m
    where m.tenant_id = of_tenant and m.moved_at <= at
      and exists (select from casenote.installation i where i.sandbox_home)
    order by m.moved_at desc limit 1), 0));
end $$;
create function casenote.tenant_now(of_tenant uuid) returns timestamptz
language plpgsql stable as $$
begin
  return casenote.tenant_time(of_tenant, now());
end $$;
revoke execute on function casenote.tenant_time(uuid, timestamptz), casenote.tenant_now(uuid) from public;
grant execute on function casenote.tenant_time(uuid, timestamptz), casenote.tenant_now(uuid)
  to casenote_app, casenote_dispatcher, casenote_door;

-- Whose clock was moved, and what it shows; nobody's where the sandbox is not at home. One look into an index for each sandbox.
create function casenote.list_moved_clocks() returns table (tenant_id uuid, shows timestamptz)
language sql stable as $$
  select s.tenant_id, now() + c.ahead_seconds * interval '1 second'
  from casenote.sandbox_settings s cross join lateral (
    select m.ahead_seconds from casenote.sandbox_clock_moves m
    where m.tenant_id = s.tenant_id and m.moved_at <= now() order by m.moved_at desc limit 1) c
  where exists (select from casenote.installation i where i.sandbox_home)
$$;

-- Until when the clock of a tenant showed less than `shown`, in the database's time: what was made before is older. It never goes
-- backwards, so that one time tells it for all rows.
create function casenote.find_time_before(of_tenant uuid, shown timestamptz) returns timestamptz
language sql stable as $$
  select max(least(p.ends_at, shown - p.ahead_seconds * interval '1 second'))
  from (
    select m.moved_at as begins_at, lead(m.moved_at, 1, 'infinity') over (order by m.moved_at) as ends_at, m.ahead_seconds
      from casenote.sandbox_clock_moves m where m.tenant_id = of_tenant
    union all
    select '-infinity', coalesce(min(m.moved_at), 'infinity'), 0
      from casenote.sandbox_clock_moves m where m.tenant_id = of_tenant
  ) p
  where p.begins_at < shown - p.ahead_seconds * interval '1 second'
$$;
revoke execute on function casenote.list_moved_clocks(), casenote.find_time_before(uuid, timestamptz) from public;
grant execute on function casenote.list_moved_clocks(), casenote.find_time_before(uuid, timestamptz) to casenote_door;

-- Doors. Leases, and when an attempt was made, stay the database's time. Where rows of all tenants are sought by their time, it is
-- the database's, too: what a moved clock makes due is behind doors of its own, further below.
grant create on schema casenote to casenote_door;

create or replace function casenote.claim_webhook_deliveries(
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
  shown timestamptz;
  room int;
  given int;
  total int := 0;
  -- Read once: everybody else's time is asked of no function.
  moved constant uuid[] := array(select c.tenant_id from casenote.list_moved_clocks() c);
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
    select w.tenant_id, w.endpoint_id from walk w
      where w.next_attempt_at
        <= case when w.tenant_id = any(moved) then casenote.tenant_now(w.tenant_id) else now() end
      order by w.next_attempt_at
  loop
    exit when total >= most;
    shown := case when due.tenant_id = any(moved) then casenote.tenant_now(due.tenant_id) else now() end;
    select w.url, w.digest_header, w.failing_since, w.failures_in_a_row, t.environment into endpoint
      from casenote.webhook_endpoints w join casenote.tenants t on t.tenant_id = w.tenant_id
      where w.tenant_id = due.tenant_id and w.endpoint_id = due.endpoint_id
        and w.enabled and w.deleted_at is null
        and (w.held_until is null or w.held_until <= shown)
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
          and d.next_attempt_at <= shown
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
        greatest(0, extract(epoch from clock_timestamp() - c.due_at)::double precision * 1000)
      from claimed c;
    get diagnostics given = row_count;
    total := total + given;
  end loop;
end $$;

create or replace function casenote.record_webhook_outcomes(
  tenant_ids uuid[], endpoint_ids uuid[], delivery_ids uuid[], fences bigint[], durations_ms int[],
  http_statuses int[], errors text[], new_statuses text[], steps int[], delays_ms double precision[],
  -- How the endpoint did: `well`, `failed`, `gone`, or null when the attempt tells nothing about it.
  verdicts text[], holds_ms double precision[], disable_after_ms double precision
) returns setof uuid
language plpgsql security definer set search_path = ''
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  moved constant uuid[] := array(select c.tenant_id from casenote.list_moved_clocks() c);
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
        next_attempt_at = case when g.new_status = 'pending'
          then case when d.tenant_id = any(moved) then casenote.tenant_now(d.tenant_id) else now() end
            + g.delay_ms * interval '1 millisecond' end
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
      max(v.duration_ms) as duration_ms,
      case when v.tenant_id = any(moved) then casenote.tenant_now(v.tenant_id) else now() end as shown
    from unnest(tenant_ids, endpoint_ids, verdicts, holds_ms, durations_ms)
      as v (tenant_id, endpoint_id, verdict, hold_ms, duration_ms)
    where v.verdict is not null group by 1, 2
  ), judged as (
    select t.*, case
        when t.is_gone then 'gone'
        when not t.is_well and e.failing_since <= t.shown - disable_after_ms * interval '1 millisecond' then 'failing'
      end as reason
    from told t join casenote.webhook_endpoints e on e.tenant_id = t.tenant_id and e.endpoint_id = t.endpoint_id
  )
  update casenote.webhook_endpoints w
  set enabled = w.enabled and t.reason is null,
    disabled_reason = case when w.enabled then t.reason else w.disabled_reason end,
    failing_since = case when t.is_well then null
      else coalesce(w.failing_since, t.shown - t.duration_ms * interval '1 millisecond') end,
    failures_in_a_row = case when t.is_well then 0 else w.failures_in_a_row + greatest(t.failures, 1) end,
    held_until = case when t.hold_ms > 0
      then greatest(w.held_until, t.shown + t.hold_ms * interval '1 millisecond') end
  from judged t
  where w.tenant_id = t.tenant_id and w.endpoint_id = t.endpoint_id
    -- An endpoint that does well, and did, is not written at all.
    and not (t.is_well and not t.is_gone and w.failing_since is null and w.held_until is null
      and coalesce(t.hold_ms, 0) = 0);
end $$;

-- As before, but for moved clocks: when their notes were signed, they showed another time.
create or replace function casenote.schedule_audio_deletion(keep_days int, most int) returns int
language sql security definer set search_path = '' as $$
  with scheduled as (
    update casenote.blobs b set delete_after = e.ended_at + keep_days * interval '1 day'
    from (
      select k.tenant_id, k.blob_id, coalesce(n.finalized_at, h.changed_at) as ended_at
      from casenote.blobs k
      left join casenote.uploads u on u.tenant_id = k.tenant_id and u.blob_id = k.blob_id
      join casenote.sessions s on s.tenant_id = k.tenant_id
        and (s.audio_blob_id = k.blob_id or s.session_id = u.session_id)
      join casenote.progress_notes n on n.tenant_id = s.tenant_id and n.session_id = s.session_id
      left join casenote.session_status_history h on h.tenant_id = s.tenant_id and h.session_id = s.session_id
        and h.to_status = 'failed'
      where k.status = 'complete' and (n.finalized_at is not null or h.changed_at is not null)
        and k.delete_after > coalesce(n.finalized_at, h.changed_at) + keep_days * interval '1 day'
        and k.tenant_id <> all (array(select c.tenant_id from casenote.list_moved_clocks() c))
      limit most
    ) e
    where b.tenant_id = e.tenant_id and b.blob_id = e.blob_id and b.status = 'complete'
    returning 1
  )
  select count(*)::int from scheduled
$$;

-- Doors for what a moved clock makes due: nothing without one. Each looks at the rows of those tenants alone, at a thousand of them
-- in no order, so that none is left out for good; a time is found once a tenant, and columns are compared with it. Planned anew for
-- each tenant: planned for anyone, with one large tenant all but alone in the statistics, it read through that one's rows by time.
create function casenote.purge_deliveries_of_moved_clocks(keep_days int, most int) returns int
language plpgsql security definer set search_path = '' set enable_seqscan = off set plan_cache_mode = force_custom_plan as $$
declare
  clock record;
  old record;
  purged int := 0;
begin
  for clock in
    select c.tenant_id, casenote.find_time_before(c.tenant_id, c.shows - keep_days * interval '1 day') as before
    from casenote.list_moved_clocks() c order by random() limit 1000
  loop
    for old in
      select d.delivery_id from casenote.webhook_deliveries d
      where d.tenant_id = clock.tenant_id and d.status in ('succeeded', 'failed', 'cancelled') and d.created_at < clock.before
      limit most - purged for update skip locked
    loop
      delete from casenote.webhook_attempts a where a.tenant_id = clock.tenant_id and a.delivery_id = old.delivery_id;
      delete from casenote.webhook_deliveries d where d.tenant_id = clock.tenant_id and d.delivery_id = old.delivery_id;
      purged := purged + 1;
    end loop;
    exit when purged >= most;
  end loop;
  return purged;
end $$;

create function casenote.list_sittings_of_moved_clocks(most int) returns table (tenant_id uuid, sitting_id uuid)
language plpgsql stable security definer set search_path = '' set enable_seqscan = off set plan_cache_mode = force_custom_plan as $$
declare
  clock record;
  given int;
  total int := 0;
begin
  for clock in select c.tenant_id, c.shows from casenote.list_moved_clocks() c order by random() limit 1000 loop
    return query select s.tenant_id, s.sitting_id from casenote.client_sittings s
      where s.tenant_id = clock.tenant_id and s.ended_at is null and s.due_at <= clock.shows limit most - total;
    get diagnostics given = row_count;
    total := total + given;
    exit when total >= most;
  end loop;
end $$;

create function casenote.list_blob_tenants_of_moved_clocks(most int) returns setof uuid
language plpgsql stable security definer set search_path = '' set enable_seqscan = off set plan_cache_mode = force_custom_plan as $$
declare
  clock record;
  given int;
  total int := 0;
begin
  for clock in select c.tenant_id, c.shows from casenote.list_moved_clocks() c order by random() limit 1000 loop
    return query select b.tenant_id from casenote.blobs b
      where b.tenant_id = clock.tenant_id and b.status <> 'deleted' and b.delete_after <= clock.shows limit 1;
    get diagnostics given = row_count;
    total := total + given;
    exit when total >= most;
  end loop;
end $$;

create function casenote.list_recordings_of_moved_clocks(keep_days int, most int)
returns table (tenant_id uuid, session_id uuid)
language plpgsql stable security definer set search_path = '' set enable_seqscan = off set plan_cache_mode = force_custom_plan as $$
declare
  clock record;
  given int;
  total int := 0;
begin
  for clock in
    select c.tenant_id, casenote.find_time_before(c.tenant_id, c.shows - keep_days * interval '1 day') as before
    from casenote.list_moved_clocks() c order by random() limit 1000
  loop
    return query select s.tenant_id, s.session_id from casenote.sessions s
      where s.tenant_id = clock.tenant_id and s.status = 'awaiting_audio' and s.created_at < clock.before limit most - total;
    get diagnostics given = row_count;
    total := total + given;
    exit when total >= most;
  end loop;
end $$;

create function casenote.schedule_audio_of_moved_clocks(keep_days int, most int) returns int
language plpgsql security definer set search_path = '' set enable_seqscan = off set plan_cache_mode = force_custom_plan as $$
declare
  clock record;
  given int;
  total int := 0;
begin
  for clock in select c.tenant_id from casenote.list_moved_clocks() c order by random() limit 1000 loop
    update casenote.blobs b set delete_after = e.ended_at + keep_days * interval '1 day'
    from (
      select k.blob_id, casenote.tenant_time(k.tenant_id, coalesce(n.finalized_at, h.changed_at)) as ended_at
      from casenote.blobs k
      left join casenote.uploads u on u.tenant_id = k.tenant_id and u.blob_id = k.blob_id
      join casenote.sessions s on s.tenant_id = k.tenant_id
        and (s.audio_blob_id = k.blob_id or s.session_id = u.session_id)
      join casenote.progress_notes n on n.tenant_id = s.tenant_id and n.session_id = s.session_id
      left join casenote.session_status_history h on h.tenant_id = s.tenant_id and h.session_id = s.session_id
        and h.to_status = 'failed'
      where k.tenant_id = clock.tenant_id and k.status = 'complete'
        and (n.finalized_at is not null or h.changed_at is not null)
        and k.delete_after > coalesce(n.finalized_at, h.changed_at) + keep_days * interval '1 day'
        and k.delete_after > casenote.tenant_time(k.tenant_id, coalesce(n.finalized_at, h.changed_at))
          + keep_days * interval '1 day'
      limit most - total
    ) e
    where b.tenant_id = clock.tenant_id and b.blob_id = e.blob_id and b.status = 'complete';
    get diagnostics given = row_count;
    total := total + given;
    exit when total >= most;
  end loop;
  return total;
end $$;

do $$
declare
  door text;
begin
  foreach door in array array[
    'purge_deliveries_of_moved_clocks(int, int)',
    'list_sittings_of_moved_clocks(int)',
    'list_blob_tenants_of_moved_clocks(int)',
    'list_recordings_of_moved_clocks(int, int)',
    'schedule_audio_of_moved_clocks(int, int)'
  ] loop
    execute format('alter function casenote.%s owner to casenote_door', door);
    execute format('revoke execute on function casenote.%s from public', door);
    execute format('grant execute on function casenote.%s to casenote_app', door);
  end loop;
end $$;

revoke create on schema casenote from casenote_door;
