-- Names and medicines as a clinician or a whole clinic writes them: the recognizer's words are put right by them from then on.
create table casenote.vocabulary_terms (
  tenant_id uuid not null,
  term_id uuid not null,
  clinic_id uuid not null,
  -- Null: all of the clinic's.
  clinician_id uuid,
  -- How it is written, and what the recognizer makes of it.
  sealed_term bytea not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, term_id),
  foreign key (tenant_id, clinic_id) references casenote.clinics,
  foreign key (tenant_id, clinician_id) references casenote.clinicians
);
create index vocabulary_terms_of_clinic on casenote.vocabulary_terms (tenant_id, clinic_id, clinician_id);
select casenote.isolate_by_tenant('casenote.vocabulary_terms');
grant select, insert, update, delete on casenote.vocabulary_terms to casenote_app;
