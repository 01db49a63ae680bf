-- How long each tenant keeps what, and what a legal hold keeps from going (decision 0042). Null: recordings as the installation has it,
-- all else for good.
create table casenote.tenant_retention (
  tenant_id uuid not null references casenote.tenants,
  recording_days int check (recording_days between 1 and 3650),
  transcript_days int check (transcript_days between 1 and 36500),
  draft_days int check (draft_days between 1 and 36500),
  event_days int check (event_days between 5 and 36500),
  primary key (tenant_id)
);
select casenote.isolate_by_tenant('casenote.tenant_retention');
grant select on casenote.tenant_retention to casenote_app;

-- Sessions of a client who is under a legal hold.
create function casenote.is_held(of_tenant uuid, of_client uuid) returns boolean
language sql stable set search_path = '' as $$
  select exists (select from casenote.legal_holds h
    where h.tenant_id = of_tenant and h.client_id = of_client and h.lifted_at is null)
$$;
revoke execute on function casenote.is_held(uuid, uuid) from public;
grant execute on function casenote.is_held(uuid, uuid) to casenote_app, casenote_door;

grant create on schema casenote to casenote_door;
grant select on casenote.tenant_retention, casenote.legal_holds, casenote.transcripts to casenote_door;
grant delete on casenote.events to casenote_door;

-- A held client's recordings that are due are due again tomorrow. In the caller's tenant.
create function casenote.postpone_held_blobs(of_tenant uuid) returns int
language sql set search_path = '' as $$
  with postponed as (
    update casenote.blobs b set delete_after = now() + interval '1 day'
    where b.tenant_id = of_tenant and b.status in ('open', 'complete') and b.delete_after <= casenote.tenant_now(of_tenant) and exists (
      select from casenote.legal_holds h join casenote.sessions s on s.tenant_id = h.tenant_id and s.client_id = h.client_id
      left join casenote.uploads u on u.tenant_id = s.tenant_id and u.session_id = s.session_id
      where h.tenant_id = of_tenant and h.lifted_at is null and (s.audio_blob_id = b.blob_id or u.blob_id = b.blob_id))
    returning 1
  ) select count(*)::int from postponed
$$;
revoke execute on function casenote.postpone_held_blobs(uuid) from public;
grant execute on function casenote.postpone_held_blobs(uuid) to casenote_app;

create or replace function casenote.schedule_audio_deletion(keep_days int, most int) returns int
language sql security definer set search_path = '' as $$
  with scheduled as (
    update casenote.blobs b set delete_after = e.ended_at + e.days * interval '1 day'
    from (
      select k.tenant_id, k.blob_id, coalesce(n.finalized_at, h.changed_at) as ended_at, coalesce(r.recording_days, keep_days) as days
      from casenote.blobs k
      left join casenote.tenant_retention r on r.tenant_id = k.tenant_id
      left join casenote.uploads u on u.tenant_id = k.tenant_id and u.blob_id = k.blob_id
      join casenote.sessions s on s.tenant_id = k.tenant_id
        and (s.audio_blob_id = k.blob_id or s.session_id = u.session_id)
      join casenote.progress_notes n on n.tenant_id = s.tenant_id and n.session_id = s.session_id
      left join casenote.session_status_history h on h.tenant_id = s.tenant_id and h.session_id = s.session_id
        and h.to_status = 'failed'
      where k.status = 'complete' and (n.finalized_at is not null or h.changed_at is not null)
        and k.delete_after > coalesce(n.finalized_at, h.changed_at) + coalesce(r.recording_days, keep_days) * interval '1 day'
        and k.tenant_id <> all (array(select c.tenant_id from casenote.list_moved_clocks() c))
        and not casenote.is_held(s.tenant_id, s.client_id)
      limit most
    ) e
    where b.tenant_id = e.tenant_id and b.blob_id = e.blob_id and b.status = 'complete'
    returning 1
  )
  select count(*)::int from scheduled
$$;

