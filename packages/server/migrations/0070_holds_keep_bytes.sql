-- Under a legal hold nothing of the client goes by age, discarding or a moved clock; and what expired of events is on record (decision 0042).

-- How many of something a change was, where it stands for several.
alter table casenote.audit_pending add column entry_count int check (entry_count > 0);

create index recording_downloads_of_blob on casenote.recording_downloads (tenant_id, blob_id) where blob_id is not null;

-- Whether bytes are a held client's: a recording, a segment, what waits to be cut or was begun in its place, a download, and an export
-- of before the hold, which may say what had gone since. In the caller's tenant, and not as SQL, so that it is asked row by row and
-- costs one look where there is no hold.
create function casenote.is_blob_held(of_tenant uuid, of_blob uuid) returns boolean
language plpgsql stable set search_path = '' as $$
begin
  if not exists (select from casenote.legal_holds h where h.tenant_id = of_tenant and h.lifted_at is null) then return false; end if;
  return exists (
    select from casenote.sessions s where s.tenant_id = of_tenant and casenote.is_held(of_tenant, s.client_id) and s.session_id in (
      select a.session_id from casenote.sessions a where a.tenant_id = of_tenant and a.audio_blob_id = of_blob
      union all select u.session_id from casenote.uploads u where u.tenant_id = of_tenant and u.blob_id = of_blob
      union all select g.session_id from casenote.session_gaps g where g.tenant_id = of_tenant and g.blob_id = of_blob
      union all select g.session_id from casenote.session_gaps g where g.tenant_id = of_tenant and g.begun_blob_id = of_blob
      union all select d.session_id from casenote.recording_downloads d where d.tenant_id = of_tenant and d.blob_id = of_blob)
  ) or exists (
    select from casenote.client_exports e
    join casenote.legal_holds h on h.tenant_id = e.tenant_id and h.client_id = e.client_id and h.lifted_at is null
    where e.tenant_id = of_tenant and e.blob_id = of_blob and e.status = 'ready' and e.ended_at <= h.placed_at);
end $$;
revoke execute on function casenote.is_blob_held(uuid, uuid) from public;
grant execute on function casenote.is_blob_held(uuid, uuid) to casenote_app;

-- By what the tenant's clock shows, which may be ahead: what was due tomorrow by the real one was due at once by that.
create or replace function casenote.postpone_held_blobs(of_tenant uuid) returns int
language sql set search_path = '' as $$
  with postponed as (
    update casenote.blobs b set delete_after = casenote.tenant_now(of_tenant) + interval '1 day'
    where b.tenant_id = of_tenant and b.status in ('open', 'complete') and b.delete_after <= casenote.tenant_now(of_tenant)
      and casenote.is_blob_held(of_tenant, b.blob_id)
    returning 1
  ) select count(*)::int from postponed
$$;

-- Every event names whom it is about; under which name differs. Of all tenants.
create function casenote.is_event_held(of_tenant uuid, of_event uuid) returns boolean
language plpgsql stable set search_path = '' as $$
begin
  if not exists (select from casenote.legal_holds h where h.tenant_id = of_tenant and h.lifted_at is null) then return false; end if;
  return exists (select from casenote.events e
    join casenote.legal_holds h on h.tenant_id = e.tenant_id and h.lifted_at is null
      and position(convert_to(h.client_id::text, 'UTF8') in e.body) > 0
    where e.tenant_id = of_tenant and e.event_id = of_event);
end $$;
revoke execute on function casenote.is_event_held(uuid, uuid) from public;
grant execute on function casenote.is_event_held(uuid, uuid) to casenote_door;

-- One entry a tenant and run: how many.
create or replace function casenote.purge_old_events(most int) returns int
language plpgsql security definer set search_path = '' as $$
declare
  old record;
  purged uuid[] := '{}';
begin
  for old in
    select e.tenant_id, e.event_id from casenote.tenant_retention r
    join casenote.events e on e.tenant_id = r.tenant_id and e.fanned_out_at is not null
      and e.created_at < casenote.tenant_now(r.tenant_id) - make_interval(days => r.event_days)
    where not exists (select from casenote.webhook_deliveries d
      where d.tenant_id = e.tenant_id and d.event_id = e.event_id and d.status = 'pending')
      and not casenote.is_event_held(e.tenant_id, e.event_id)
    limit most
  loop
    delete from casenote.webhook_attempts a using casenote.webhook_deliveries d where d.tenant_id = old.tenant_id
      and d.event_id = old.event_id and a.tenant_id = d.tenant_id and a.delivery_id = d.delivery_id;
    delete from casenote.webhook_deliveries d where d.tenant_id = old.tenant_id and d.event_id = old.event_id;
    delete from casenote.events e where e.tenant_id = old.tenant_id and e.event_id = old.event_id;
    if found then purged := purged || old.tenant_id; end if;
  end loop;
  insert into casenote.audit_pending (tenant_id, operation, actor_kind, subject_ids, entry_count)
    select p, 'event.expire', 'system', array[p], count(*) from unnest(purged) p group by p order by p;
  return cardinality(purged);
end $$;

create or replace function casenote.purge_webhook_deliveries(before timestamptz, most int) returns int
language plpgsql security definer set search_path = '' as $$
declare
  old record;
  purged int := 0;
begin
  for old in
    select d.tenant_id, d.delivery_id from casenote.webhook_deliveries d
    where d.status in ('succeeded', 'failed', 'cancelled') and d.created_at < before
      and not casenote.is_event_held(d.tenant_id, d.event_id)
    limit most for update skip locked
  loop
    delete from casenote.webhook_attempts a where a.tenant_id = old.tenant_id and a.delivery_id = old.delivery_id;
    delete from casenote.webhook_deliveries d where d.tenant_id = old.tenant_id and d.delivery_id = old.delivery_id;
    purged := purged + 1;
  end loop;
  return purged;
end $$;

create or replace function casenote.purge_deliveries_of_moved_clocks(keep_days int, most int) returns int
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
        and not casenote.is_event_held(d.tenant_id, d.event_id)
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

create or replace function casenote.purge_client_mails(before timestamptz, most int) returns int
language sql security definer set search_path = '' as $$
  with purged as (
    delete from casenote.client_mails m using (
      select o.tenant_id, o.mail_id from casenote.client_mails o where o.status <> 'waiting' and o.ended_at < before
        and not casenote.is_held(o.tenant_id, o.client_id)
      order by o.ended_at limit most) old
    where m.tenant_id = old.tenant_id and m.mail_id = old.mail_id
    returning 1
  )
  select count(*)::int from purged
$$;

create or replace function casenote.list_left_downloads(most int) returns table (tenant_id uuid, session_id uuid)
language sql stable security definer set search_path = '' as $$
  select d.tenant_id, d.session_id from casenote.recording_downloads d
  join casenote.sessions s on s.tenant_id = d.tenant_id and s.session_id = d.session_id
  where s.status <> 'fetching' and not casenote.is_held(s.tenant_id, s.client_id) limit most
$$;
