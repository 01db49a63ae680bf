-- What was added to a note after it was signed, with author and moment; the signed text stays as it is (decision 0025).

-- Append-only, by what is granted.
create table casenote.note_addenda (
  tenant_id uuid not null,
  note_id uuid not null,
  -- In the order of adding, without gaps. The bound is the contract package's `addendaMax`.
  number int not null check (number between 1 and 50),
  -- Chosen by who adds it, so that the same one sent again is not added twice.
  addendum_id uuid not null,
  author_kind text not null check (author_kind in ('clinician', 'partner')),
  author_id uuid not null,
  sealed_text bytea not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, note_id, number),
  unique (tenant_id, note_id, addendum_id),
  foreign key (tenant_id, note_id) references casenote.progress_notes
);
select casenote.isolate_by_tenant('casenote.note_addenda');
grant select, insert on casenote.note_addenda to casenote_app;
