-- What a clinician jotted down and marked while a session was recorded: one sealed text and its markers for each session.
create table casenote.session_pads (
  tenant_id uuid not null,
  session_id uuid not null,
  sealed_pad bytea not null,
  updated_at timestamptz not null default now(),
  primary key (tenant_id, session_id),
  foreign key (tenant_id, session_id) references casenote.sessions
);
select casenote.isolate_by_tenant('casenote.session_pads');
-- Deleted with a recording that is thrown away, and of a session that was withdrawn.
grant select, insert, update, delete on casenote.session_pads to casenote_app;
