-- What the reader found in each transcript, and what a note leaves out of it.

create table casenote.session_readings (
  tenant_id uuid not null,
  session_id uuid not null,
  -- Topics, findings, and which transcript they were read from.
  sealed_reading bytea not null,
  made_by text not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, session_id),
  foreign key (tenant_id, session_id) references casenote.sessions
);
select casenote.isolate_by_tenant('casenote.session_readings');
grant select, insert, update on casenote.session_readings to casenote_app;

-- Null: the version was kept before there was a ledger.
alter table casenote.note_versions add column sealed_review bytea;
