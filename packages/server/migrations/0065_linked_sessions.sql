-- A session of one person of those who were recorded together: with their own client, consent, note and events (decision 0051). Erasing either
-- of the two takes this row and leaves the other session. The shared one comes first in the key: a table whose key is one id of a session
-- alone would take that session's jobs with it.
create table casenote.session_links (
  tenant_id uuid not null,
  shared_session_id uuid not null,
  session_id uuid not null,
  client_id uuid not null,
  -- Of the shared recording.
  voices int[] not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, shared_session_id, session_id),
  foreign key (tenant_id, shared_session_id) references casenote.sessions,
  foreign key (tenant_id, session_id) references casenote.sessions,
  check (shared_session_id <> session_id)
);
create unique index session_links_of_session on casenote.session_links (tenant_id, session_id);
-- A person has one.
create unique index session_links_of_person on casenote.session_links (tenant_id, shared_session_id, client_id);
select casenote.isolate_by_tenant('casenote.session_links');
grant select, insert on casenote.session_links to casenote_app;
