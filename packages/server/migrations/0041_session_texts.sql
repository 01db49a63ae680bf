-- Sessions that nobody recorded: in place of a recording, what the clinician typed about one, sealed.
alter table casenote.sessions
  add column source text not null default 'recording' check (source in ('recording', 'typed'));
create table casenote.session_texts (
  tenant_id uuid not null,
  session_id uuid not null,
  sealed_text bytea not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, session_id),
  foreign key (tenant_id, session_id) references casenote.sessions
);
select casenote.isolate_by_tenant('casenote.session_texts');
-- Deleted where another session takes it over, as a recording is.
grant select, insert, delete on casenote.session_texts to casenote_app;
alter table casenote.jobs drop constraint jobs_kind_check,
  add constraint jobs_kind_check check (kind in
    ('fetch_audio', 'join_audio', 'transcribe', 'take_text', 'write_note', 'derive_mdm', 'summarize',
      'read_transcript', 'send_mail', 'send_code'));
