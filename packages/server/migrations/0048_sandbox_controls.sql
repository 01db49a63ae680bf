-- What a sandbox can be made to do. A production tenant can have no row in any of these tables, by the key of the first.
alter table casenote.tenants add unique (tenant_id, environment);

create table casenote.sandbox_settings (
  tenant_id uuid primary key,
  environment text not null default 'sandbox' check (environment = 'sandbox'),
  -- Partner tokens of an earlier one have expired.
  token_epoch int not null default 0 check (token_epoch >= 0),
  foreign key (tenant_id, environment) references casenote.tenants (tenant_id, environment)
);
select casenote.isolate_by_tenant('casenote.sandbox_settings');
grant select, insert, update on casenote.sandbox_settings to casenote_app;
create trigger directory_changed after insert or update or delete on casenote.sandbox_settings
  for each statement execute function casenote.bump_directory_version();

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
create trigger directory_changed after insert or delete on casenote.sandbox_faults
  for each statement execute function casenote.bump_directory_version();
create trigger directory_used_up after update on casenote.sandbox_faults
  for each row when (new.remaining = 0) execute function casenote.bump_directory_version();

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

-- Doors. Leases, and when an attempt was made, stay the database's time. Where rows of all tenants are sought by their time, those
-- of moved clocks are sought in a second look, by tenant: the first one keeps its index.
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
    select w.tenant_id, w.endpoint_id from walk w where w.next_attempt_at <= casenote.tenant_now(w.tenant_id) order by w.next_attempt_at
  loop
    exit when total >= most;
    select w.url, w.digest_header, w.failing_since, w.failures_in_a_row, t.environment into endpoint
      from casenote.webhook_endpoints w join casenote.tenants t on t.tenant_id = w.tenant_id
      where w.tenant_id = due.tenant_id and w.endpoint_id = due.endpoint_id
        and w.enabled and w.deleted_at is null
        and (w.held_until is null or w.held_until <= casenote.tenant_now(w.tenant_id))
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
          and d.next_attempt_at <= (select casenote.tenant_now(due.tenant_id))
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
        next_attempt_at = case when g.new_status = 'pending' then casenote.tenant_now(d.tenant_id) + g.delay_ms * interval '1 millisecond' end
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
        when not t.is_well and e.failing_since <= casenote.tenant_now(t.tenant_id) - disable_after_ms * interval '1 millisecond' then 'failing'
      end as reason
    from told t join casenote.webhook_endpoints e on e.tenant_id = t.tenant_id and e.endpoint_id = t.endpoint_id
  )
  update casenote.webhook_endpoints w
  set enabled = w.enabled and t.reason is null,
    disabled_reason = case when w.enabled then t.reason else w.disabled_reason end,
    failing_since = case when t.is_well then null
      else coalesce(w.failing_since, casenote.tenant_now(w.tenant_id) - t.duration_ms * interval '1 millisecond') end,
    failures_in_a_row = case when t.is_well then 0 else w.failures_in_a_row + greatest(t.failures, 1) end,
    held_until = case when t.hold_ms > 0
      then greatest(w.held_until, casenote.tenant_now(w.tenant_id) + t.hold_ms * interval '1 millisecond') end
  from judged t
  where w.tenant_id = t.tenant_id and w.endpoint_id = t.endpoint_id
    -- An endpoint that does well, and did, is not written at all.
    and not (t.is_well and not t.is_gone and w.failing_since is null and w.held_until is null
      and coalesce(t.hold_ms, 0) = 0);
end $$;

create or replace function casenote.purge_webhook_deliveries(before timestamptz, most int) returns int
language plpgsql security definer set search_path = '' as $$
declare
  old record;
  purged int := 0;
