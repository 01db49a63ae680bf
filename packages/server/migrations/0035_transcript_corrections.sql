-- Words of a transcript that a clinician put right: who, when, and what stood there before. The transcript itself holds the words
-- of now; it is the same for the widget, the partner and the writers.
create table casenote.transcript_corrections (
  tenant_id uuid not null,
  session_id uuid not null,
  number integer not null check (number between 1 and 2000),
  item integer not null check (item >= 0),
  clinician_id uuid not null,
  -- Before and after.
  sealed_words bytea not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, session_id, number),
  foreign key (tenant_id, session_id) references casenote.sessions,
  foreign key (tenant_id, clinician_id) references casenote.clinicians
);
select casenote.isolate_by_tenant('casenote.transcript_corrections');
grant select, insert, delete on casenote.transcript_corrections to casenote_app;
