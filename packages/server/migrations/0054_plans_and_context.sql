-- What a partner knows beside a session: one sealed text for each session.
create table casenote.session_contexts (
  tenant_id uuid not null,
  session_id uuid not null,
  sealed_context bytea not null,
  updated_at timestamptz not null default now(),
  primary key (tenant_id, session_id),
  foreign key (tenant_id, session_id) references casenote.sessions
);
select casenote.isolate_by_tenant('casenote.session_contexts');
-- Deleted where another session takes it over, and with a recording that is thrown away.
grant select, insert, update, delete on casenote.session_contexts to casenote_app;