-- What is past its days, of one tenant, of one thing or of all. A draft that nobody has changed; never what is signed or being made.
create function casenote.list_expired_of(of_tenant uuid, only_one uuid, most int) returns table (kind text, subject_id uuid, client_id uuid)
language sql stable set search_path = '' as $$
  (select 'transcript', x.session_id, s.client_id
   from casenote.tenant_retention r
   join casenote.transcripts x on x.tenant_id = r.tenant_id
     and x.created_at < casenote.tenant_now(of_tenant) - make_interval(days => r.transcript_days)
   join casenote.sessions s on s.tenant_id = x.tenant_id and s.session_id = x.session_id and s.status in ('completed', 'failed')
   where r.tenant_id = of_tenant and (only_one is null or x.session_id = only_one) and not casenote.is_held(s.tenant_id, s.client_id)
   limit most)
  union all
  (select 'draft', n.note_id, s.client_id
   from casenote.tenant_retention r
   join casenote.progress_notes n on n.tenant_id = r.tenant_id and n.signed_by_id is null and n.status <> 'finalized'
     and n.active_generation_id is null and n.updated_at < casenote.tenant_now(of_tenant) - make_interval(days => r.draft_days)
   join casenote.sessions s on s.tenant_id = n.tenant_id and s.session_id = n.session_id and s.status in ('completed', 'failed')
   where r.tenant_id = of_tenant and (only_one is null or n.note_id = only_one) and not casenote.is_held(s.tenant_id, s.client_id)
   limit most)
$$;
revoke execute on function casenote.list_expired_of(uuid, uuid, int) from public;
grant execute on function casenote.list_expired_of(uuid, uuid, int) to casenote_app, casenote_door;

create function casenote.list_retaining_tenants() returns setof uuid
language sql stable security definer set search_path = '' as $$
  select r.tenant_id from casenote.tenant_retention r
$$;
alter function casenote.list_retaining_tenants() owner to casenote_door;

-- As erase_rows, and only what is past its days at this moment. Whose it was; null: it is not due any more.
create function casenote.expire_rows(root text, subject uuid) returns uuid
language plpgsql security definer set search_path = '' as $$
declare
  tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
  owner_id uuid;
  one text;
begin
  select x.client_id into owner_id from casenote.list_expired_of(tenant, subject, 1) x where x.kind = root;
  if owner_id is null then return null; end if;
  perform from casenote.clients c where c.tenant_id = tenant and c.client_id = owner_id for update;
  if root = 'draft' then
    perform from casenote.progress_notes n where n.tenant_id = tenant and n.note_id = subject for update;
  end if;
  -- While we waited for the client and the note, a hold may have been placed, or the note signed.
  if not exists (select from casenote.list_expired_of(tenant, subject, 1) x where x.kind = root and x.client_id = owner_id)
  then return null; end if;
  if root = 'draft' then
    perform casenote.erase_below('casenote.progress_notes', format('tenant_id = %L and note_id = %L', tenant, subject), 1);
  else
    foreach one in array array['transcripts', 'transcription_chunks', 'transcript_corrections', 'session_readings', 'session_texts'] loop
      perform casenote.erase_below(format('casenote.%I', one)::regclass,
        format('tenant_id = %L and session_id = %L', tenant, subject), 1);
    end loop;
  end if;
  return owner_id;
end $$;

-- Events of which nothing is still to be sent, with their deliveries.
create function casenote.purge_old_events(most int) returns int
language plpgsql security definer set search_path = '' as $$
declare
  old record;
  purged int := 0;
begin
  for old in
    select e.tenant_id, e.event_id from casenote.tenant_retention r
    join casenote.events e on e.tenant_id = r.tenant_id and e.fanned_out_at is not null
      and e.created_at < casenote.tenant_now(r.tenant_id) - make_interval(days => r.event_days)
    where not exists (select from casenote.webhook_deliveries d
      where d.tenant_id = e.tenant_id and d.event_id = e.event_id and d.status = 'pending')
    limit most
  loop
    delete from casenote.webhook_attempts a using casenote.webhook_deliveries d where d.tenant_id = old.tenant_id
      and d.event_id = old.event_id and a.tenant_id = d.tenant_id and a.delivery_id = d.delivery_id;
    delete from casenote.webhook_deliveries d where d.tenant_id = old.tenant_id and d.event_id = old.event_id;
    delete from casenote.events e where e.tenant_id = old.tenant_id and e.event_id = old.event_id;
    purged := purged + 1;
  end loop;
  return purged;
end $$;
alter function casenote.purge_old_events(int) owner to casenote_door;

do $$
declare
  door text;
begin
  foreach door in array array['list_retaining_tenants()', 'expire_rows(text, uuid)', 'purge_old_events(int)'] loop
    execute format('revoke execute on function casenote.%s from public', door);
    execute format('grant execute on function casenote.%s to casenote_app', door);
  end loop;
end $$;
revoke create on schema casenote from casenote_door;
