-- The sandbox stays at home; what is stored and on its way has quotas; guessing costs no look-ups.

-- Whether every process that listens does so where only this machine reaches it, or was told by name that the sandbox may be
-- served. In the database and not in each process: a worker listens on nothing, and all must decide alike. Whoever listens
-- says it when it starts; false until somebody has.
alter table casenote.installation add column sandbox_home boolean not null default false;
create trigger directory_changed after update on casenote.installation
  for each statement execute function casenote.bump_directory_version();

-- `home_only`: made by the start and not by an operator, so it is suspended as `away` where the sandbox is not at home.
alter table casenote.tenants
  add column home_only boolean not null default false,
  add column suspended_as text check (suspended_as in ('away')),
  add check (suspended_as is null or (home_only and suspended_at is not null));
-- The start made one on a database without any partner, under this name.
update casenote.tenants set home_only = true where environment = 'sandbox' and name = 'Sandbox'
  and tenant_id = (select t.tenant_id from casenote.tenants t order by t.created_at, t.tenant_id limit 1);

-- Quotas. 100 GiB are 50 of the longest recordings that are taken, or years of what a clinician records in a browser (some
-- 15 MB an hour), though recordings go a week after their notes are signed; 10 TiB are a hundred such clinicians. A recording
-- has at most 200 segments, and a browser that was offline for long sends a few at once.
alter table casenote.tenants
  add column stored_bytes_max bigint not null default 10995116277760 check (stored_bytes_max > 0),
  add column clinician_stored_bytes_max bigint not null default 107374182400 check (clinician_stored_bytes_max > 0),
  add column open_uploads_max int not null default 50000 check (open_uploads_max > 0),
  add column clinician_open_uploads_max int not null default 500 check (clinician_open_uploads_max > 0);

-- Whose recording it is. Null: nobody knows any more, and it counts for the tenant alone.
alter table casenote.blobs add column clinician_id uuid;
update casenote.blobs b set clinician_id = s.clinician_id
  from casenote.uploads u join casenote.sessions s on s.tenant_id = u.tenant_id and s.session_id = u.session_id
  where b.status <> 'deleted' and u.tenant_id = b.tenant_id and u.blob_id = b.blob_id;
update casenote.blobs b set clinician_id = s.clinician_id from casenote.sessions s
  where b.status <> 'deleted' and b.clinician_id is null and s.tenant_id = b.tenant_id and s.audio_blob_id = b.blob_id;
update casenote.blobs b set clinician_id = s.clinician_id
  from casenote.recording_downloads d
  join casenote.sessions s on s.tenant_id = d.tenant_id and s.session_id = d.session_id
  where b.status <> 'deleted' and b.clinician_id is null and d.tenant_id = b.tenant_id and d.blob_id = b.blob_id;

-- What is used of the quotas: changed in the transaction that adds or removes a part, or opens or ends an upload.
create table casenote.tenant_usage (
  tenant_id uuid primary key references casenote.tenants,
  stored_bytes bigint not null check (stored_bytes >= 0),
  open_uploads int not null check (open_uploads >= 0)
) with (fillfactor = 50);
select casenote.isolate_by_tenant('casenote.tenant_usage');
grant select, insert, update on casenote.tenant_usage to casenote_app;

create table casenote.clinician_usage (
  tenant_id uuid not null,
  clinician_id uuid not null,
  stored_bytes bigint not null check (stored_bytes >= 0),
  open_uploads int not null check (open_uploads >= 0),
  primary key (tenant_id, clinician_id),
  foreign key (tenant_id, clinician_id) references casenote.clinicians
) with (fillfactor = 50);
select casenote.isolate_by_tenant('casenote.clinician_usage');
grant select, insert, update on casenote.clinician_usage to casenote_app;

insert into casenote.tenant_usage (tenant_id, stored_bytes, open_uploads)
  select t.tenant_id,
    coalesce((select sum(p.size_bytes) from casenote.blob_parts p where p.tenant_id = t.tenant_id), 0),
    (select count(*) from casenote.uploads u where u.tenant_id = t.tenant_id and u.status = 'open')
  from casenote.tenants t;
insert into casenote.clinician_usage (tenant_id, clinician_id, stored_bytes, open_uploads)
  select tenant_id, clinician_id, sum(bytes), sum(uploads) from (
    select b.tenant_id, b.clinician_id, p.size_bytes as bytes, 0 as uploads from casenote.blob_parts p
    join casenote.blobs b on b.tenant_id = p.tenant_id and b.blob_id = p.blob_id where b.clinician_id is not null
    union all
    select s.tenant_id, s.clinician_id, 0, 1 from casenote.uploads u
    join casenote.sessions s on s.tenant_id = u.tenant_id and s.session_id = u.session_id where u.status = 'open'
  ) held group by tenant_id, clinician_id;

