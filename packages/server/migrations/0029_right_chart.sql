-- A recording that was made under the wrong client: its session is withdrawn, and what was copied of its note is named.

-- Where a note was copied to, so that it can be taken out there when its session is withdrawn. Nothing of the note itself.
create table casenote.note_copies (
  tenant_id uuid not null,
  note_id uuid not null,
  seq bigint generated always as identity,
  progress_note_id uuid not null,
  clinician_id uuid not null,
  -- The page that embeds the widget, or the clipboard.
  copied_to text not null check (copied_to in ('page', 'clipboard')),
  -- Whose chart that page showed, as far as it said so.
  chart_client_id uuid,
  copied_at timestamptz not null default now(),
  primary key (tenant_id, note_id, seq),
  foreign key (tenant_id, note_id) references casenote.progress_notes,
  foreign key (tenant_id, clinician_id) references casenote.clinicians,
  foreign key (tenant_id, chart_client_id) references casenote.clients
);
select casenote.isolate_by_tenant('casenote.note_copies');
grant select, insert on casenote.note_copies to casenote_app;

-- What was made of the recording is somebody else's: nothing of it stays under the wrong client.
grant delete on casenote.transcripts, casenote.session_readings, casenote.summaries, casenote.mdm_elements to casenote_app;

-- All ids that a note ever had are named when it is withdrawn.
create index progress_note_ids_of_note on casenote.progress_note_ids (tenant_id, note_id);
