-- Sessions, transcripts, progress notes, MDM elements, summaries and magic edits.
-- What was said, written or derived is sealed with the tenant's data key; fileUrl too, because it is often presigned.

-- Whether a transcript, mdm or summary that does not exist yet is answered as today (200) or as announced (404).
alter table casenote.tenants
  add column not_ready_status int not null default 200 check (not_ready_status in (200, 404));

create table casenote.sessions (
  tenant_id uuid not null,
  session_id uuid not null,
  client_id uuid not null,
  clinician_id uuid not null,
  -- The clinician's at the time: a later transfer does not move what has happened.
  clinic_id uuid not null,
  organization_id uuid not null,
  seq bigint generated always as identity,
  session_external_id text,
  note_type text not null check (note_type in ('soap', 'dap', 'birp', 'girp', 'pirp', 'psychotherapy_intake',
    'psychiatric_evaluation', 'medication_management')),
  session_type text,
  -- Null for a session of the widget.
  sealed_file_url bytea,
  started_at timestamptz,
  status text not null check (status in (
    'awaiting_audio', 'fetching', 'transcribing', 'generating', 'completed', 'failed')),
  progress double precision not null default 0 check (progress between 0 and 1),
  -- A name from a fixed list, never a text with anything of the session in it.
  failure_code text,
  created_at timestamptz not null default now(),
  primary key (tenant_id, session_id),
  foreign key (tenant_id, client_id) references casenote.clients,
  foreign key (tenant_id, clinician_id) references casenote.clinicians,
  foreign key (tenant_id, clinic_id) references casenote.clinics,
  foreign key (tenant_id, organization_id) references casenote.organizations,
  check ((status = 'failed') = (failure_code is not null)),
  check ((status = 'completed') = (progress = 1))
);
create unique index sessions_of_client on casenote.sessions (tenant_id, client_id, seq);
select casenote.isolate_by_tenant('casenote.sessions');
grant select, insert, update on casenote.sessions to casenote_app;

create table casenote.session_status_history (
  tenant_id uuid not null,
  session_id uuid not null,
  seq bigint generated always as identity,
  action text not null,
  from_status text,
  to_status text not null,
  changed_at timestamptz not null default now(),
  primary key (tenant_id, session_id, seq),
  foreign key (tenant_id, session_id) references casenote.sessions
);
select casenote.isolate_by_tenant('casenote.session_status_history');
grant select, insert on casenote.session_status_history to casenote_app;

create table casenote.transcripts (
  tenant_id uuid not null,
  session_id uuid not null,
  sealed_items bytea not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, session_id),
  foreign key (tenant_id, session_id) references casenote.sessions
);
select casenote.isolate_by_tenant('casenote.transcripts');
grant select, insert, update on casenote.transcripts to casenote_app;

-- One note for each session, under an id of its own: the progressNoteId on the wire changes with every regeneration.
create table casenote.progress_notes (
  tenant_id uuid not null,
  note_id uuid not null,
  session_id uuid not null,
  progress_note_id uuid not null,
  status text not null default 'generating' check (status in (
    'generating', 'generated', 'regenerated', 'finalized', 'failed')),
  -- The fence: editing and finalizing need none, completing needs its own.
  active_generation_id uuid,
  -- 0: nothing has been written yet.
  version int not null default 0 check (version >= 0),
  sealed_preferences bytea,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  finalized_at timestamptz,
  primary key (tenant_id, note_id),
  unique (tenant_id, session_id),
  foreign key (tenant_id, session_id) references casenote.sessions,
  check ((status = 'finalized') = (finalized_at is not null)),
  check (status <> 'finalized' or active_generation_id is null),
  check ((status in ('generating', 'failed')) = (version = 0))
);
select casenote.isolate_by_tenant('casenote.progress_notes');
grant select, insert, update on casenote.progress_notes to casenote_app;

