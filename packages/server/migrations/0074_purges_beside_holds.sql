-- Purges of tenants with a legal hold look at their events a page at a time, in one statement each, and go on behind it: what is held was looked at
-- anew by every run, with a function for each row, until a run was longer than a statement may be (decision 0042). Of all other tenants no
-- event is looked at for a hold.

-- Of all tenants without a hold: those that have one are gone through by `purge_events_beside_holds`. One entry a tenant and run: how many.
create or replace function casenote.purge_old_events(most int) returns int
language sql security definer set search_path = '' as $$
  with old as materialized (
    select e.tenant_id, e.event_id from (
      select r.tenant_id, casenote.tenant_now(r.tenant_id) - make_interval(days => r.event_days) as before
      from casenote.tenant_retention r where r.event_days is not null
        and not exists (select from casenote.legal_holds h where h.tenant_id = r.tenant_id and h.lifted_at is null)
      offset 0
    ) t join casenote.events e on e.tenant_id = t.tenant_id and e.created_at < t.before and e.fanned_out_at is not null
    where not exists (select from casenote.webhook_deliveries d
      where d.tenant_id = e.tenant_id and d.event_id = e.event_id and d.status = 'pending')
    limit most
  ), deliveries as (
    delete from casenote.webhook_deliveries d using old where d.tenant_id = old.tenant_id and d.event_id = old.event_id
    returning d.tenant_id, d.delivery_id
  ), attempts as (
    delete from casenote.webhook_attempts a using deliveries d where a.tenant_id = d.tenant_id and a.delivery_id = d.delivery_id
  ), purged as (
    delete from casenote.events e using old where e.tenant_id = old.tenant_id and e.event_id = old.event_id returning e.tenant_id
  ), told as (
    insert into casenote.audit_pending (tenant_id, operation, actor_kind, subject_ids, entry_count)
      select p.tenant_id, 'event.expire', 'system', array[p.tenant_id], count(*) from purged p group by p.tenant_id order by p.tenant_id
  ) select count(*)::int from purged
$$;

create or replace function casenote.purge_webhook_deliveries(before timestamptz, most int) returns int
language sql security definer set search_path = '' set enable_hashjoin = off set enable_mergejoin = off as $$
  with old as materialized (
    select d.tenant_id, d.delivery_id from casenote.webhook_deliveries d
    where d.status in ('succeeded', 'failed', 'cancelled') and d.created_at < before
      and d.tenant_id <> all (array(select distinct h.tenant_id from casenote.legal_holds h where h.lifted_at is null))
    limit most for update skip locked
  ), attempts as (
    delete from casenote.webhook_attempts a using old where a.tenant_id = old.tenant_id and a.delivery_id = old.delivery_id
  ), purged as (
    delete from casenote.webhook_deliveries d using old where d.tenant_id = old.tenant_id and d.delivery_id = old.delivery_id returning 1
  ) select count(*)::int from purged
$$;

create or replace function casenote.purge_deliveries_of_moved_clocks(keep_days int, most int) returns int
language plpgsql security definer set search_path = '' set enable_seqscan = off set plan_cache_mode = force_custom_plan as $$
declare
  clock record;
  old record;
  purged int := 0;
begin
  for clock in
    select c.tenant_id, casenote.find_time_before(c.tenant_id, c.shows - keep_days * interval '1 day') as before
    from casenote.list_moved_clocks() c
    where not exists (select from casenote.legal_holds h where h.tenant_id = c.tenant_id and h.lifted_at is null)
    order by random() limit 1000
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

