-- Assessments: a clinic's defaults, assignments and scores. The instruments themselves are data in the program, so an
-- assessment_id has no table to point at.

-- Set by the operator. A clinic without rows has the defaults of the program.
create table casenote.clinic_default_assessments (
  tenant_id uuid not null,
  clinic_id uuid not null,
  assessment_id text not null,
  primary key (tenant_id, clinic_id, assessment_id),
  foreign key (tenant_id, clinic_id) references casenote.clinics
);
select casenote.isolate_by_tenant('casenote.clinic_default_assessments');
grant select on casenote.clinic_default_assessments to casenote_app;

create table casenote.assessment_assignments (
  tenant_id uuid not null,
  assignment_id uuid not null,
  client_id uuid not null,
  -- Shared by what one call assigned, so that the client can answer it in one go.
  administration_id uuid not null,
  seq bigint generated always as identity,
  assessment_id text not null,
  status text not null default 'outstanding' check (status in ('outstanding', 'completed', 'expired')),
  -- Of the client's link. The token itself is shown once and stored nowhere.
  token_hash bytea not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  completed_at timestamptz,
  primary key (tenant_id, assignment_id),
  foreign key (tenant_id, client_id) references casenote.clients,
  constraint assessment_assignments_token unique (tenant_id, token_hash),
  check ((status = 'completed') = (completed_at is not null))
);
-- Whatever happens at once, an assessment is never outstanding twice.
create unique index assessment_assignments_outstanding
  on casenote.assessment_assignments (tenant_id, client_id, assessment_id) where status = 'outstanding';
select casenote.isolate_by_tenant('casenote.assessment_assignments');
grant select, insert, update on casenote.assessment_assignments to casenote_app;

create table casenote.assessment_scores (
  tenant_id uuid not null,
  score_id uuid not null,
  client_id uuid not null,
  assignment_id uuid not null,
  seq bigint generated always as identity,
  assessment_id text not null,
  -- Which wording was answered and which rules counted.
  instrument_version text not null,
  scorer_version text not null,
  -- Score, severity, flags and answers: all of it says how somebody is, so all of it is sealed.
  sealed_result bytea not null,
  completed_at timestamptz not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, score_id),
  foreign key (tenant_id, client_id) references casenote.clients,
  foreign key (tenant_id, assignment_id) references casenote.assessment_assignments,
  constraint assessment_scores_one_of_assignment unique (tenant_id, assignment_id)
);
create unique index assessment_scores_of_client on casenote.assessment_scores (tenant_id, client_id, seq);
select casenote.isolate_by_tenant('casenote.assessment_scores');
grant select, insert on casenote.assessment_scores to casenote_app;