-- Every progressNoteId that a note ever had; all lead to the one current note.
create table casenote.progress_note_ids (
  tenant_id uuid not null,
  progress_note_id uuid not null,
  note_id uuid not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, progress_note_id),
  foreign key (tenant_id, note_id) references casenote.progress_notes
);
select casenote.isolate_by_tenant('casenote.progress_note_ids');
grant select, insert on casenote.progress_note_ids to casenote_app;

-- Writing a note: the first time, again, or by a magic edit. A pending row is what the pipeline works on.
create table casenote.note_generations (
  tenant_id uuid not null,
  generation_id uuid not null,
  note_id uuid not null,
  -- Of the session, for the list of a clinician's magic edits.
  clinician_id uuid not null,
  seq bigint generated always as identity,
  kind text not null check (kind in ('generation', 'regeneration', 'magic_edit')),
  status text not null default 'pending' check (status in ('pending', 'completed', 'failed')),
  -- What the note was called when it was asked for.
  progress_note_id uuid not null,
  sealed_instructions bytea,
  -- The sections so far, while pending.
  sealed_sections bytea,
  sealed_failure bytea,
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  primary key (tenant_id, generation_id),
  foreign key (tenant_id, note_id) references casenote.progress_notes,
  foreign key (tenant_id, clinician_id) references casenote.clinicians,
  check ((kind = 'magic_edit') = (sealed_instructions is not null)),
  check ((status = 'pending') = (ended_at is null))
);
create unique index note_generations_one_pending on casenote.note_generations (tenant_id, note_id)
  where status = 'pending';
create unique index note_generations_magic_edits on casenote.note_generations (tenant_id, clinician_id, seq)
  where kind = 'magic_edit';
select casenote.isolate_by_tenant('casenote.note_generations');
grant select, insert, update on casenote.note_generations to casenote_app;
alter table casenote.progress_notes
  add foreign key (tenant_id, active_generation_id) references casenote.note_generations;

-- Append-only, by what is granted.
create table casenote.note_versions (
  tenant_id uuid not null,
  note_id uuid not null,
  version int not null check (version > 0),
  version_id uuid not null,
  progress_note_id uuid not null,
  origin text not null check (origin in ('generation', 'regeneration', 'magic_edit', 'edit')),
  generation_id uuid,
  sealed_sections bytea not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, note_id, version),
  foreign key (tenant_id, note_id) references casenote.progress_notes,
  foreign key (tenant_id, generation_id) references casenote.note_generations,
  check ((origin = 'edit') = (generation_id is null))
);
select casenote.isolate_by_tenant('casenote.note_versions');
grant select, insert on casenote.note_versions to casenote_app;

create table casenote.note_status_history (
  tenant_id uuid not null,
  note_id uuid not null,
  seq bigint generated always as identity,
  action text not null,
  from_status text,
  to_status text not null,
  progress_note_id uuid not null,
  changed_at timestamptz not null default now(),
  primary key (tenant_id, note_id, seq),
  foreign key (tenant_id, note_id) references casenote.progress_notes
);
select casenote.isolate_by_tenant('casenote.note_status_history');
grant select, insert on casenote.note_status_history to casenote_app;

create table casenote.mdm_elements (
  tenant_id uuid not null,
  session_id uuid not null,
  mdm_id uuid not null,
  sealed_findings bytea not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, session_id),
  foreign key (tenant_id, session_id) references casenote.sessions
);
select casenote.isolate_by_tenant('casenote.mdm_elements');
grant select, insert, update on casenote.mdm_elements to casenote_app;

create table casenote.summaries (
  tenant_id uuid not null,
  summary_id uuid not null,
  session_id uuid not null,
  sealed_summary bytea not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, summary_id),
  unique (tenant_id, session_id),
  foreign key (tenant_id, session_id) references casenote.sessions
);
select casenote.isolate_by_tenant('casenote.summaries');
grant select, insert, update on casenote.summaries to casenote_app;
