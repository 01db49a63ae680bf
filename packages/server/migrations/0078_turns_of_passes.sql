-- Passes over all tenants take them in turns, so that nobody's backlog, and nothing that cannot be done, holds up the others.
-- Programs from schema 74 on run with it.

-- Whose recordings are due, each tenant once and in no order: whatever one of them has waiting, and whatever of it cannot be deleted, the others come as
-- soon. Each costs one look into an index.
create or replace function casenote.list_tenants_with_due_blobs(most int) returns setof uuid
language sql stable security definer set search_path = '' as $$
  select t.tenant_id from casenote.tenants t
  cross join lateral (select from casenote.blobs b
    where b.tenant_id = t.tenant_id and b.status <> 'deleted' and b.delete_after <= now() limit 1) due
  order by random() limit most
$$;

-- What `list_cut_off_recordings` gives, page by page: what cannot become a recording, as without a consent, stays in the list and holds up
-- nothing behind it. The program of before asks for the other, which goes with a later release.
grant create on schema casenote to casenote_door;
create function casenote.list_cut_offs_behind(after_tenant uuid, after_session uuid, most int)
returns table (tenant_id uuid, session_id uuid)
language sql stable security definer set search_path = '' as $$
  select s.tenant_id, s.session_id from casenote.sessions s
  join casenote.clinicians c on c.tenant_id = s.tenant_id and c.clinician_id = s.clinician_id
  where (s.tenant_id, s.session_id) > (after_tenant, after_session)
    and s.status = 'awaiting_audio' and c.deactivated_at < now() - interval '5 seconds'
    and exists (select from casenote.uploads u where u.tenant_id = s.tenant_id and u.session_id = s.session_id
      and u.status = 'open' and u.offset_bytes > 0)
  order by s.tenant_id, s.session_id limit most
$$;
alter function casenote.list_cut_offs_behind(uuid, uuid, int) owner to casenote_door;
revoke execute on function casenote.list_cut_offs_behind(uuid, uuid, int) from public;
grant execute on function casenote.list_cut_offs_behind(uuid, uuid, int) to casenote_app;

-- The tenants in turns: one whose recordings cannot be ended, as without a key, keeps the rest of the list from nobody.
create or replace function casenote.list_abandoned_recordings(keep_days int, most int) returns table (tenant_id uuid, session_id uuid)
language sql stable security definer set search_path = '' as $$
  select s.tenant_id, s.session_id from casenote.sessions s
  where s.status = 'awaiting_audio' and s.created_at < now() - keep_days * interval '1 day'
  order by row_number() over (partition by s.tenant_id order by s.created_at, s.session_id), s.created_at limit most
$$;

create or replace function casenote.list_due_sittings(most int) returns table (tenant_id uuid, sitting_id uuid)
language sql stable security definer set search_path = '' as $$
  select s.tenant_id, s.sitting_id from casenote.client_sittings s
  where s.ended_at is null and s.due_at <= now()
  order by row_number() over (partition by s.tenant_id order by s.due_at, s.sitting_id), s.due_at limit most
$$;

create or replace function casenote.list_left_downloads(most int) returns table (tenant_id uuid, session_id uuid)
language sql stable security definer set search_path = '' as $$
  select d.tenant_id, d.session_id from casenote.recording_downloads d
  join casenote.sessions s on s.tenant_id = d.tenant_id and s.session_id = d.session_id
  where s.status <> 'fetching' and not casenote.is_held(s.tenant_id, s.client_id)
  order by row_number() over (partition by d.tenant_id order by d.session_id), d.session_id limit most
$$;
revoke create on schema casenote from casenote_door;