begin
  for old in
    with usual as (
      select d.tenant_id, d.delivery_id from casenote.webhook_deliveries d
      where d.status in ('succeeded', 'failed', 'cancelled') and d.created_at < before
      limit most for update skip locked
    ), moved as (
      select d.tenant_id, d.delivery_id from casenote.webhook_deliveries d
      where d.tenant_id in (select m.tenant_id from casenote.sandbox_clock_moves m)
        and d.status in ('succeeded', 'failed', 'cancelled') and d.created_at >= before
        and casenote.tenant_time(d.tenant_id, d.created_at)
          < before + (casenote.tenant_now(d.tenant_id) - now())
      limit most for update skip locked
    )
    select u.tenant_id, u.delivery_id from usual u union all select m.tenant_id, m.delivery_id from moved m
  loop
    delete from casenote.webhook_attempts a where a.tenant_id = old.tenant_id and a.delivery_id = old.delivery_id;
    delete from casenote.webhook_deliveries d where d.tenant_id = old.tenant_id and d.delivery_id = old.delivery_id;
    purged := purged + 1;
  end loop;
  return purged;
end $$;

create or replace function casenote.list_due_sittings(most int) returns table (tenant_id uuid, sitting_id uuid)
language sql stable security definer set search_path = '' as $$
  (select s.tenant_id, s.sitting_id from casenote.client_sittings s
    where s.ended_at is null and s.due_at <= now() order by s.due_at limit most)
  union all
  (select s.tenant_id, s.sitting_id from casenote.client_sittings s
    where s.tenant_id in (select m.tenant_id from casenote.sandbox_clock_moves m)
      and s.ended_at is null and s.due_at > now() and s.due_at <= casenote.tenant_now(s.tenant_id) limit most)
  limit most
$$;

create or replace function casenote.list_tenants_with_due_blobs(most int) returns setof uuid
language sql stable security definer set search_path = '' as $$
  select distinct due.tenant_id from (
    (select b.tenant_id from casenote.blobs b
      where b.status <> 'deleted' and b.delete_after <= now()
      order by b.delete_after limit most)
    union all
    (select b.tenant_id from casenote.blobs b
      where b.tenant_id in (select m.tenant_id from casenote.sandbox_clock_moves m)
        and b.status <> 'deleted' and b.delete_after <= casenote.tenant_now(b.tenant_id) limit most)
  ) due
$$;

create or replace function casenote.schedule_audio_deletion(keep_days int, most int) returns int
language sql security definer set search_path = '' as $$
  with scheduled as (
    update casenote.blobs b set delete_after = e.ended_at + keep_days * interval '1 day'
    from (
      select k.tenant_id, k.blob_id, casenote.tenant_time(k.tenant_id, coalesce(n.finalized_at, h.changed_at)) as ended_at
      from casenote.blobs k
      left join casenote.uploads u on u.tenant_id = k.tenant_id and u.blob_id = k.blob_id
      join casenote.sessions s on s.tenant_id = k.tenant_id
        and (s.audio_blob_id = k.blob_id or s.session_id = u.session_id)
      join casenote.progress_notes n on n.tenant_id = s.tenant_id and n.session_id = s.session_id
      left join casenote.session_status_history h on h.tenant_id = s.tenant_id and h.session_id = s.session_id
        and h.to_status = 'failed'
      where k.status = 'complete' and (n.finalized_at is not null or h.changed_at is not null)
        and k.delete_after > coalesce(n.finalized_at, h.changed_at) + keep_days * interval '1 day'
        and k.delete_after > casenote.tenant_time(k.tenant_id, coalesce(n.finalized_at, h.changed_at))
          + keep_days * interval '1 day'
      limit most
    ) e
    where b.tenant_id = e.tenant_id and b.blob_id = e.blob_id and b.status = 'complete'
    returning 1
  )
  select count(*)::int from scheduled
$$;

create or replace function casenote.list_abandoned_recordings(keep_days int, most int)
returns table (tenant_id uuid, session_id uuid)
language sql stable security definer set search_path = '' as $$
  (select s.tenant_id, s.session_id from casenote.sessions s
    where s.status = 'awaiting_audio' and s.created_at < now() - keep_days * interval '1 day'
    order by s.created_at limit most)
  union all
  (select s.tenant_id, s.session_id from casenote.sessions s
    where s.tenant_id in (select m.tenant_id from casenote.sandbox_clock_moves m)
      and s.status = 'awaiting_audio' and s.created_at >= now() - keep_days * interval '1 day'
      and casenote.tenant_time(s.tenant_id, s.created_at)
        < casenote.tenant_now(s.tenant_id) - keep_days * interval '1 day' limit most)
  limit most
$$;

revoke create on schema casenote from casenote_door;
