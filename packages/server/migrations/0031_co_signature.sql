-- A clinician under supervision signs, the supervisor co-signs (decision 0029). Without a supervisor nothing changes.

alter table casenote.clinicians
  -- Who co-signs this clinician's notes; null: nobody has to.
  add column supervisor_id uuid,
  add check (supervisor_id <> clinician_id),
  add foreign key (tenant_id, supervisor_id) references casenote.clinicians;
create index clinicians_of_supervisor on casenote.clinicians (tenant_id, supervisor_id)
  where supervisor_id is not null;

alter table casenote.progress_notes
  -- Of the first signature. Null also for notes that were finalized before this was kept: then it is `finalized_at`.
  add column signed_at timestamptz,
  add column co_signed_by_kind text check (co_signed_by_kind in ('clinician', 'partner')),
  add column co_signed_by_id uuid,
  -- Was: only of a finalized note. A signature without `finalized` waits for the other one.
  drop constraint progress_notes_check4,
  add check (signed_by_kind is null or status in ('generated', 'regenerated', 'finalized')),
  -- What is signed is not rewritten.
  add check (signed_by_kind is null or active_generation_id is null),
  add check ((co_signed_by_kind is null) = (co_signed_by_id is null)),
  add check (co_signed_by_kind is null or (status = 'finalized' and signed_by_kind is not null));
create index progress_notes_waiting on casenote.progress_notes (tenant_id, signed_by_id)
  where signed_by_id is not null and status <> 'finalized';

-- That a signed note was given back before the second signature, and why. Append-only, by what is granted.
create table casenote.note_returns (
  tenant_id uuid not null,
  note_id uuid not null,
  -- In order, without gaps. The bound is the contract package's `noteReturnsMax`.
  number int not null check (number between 1 and 50),
  returned_by_id uuid not null,
  sealed_reason bytea not null,
  returned_at timestamptz not null default now(),
  primary key (tenant_id, note_id, number),
  foreign key (tenant_id, note_id) references casenote.progress_notes,
  foreign key (tenant_id, returned_by_id) references casenote.clinicians
);
select casenote.isolate_by_tenant('casenote.note_returns');
grant select, insert on casenote.note_returns to casenote_app;

-- A note that was returned is signed again, beside what is open then.
grant update (sealed_reason, left_at) on casenote.danger_left_open to casenote_app;