-- Counted by triggers, whichever program adds a part: while an upgrade goes on an older one does. Always the clinician's row
-- before the tenant's, and nothing is locked after them.
create function casenote.add_usage(of_tenant uuid, of_clinician uuid, bytes bigint, uploads int) returns void
language plpgsql set search_path = '' as $$
begin
  if of_clinician is not null then
    insert into casenote.clinician_usage as u values (of_tenant, of_clinician, greatest(bytes, 0), greatest(uploads, 0))
      on conflict (tenant_id, clinician_id) do update
        set stored_bytes = greatest(u.stored_bytes + bytes, 0), open_uploads = greatest(u.open_uploads + uploads, 0);
  end if;
  insert into casenote.tenant_usage as u values (of_tenant, greatest(bytes, 0), greatest(uploads, 0))
    on conflict (tenant_id) do update
      set stored_bytes = greatest(u.stored_bytes + bytes, 0), open_uploads = greatest(u.open_uploads + uploads, 0);
end $$;

create function casenote.count_stored_bytes() returns trigger
language plpgsql set search_path = '' as $$
declare
  one record;
begin
  for one in
    select c.tenant_id, b.clinician_id, sum(c.size_bytes) as bytes from changed c
    join casenote.blobs b on b.tenant_id = c.tenant_id and b.blob_id = c.blob_id
    group by c.tenant_id, b.clinician_id order by c.tenant_id, b.clinician_id
  loop
    perform casenote.add_usage(one.tenant_id, one.clinician_id,
      (case tg_op when 'INSERT' then one.bytes else -one.bytes end)::bigint, 0);
  end loop;
  return null;
end $$;
create trigger parts_added after insert on casenote.blob_parts referencing new table as changed
  for each statement execute function casenote.count_stored_bytes();
create trigger parts_removed after delete on casenote.blob_parts referencing old table as changed
  for each statement execute function casenote.count_stored_bytes();

create function casenote.count_open_uploads() returns trigger
language plpgsql set search_path = '' as $$
begin
  perform casenote.add_usage(new.tenant_id, s.clinician_id, 0, case tg_op when 'INSERT' then 1 else -1 end)
    from casenote.sessions s where s.tenant_id = new.tenant_id and s.session_id = new.session_id;
  return null;
end $$;
create trigger upload_opened after insert on casenote.uploads for each row
  when (new.status = 'open') execute function casenote.count_open_uploads();
create trigger upload_ended after update on casenote.uploads for each row
  when (old.status = 'open' and new.status <> 'open') execute function casenote.count_open_uploads();

do $$
declare
  counting text;
begin
  foreach counting in array array['add_usage(uuid, uuid, bigint, int)', 'count_stored_bytes()', 'count_open_uploads()'] loop
    execute format('revoke execute on function casenote.%s from public', counting);
    execute format('grant execute on function casenote.%s to casenote_app', counting);
  end loop;
end $$;

-- Doors.
grant create on schema casenote to casenote_door;
grant select, update (sandbox_home) on casenote.installation to casenote_door;
grant update (suspended_at, suspended_as) on casenote.tenants to casenote_door;
grant insert on casenote.audit_pending to casenote_door;
grant select on casenote.tenant_usage to casenote_door;

-- What a process that listens says of it, with what it means for the partners that the start made.
create function casenote.settle_sandbox(at_home boolean) returns table (tenant_id uuid, is_beside_production boolean)
language plpgsql security definer set search_path = '' as $$
begin
  update casenote.installation i set sandbox_home = at_home where i.sandbox_home <> at_home;
  with settled as (
    update casenote.tenants t
    set suspended_at = case when at_home then null else now() end,
      suspended_as = case when at_home then null else 'away' end
    where t.home_only and case when at_home then t.suspended_as = 'away' else t.suspended_at is null end
    returning t.tenant_id
  )
  insert into casenote.audit_pending (tenant_id, operation, actor_kind, subject_ids)
    select s.tenant_id, case when at_home then 'partner.bringHome' else 'partner.sendAway' end, 'system',
      array[s.tenant_id]
    from settled s;
  return query select t.tenant_id, exists (select from casenote.tenants p where p.environment = 'production')
    from casenote.tenants t where t.home_only;
end $$;

-- Which partners there are, and the beginnings of the hashes of their keys: enough to know of most guesses that they are none.
create function casenote.list_key_marks(most int) returns table (tenant_id uuid, mark text)
language sql stable security definer set search_path = '' as $$
  select k.tenant_id, encode(substring(k.key_hash from 1 for 8), 'hex') from casenote.api_keys k
  join casenote.tenants t on t.tenant_id = k.tenant_id
  where k.revoked_at is null and t.suspended_at is null limit most
$$;

create function casenote.describe_usage() returns table (stored_bytes float8, open_uploads float8)
language sql stable security definer set search_path = '' as $$
  select coalesce(sum(u.stored_bytes), 0)::float8, coalesce(sum(u.open_uploads), 0)::float8 from casenote.tenant_usage u
$$;

do $$
declare
  door text;
begin
  foreach door in array array['settle_sandbox(boolean)', 'list_key_marks(int)', 'describe_usage()'] loop
    execute format('alter function casenote.%s owner to casenote_door', door);
    execute format('revoke execute on function casenote.%s from public', door);
    execute format('grant execute on function casenote.%s to casenote_app', door);
  end loop;
end $$;
revoke create on schema casenote from casenote_door;