-- So many events behind the last one that was looked at, of the tenants with a hold in turn: `looked` is less where there are no more. Every
-- event names whom it is about; under which name differs, so each id in it is looked up.
create function casenote.purge_events_beside_holds(after_tenant uuid, after_event uuid, most int)
returns table (looked int, last_tenant uuid, last_event uuid, purged int)
language sql security definer set search_path = '' as $$
  with looked as materialized (
    -- In the order of the tenants, and of no more of them than fill the page: the rows of each are asked for when its turn comes.
    select e.*, t.before from (
      select r.tenant_id, casenote.tenant_now(r.tenant_id) - make_interval(days => r.event_days) as before
      from casenote.tenant_retention r where r.event_days is not null and r.tenant_id >= after_tenant
        and exists (select from casenote.legal_holds h where h.tenant_id = r.tenant_id and h.lifted_at is null)
      order by r.tenant_id offset 0
    ) t cross join lateral (
      select e.tenant_id, e.event_id, e.created_at, e.fanned_out_at, e.body from casenote.events e
      where e.tenant_id = t.tenant_id and (e.tenant_id, e.event_id) > (after_tenant, after_event)
      order by e.event_id limit most
    ) e limit most
  ), old as materialized (
    select l.tenant_id, l.event_id from looked l
    where l.fanned_out_at is not null and l.created_at < l.before
      and not exists (select from casenote.webhook_deliveries d
        where d.tenant_id = l.tenant_id and d.event_id = l.event_id and d.status = 'pending')
      and not exists (
        select from regexp_matches(convert_from(l.body, 'UTF8'),
          '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}', 'g') as m (ids)
        join casenote.legal_holds h on h.tenant_id = l.tenant_id and h.client_id = m.ids[1]::uuid and h.lifted_at is null
        offset 0)
  ), deliveries as (
    delete from casenote.webhook_deliveries d using old where d.tenant_id = old.tenant_id and d.event_id = old.event_id
    returning d.tenant_id, d.delivery_id
  ), attempts as (
    delete from casenote.webhook_attempts a using deliveries d where a.tenant_id = d.tenant_id and a.delivery_id = d.delivery_id
  ), purged as (
    delete from casenote.events e using old where e.tenant_id = old.tenant_id and e.event_id = old.event_id returning e.tenant_id
  ), told as (
    insert into casenote.audit_pending (tenant_id, operation, actor_kind, subject_ids, entry_count)
      select p.tenant_id, 'event.expire', 'system', array[p.tenant_id], count(*) from purged p group by p.tenant_id order by p.tenant_id
  )
  select (select count(*)::int from looked), l.tenant_id, l.event_id, (select count(*)::int from purged)
  from looked l order by l.tenant_id desc, l.event_id desc limit 1
$$;

-- The same of deliveries, by the clock of each tenant.
create function casenote.purge_deliveries_beside_holds(keep_days int, after_tenant uuid, after_delivery uuid, most int)
returns table (looked int, last_tenant uuid, last_delivery uuid, purged int)
language sql security definer set search_path = '' set enable_hashjoin = off set enable_mergejoin = off as $$
  with looked as materialized (
    select d.*, t.before from (
      select h.tenant_id, casenote.find_time_before(h.tenant_id,
          casenote.tenant_now(h.tenant_id) - keep_days * interval '1 day') as before
      from (select distinct o.tenant_id from casenote.legal_holds o where o.lifted_at is null and o.tenant_id >= after_tenant) h
      order by h.tenant_id offset 0
    ) t cross join lateral (
      select d.tenant_id, d.delivery_id, d.event_id, d.status, d.created_at from casenote.webhook_deliveries d
      where d.tenant_id = t.tenant_id and (d.tenant_id, d.delivery_id) > (after_tenant, after_delivery)
      order by d.delivery_id limit most
    ) d limit most
  ), old as materialized (
    select d.tenant_id, d.delivery_id from looked l
    join casenote.webhook_deliveries d on d.tenant_id = l.tenant_id and d.delivery_id = l.delivery_id
      and d.status in ('succeeded', 'failed', 'cancelled')
    where l.status in ('succeeded', 'failed', 'cancelled') and l.created_at < l.before
      and not exists (
        select from casenote.events e
        cross join lateral regexp_matches(convert_from(e.body, 'UTF8'),
          '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}', 'g') as m (ids)
        join casenote.legal_holds h on h.tenant_id = e.tenant_id and h.client_id = m.ids[1]::uuid and h.lifted_at is null
        where e.tenant_id = l.tenant_id and e.event_id = l.event_id
        offset 0)
    for update of d skip locked
  ), attempts as (
    delete from casenote.webhook_attempts a using old where a.tenant_id = old.tenant_id and a.delivery_id = old.delivery_id
  ), purged as (
    delete from casenote.webhook_deliveries d using old where d.tenant_id = old.tenant_id and d.delivery_id = old.delivery_id returning 1
  )
  select (select count(*)::int from looked), l.tenant_id, l.delivery_id, (select count(*)::int from purged)
  from looked l order by l.tenant_id desc, l.delivery_id desc limit 1
$$;

drop function casenote.is_event_held(uuid, uuid);

grant create on schema casenote to casenote_door;
alter function casenote.purge_events_beside_holds(uuid, uuid, int) owner to casenote_door;
alter function casenote.purge_deliveries_beside_holds(int, uuid, uuid, int) owner to casenote_door;
do $$
declare
  door text;
begin
  foreach door in array array['purge_events_beside_holds(uuid, uuid, int)',
      'purge_deliveries_beside_holds(int, uuid, uuid, int)'] loop
    execute format('revoke execute on function casenote.%s from public', door);
    execute format('grant execute on function casenote.%s to casenote_app', door);
  end loop;
end $$;
revoke create on schema casenote from casenote_door;
