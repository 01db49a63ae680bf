-- How far a recording was heard while it is recorded, and the words that may still change, sealed. The words go with the end of the
-- recording, the row with its transcript.
create table casenote.live_transcripts (
  tenant_id uuid not null,
  session_id uuid not null,
  -- Of the recording's bytes, those that were given to the decoder; and the sound that it made of them.
  fed_bytes bigint not null check (fed_bytes >= 0),
  heard_ms bigint not null check (heard_ms >= 0),
  sealed_draft bytea,
  updated_at timestamptz not null default now(),
  primary key (tenant_id, session_id),
  foreign key (tenant_id, session_id) references casenote.sessions
);
select casenote.isolate_by_tenant('casenote.live_transcripts');
grant select, insert, update, delete on casenote.live_transcripts to casenote_app;
alter table casenote.jobs drop constraint jobs_kind_check,
  add constraint jobs_kind_check check (kind in
    ('fetch_audio', 'join_audio', 'hear_live', 'finish_live', 'transcribe', 'take_text', 'write_note', 'derive_mdm', 'summarize',
      'read_transcript', 'send_mail', 'send_code'));
