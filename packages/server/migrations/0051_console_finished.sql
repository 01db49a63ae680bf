-- What the console of decision 0035 could not tell or do: lengths of recordings and stored bytes day by day, refused calls, how each
-- process is, a partner's own keys, and a fresh confirmation before what is dangerous.

-- Of what was transcribed; null: a session without a recording, or of before this column.
alter table casenote.sessions add column audio_ms int;
-- In two steps: the second looks at every row, and lets others read and write meanwhile.
alter table casenote.sessions add constraint sessions_audio_ms_check check (audio_ms >= 0) not valid;
alter table casenote.sessions validate constraint sessions_audio_ms_check;

-- What a tenant stored at the end of each day on which that changed; a day without a row is as the one before it.
create table casenote.usage_days (
  tenant_id uuid not null references casenote.tenants,
  day date not null,
  stored_bytes bigint not null check (stored_bytes >= 0),
  primary key (tenant_id, day)
)
-- Rewritten by every part of a recording: room on the page keeps the rewrite on it.
with (fillfactor = 50);
select casenote.isolate_by_tenant('casenote.usage_days');
grant select, insert, update on casenote.usage_days to casenote_app;
insert into casenote.usage_days (tenant_id, day, stored_bytes)
  select tenant_id, (now() at time zone 'UTC')::date, stored_bytes from casenote.tenant_usage;

-- By a trigger, whichever program adds or removes a part. After the tenant's own row, which the caller holds: nothing waits in a circle.
create function casenote.note_usage_day() returns trigger
language plpgsql set search_path = '' as $$
begin
  insert into casenote.usage_days as d values (new.tenant_id, (now() at time zone 'UTC')::date, new.stored_bytes)
    on conflict (tenant_id, day) do update set stored_bytes = excluded.stored_bytes;
  return null;
end $$;
revoke execute on function casenote.note_usage_day() from public;
grant execute on function casenote.note_usage_day() to casenote_app;
create trigger usage_began after insert on casenote.tenant_usage
  for each row execute function casenote.note_usage_day();
create trigger usage_changed after update on casenote.tenant_usage
  for each row when (old.stored_bytes <> new.stored_bytes) execute function casenote.note_usage_day();

-- Of the 4xx those that a limit refused.
alter table casenote.request_days add column limited bigint not null default 0;
update casenote.request_days d set limited = l.limited from (
  select tenant_id, (at at time zone 'UTC')::date as day, count(*) as limited
  from casenote.request_logs where status = 429 and status >= 400 group by 1, 2) l
where l.tenant_id = d.tenant_id and l.day = d.day;

grant create on schema casenote to casenote_door;
grant delete, select on casenote.usage_days to casenote_door;

