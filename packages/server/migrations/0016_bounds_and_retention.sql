-- Bounds of the widget's surface, and retention.

-- What a clinician may ask for in the widget: as casenote.limit_buckets, without a day. The limits are the program's.
create table casenote.clinician_buckets (
  tenant_id uuid not null,
  clinician_id uuid not null,
  tokens double precision not null check (tokens >= 0),
  refilled_at timestamptz not null,
  leased int not null check (leased >= 0),
  primary key (tenant_id, clinician_id),
  foreign key (tenant_id, clinician_id) references casenote.clinicians
) with (fillfactor = 50);
select casenote.isolate_by_tenant('casenote.clinician_buckets');
grant select, insert, update on casenote.clinician_buckets to casenote_app;

-- Doors.
grant create on schema casenote to casenote_door;
grant select on casenote.recording_downloads to casenote_door;
grant select, delete on casenote.client_mails to casenote_door;

-- Mails that ended tell a partner for a while what became of a link; nothing that waits is removed.
create index client_mails_ended on casenote.client_mails (ended_at) where status <> 'waiting';
create function casenote.purge_client_mails(before timestamptz, most int) returns int
language sql security definer set search_path = '' as $$
  with purged as (
    delete from casenote.client_mails m using (
      select o.tenant_id, o.mail_id from casenote.client_mails o where o.status <> 'waiting' and o.ended_at < before
      order by o.ended_at limit most) old
    where m.tenant_id = old.tenant_id and m.mail_id = old.mail_id
    returning 1
  )
  select count(*)::int from purged
$$;

-- A worker of a version that knows no downloads may have fetched a recording which another one had begun.
create function casenote.list_left_downloads(most int) returns table (tenant_id uuid, session_id uuid)
language sql stable security definer set search_path = '' as $$
  select d.tenant_id, d.session_id from casenote.recording_downloads d
  join casenote.sessions s on s.tenant_id = d.tenant_id and s.session_id = d.session_id
  where s.status <> 'fetching' limit most
$$;

do $$
declare
  door text;
begin
  foreach door in array array['purge_client_mails(timestamptz, int)', 'list_left_downloads(int)'] loop
    execute format('alter function casenote.%s owner to casenote_door', door);
    execute format('revoke execute on function casenote.%s from public', door);
    execute format('grant execute on function casenote.%s to casenote_app', door);
  end loop;
end $$;
revoke create on schema casenote from casenote_door;
