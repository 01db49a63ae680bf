-- The widget: consent to be recorded, recordings that arrive in pieces, and notes that can be written as another type.

-- Append-only, by what is granted: who recorded whose consent, to which text, when, and that it was withdrawn.
create table casenote.recording_consents (
  tenant_id uuid not null,
  client_id uuid not null,
  seq bigint generated always as identity,
  clinician_id uuid not null,
  text_version text not null,
  is_given boolean not null,
  recorded_at timestamptz not null default now(),
  primary key (tenant_id, client_id, seq),
  foreign key (tenant_id, client_id) references casenote.clients,
  foreign key (tenant_id, clinician_id) references casenote.clinicians
);
select casenote.isolate_by_tenant('casenote.recording_consents');
grant select, insert on casenote.recording_consents to casenote_app;

-- Chosen by the browser that records: asking again for the session of a recording gives the same one.
alter table casenote.sessions add column recording_id uuid;
create unique index sessions_of_recording on casenote.sessions (tenant_id, clinician_id, recording_id)
  where recording_id is not null;
create unique index sessions_of_clinician on casenote.sessions (tenant_id, clinician_id, seq);
create index sessions_awaiting_audio on casenote.sessions (created_at) where status = 'awaiting_audio';

-- One segment of a recording on its way. Its bytes are the parts of its blob: part and offset commit together.
create table casenote.uploads (
  tenant_id uuid not null,
  upload_id uuid not null,
  session_id uuid not null,
  blob_id uuid not null,
  segment int not null check (segment between 0 and 199),
  mime_type text not null,
  -- Null until the recorder knows where it ends.
  length_bytes bigint check (length_bytes between 0 and 2147483648),
  offset_bytes bigint not null default 0 check (offset_bytes >= 0),
  part_count int not null default 0 check (part_count >= 0),
  -- The request that may add bytes: a newer one takes over from one whose connection is dead.
  writer_id uuid,
  status text not null default 'open' check (status in ('open', 'used', 'dropped')),
  -- In the whole recording, from 0; only of those that were used.
  position int,
  created_at timestamptz not null default now(),
  primary key (tenant_id, upload_id),
  foreign key (tenant_id, session_id) references casenote.sessions,
  foreign key (tenant_id, blob_id) references casenote.blobs,
  check (offset_bytes <= coalesce(length_bytes, 2147483648)),
  check ((status = 'used') = (position is not null)),
  check (status <> 'used' or offset_bytes = length_bytes)
);
create unique index uploads_of_session on casenote.uploads (tenant_id, session_id, upload_id);
create unique index uploads_of_blob on casenote.uploads (tenant_id, blob_id);
select casenote.isolate_by_tenant('casenote.uploads');
grant select, insert, update on casenote.uploads to casenote_app;

-- A regeneration may ask for another type; a version remembers which it was, so that it can be restored. Null: the
-- session's, as all were before.
alter table casenote.note_generations add column note_type text;
alter table casenote.note_versions add column note_type text;
create unique index note_generations_magic_edits_of_note on casenote.note_generations (tenant_id, note_id, seq)
  where kind = 'magic_edit';

alter table casenote.jobs drop constraint jobs_kind_check;
alter table casenote.jobs add constraint jobs_kind_check check (kind in (
  'fetch_audio', 'join_audio', 'transcribe', 'write_note', 'derive_mdm', 'summarize'));

grant create on schema casenote to casenote_door;
grant select on casenote.uploads to casenote_door;

-- Sessions whose recording nobody finished: the worker ends them, for all tenants.
create function casenote.list_abandoned_recordings(keep_days int, most int)
returns table (tenant_id uuid, session_id uuid)
language sql stable security definer set search_path = '' as $$
  select s.tenant_id, s.session_id from casenote.sessions s
  where s.status = 'awaiting_audio' and s.created_at < now() - keep_days * interval '1 day'
  order by s.created_at limit most
$$;
alter function casenote.list_abandoned_recordings(int, int) owner to casenote_door;
revoke execute on function casenote.list_abandoned_recordings(int, int) from public;
grant execute on function casenote.list_abandoned_recordings(int, int) to casenote_app;

-- As before, and the segments of a recording go with the whole of it.
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
      limit most
    ) e
    where b.tenant_id = e.tenant_id and b.blob_id = e.blob_id and b.status = 'complete'
    returning 1
  )
  select count(*)::int from scheduled
$$;
revoke create on schema casenote from casenote_door;