create or replace function casenote.append_request_logs(
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
  insert into casenote.request_days as d (tenant_id, day, requests, errors_4xx, errors_5xx, limited)
  select a.tenant_id, a.day, count(*), count(*) filter (where a.status between 400 and 499),
    count(*) filter (where a.status >= 500), count(*) filter (where a.status = 429)
  from appended a group by a.tenant_id, a.day
  -- In this order everywhere, so that two processes never wait for each other in a circle.
  order by a.tenant_id, a.day
  on conflict (tenant_id, day) do update set requests = d.requests + excluded.requests,
    errors_4xx = d.errors_4xx + excluded.errors_4xx, errors_5xx = d.errors_5xx + excluded.errors_5xx,
    limited = d.limited + excluded.limited
$$;

-- Gives how many calls it removed, which tells whether there may be more.
create or replace function casenote.purge_request_logs(kept_days int, most int) returns int
language sql security definer set search_path = '' as $$
  with purged as (
    delete from casenote.request_logs l using (
      select o.tenant_id, o.at, o.request_id from casenote.request_logs o
      where o.at < now() - make_interval(days => kept_days) order by o.at limit most) old
    where l.tenant_id = old.tenant_id and l.at = old.at and l.request_id = old.request_id
    returning 1
  ), days as (
    delete from casenote.request_days d where d.day < (now() at time zone 'UTC')::date - 400
  ), usage as (
    -- The last one before the bound tells what is stored on the days behind it, until the next change.
    delete from casenote.usage_days u where u.day < (now() at time zone 'UTC')::date - 400 and exists (
      select from casenote.usage_days n where n.tenant_id = u.tenant_id and n.day > u.day
        and n.day <= (now() at time zone 'UTC')::date - 400)
  )
  select count(*)::int from purged
$$;
revoke create on schema casenote from casenote_door;

-- Null: a process of before this column.
alter table casenote.pulses add column version text, add column lag_ms double precision;

-- As keep_pulse, which processes of before call while an upgrade goes on. The lag: how late its event loop was at most, since the last beat.
create function casenote.tell_pulse(process_id uuid, role text, version text, lag_ms double precision) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform casenote.keep_pulse($1, $2);
  update casenote.pulses p set version = $3, lag_ms = $4 where p.process_id = $1;
end $$;

-- A process that ends in order says so: one that is silent and did not was killed, or is cut off.
create function casenote.end_pulse(process_id uuid) returns void
language sql security definer set search_path = '' as $$
  delete from casenote.pulses p where p.process_id = $1
$$;

do $$
declare
  door text;
begin
  foreach door in array array['tell_pulse(uuid, text, text, double precision)', 'end_pulse(uuid)'] loop
    execute format('revoke execute on function casenote.%s from public', door);
    execute format('grant execute on function casenote.%s to casenote_app, casenote_dispatcher', door);
  end loop;
end $$;

-- When somebody last showed that it is them: what is dangerous asks for less than five minutes, and uses it up (null).
do $$
declare
  kind text;
begin
  foreach kind in array array['console', 'operator'] loop
    execute format('alter table casenote.%s_sessions add column confirmed_at timestamptz', kind);
    execute format('update casenote.%s_sessions set confirmed_at = started_at', kind);
    execute format(
      'alter table casenote.%s_sessions alter column confirmed_at set default now()', kind);
  end loop;
end $$;
grant delete on casenote.console_passkeys to casenote_app;

-- A partner's own people rotate its credentials in the console, under row security; tenants' other keys stay the owner's. What has ended
-- stays so, and nothing is deleted that could still be needed.
grant insert (tenant_id, key_hash), update (revoked_at), delete on casenote.api_keys to casenote_app;
create policy api_keys_ended on casenote.api_keys as restrictive for update to casenote_app
  using (revoked_at is null) with check (revoked_at is not null);
create policy api_keys_gone on casenote.api_keys as restrictive for delete to casenote_app
  using (revoked_at < now() - interval '90 days');
grant insert (tenant_id, secret_id, sealed_secret), update (expires_at), delete on casenote.client_secrets to casenote_app;
create policy client_secrets_ended on casenote.client_secrets as restrictive for update to casenote_app
  using (expires_at is null or expires_at > now())
  with check (expires_at is not null and expires_at <= now() + interval '24 hours');
create policy client_secrets_gone on casenote.client_secrets as restrictive for delete to casenote_app
  using (expires_at <= now());
grant insert (tenant_id, purpose, version, master_key_id, wrapped_key), update (retired_at), delete on casenote.tenant_keys to casenote_app;
create policy token_keys_made on casenote.tenant_keys as restrictive for insert to casenote_app with check (purpose = 'token');
create policy token_keys_ended on casenote.tenant_keys as restrictive for update to casenote_app
  using (purpose = 'token' and retired_at is null) with check (purpose = 'token' and retired_at is not null);
create policy token_keys_gone on casenote.tenant_keys as restrictive for delete to casenote_app
  using (purpose = 'token' and created_at < now() - interval '8 days');

-- Keys that were made in a console, of the last hour: so many and no more.
create table casenote.key_rotations (
  tenant_id uuid not null references casenote.tenants,
  rotation_id bigint generated always as identity,
  at timestamptz not null default now(),
  primary key (tenant_id, rotation_id)
);
select casenote.isolate_by_tenant('casenote.key_rotations');
grant select, insert (tenant_id), delete on casenote.key_rotations to casenote_app;

-- Who failed to get into the operator's console. It concerns no partner: it stands here and in no partner's log. As the owner alone.
create table casenote.operator_refusals (
  tenant_id uuid not null,
  refusal_id bigint generated always as identity,
  at timestamptz not null default now(),
  user_id uuid not null,
  operation text not null check (operation in ('console.refuse', 'console.lock')),
  request_id text,
  primary key (tenant_id, refusal_id)
);
select casenote.isolate_by_tenant('casenote.operator_refusals');
