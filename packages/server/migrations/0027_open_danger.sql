-- What is open about danger: answers in questionnaires, and what was said in sessions. An item stays open until a clinician
-- closes it with a reason, or a signed note holds it (decision 0023).

create table casenote.danger_items (
  tenant_id uuid not null,
  item_id uuid not null,
  seq bigint generated always as identity,
  client_id uuid not null,
  -- One of the two: where it was said, or in which questionnaire it was answered.
  session_id uuid,
  assignment_id uuid,
  -- What it is, the words, and by what a second reading knows it again.
  sealed_item bytea not null,
  occurred_at timestamptz not null,
  created_at timestamptz not null default now(),
  status text not null default 'open' check (status in ('open', 'closed', 'held')),
  ended_at timestamptz,
  -- Who closed it, and why; or the note that holds it.
  closed_by_id uuid,
  sealed_reason bytea,
  note_id uuid,
  primary key (tenant_id, item_id),
  foreign key (tenant_id, client_id) references casenote.clients,
  foreign key (tenant_id, session_id) references casenote.sessions,
  foreign key (tenant_id, assignment_id) references casenote.assessment_assignments,
  foreign key (tenant_id, closed_by_id) references casenote.clinicians,
  foreign key (tenant_id, note_id) references casenote.progress_notes,
  check ((session_id is null) <> (assignment_id is null)),
  check ((status = 'open') = (ended_at is null)),
  check ((status = 'closed') = (closed_by_id is not null and sealed_reason is not null)),
  check ((status = 'held') = (note_id is not null))
);
create index danger_items_open on casenote.danger_items (tenant_id, client_id) where status = 'open';
create index danger_items_ended on casenote.danger_items (tenant_id, client_id, ended_at) where status <> 'open';
create index danger_items_of_session on casenote.danger_items (tenant_id, session_id) where session_id is not null;
create index danger_items_of_assignment on casenote.danger_items (tenant_id, assignment_id)
  where assignment_id is not null;
select casenote.isolate_by_tenant('casenote.danger_items');
grant select, insert, update on casenote.danger_items to casenote_app;

-- "Seen by me": the first time, of each clinician. Closes nothing.
create table casenote.danger_sightings (
  tenant_id uuid not null,
  item_id uuid not null,
  clinician_id uuid not null,
  seen_at timestamptz not null default now(),
  primary key (tenant_id, item_id, clinician_id),
  foreign key (tenant_id, item_id) references casenote.danger_items,
  foreign key (tenant_id, clinician_id) references casenote.clinicians
);
select casenote.isolate_by_tenant('casenote.danger_sightings');
grant select, insert on casenote.danger_sightings to casenote_app;

-- What a signature left open. The reason is there where the signer had to give one.
create table casenote.danger_left_open (
  tenant_id uuid not null,
  note_id uuid not null,
  item_id uuid not null,
  sealed_reason bytea,
  left_at timestamptz not null default now(),
  primary key (tenant_id, note_id, item_id),
  foreign key (tenant_id, note_id) references casenote.progress_notes,
  foreign key (tenant_id, item_id) references casenote.danger_items
);
create index danger_left_open_of_item on casenote.danger_left_open (tenant_id, item_id, left_at);
select casenote.isolate_by_tenant('casenote.danger_left_open');
grant select, insert on casenote.danger_left_open to casenote_app;
