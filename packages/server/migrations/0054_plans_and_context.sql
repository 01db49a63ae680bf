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

-- A client's treatment plans: one row each, what it says sealed in its versions.
create table casenote.treatment_plans (
  tenant_id uuid not null,
  plan_id uuid not null,
  client_id uuid not null,
  status text not null check (status in ('draft', 'active', 'ended')),
  version int not null check (version > 0),
  seq bigint generated always as identity,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  ended_at timestamptz,
  primary key (tenant_id, plan_id),
  foreign key (tenant_id, client_id) references casenote.clients
);
create index treatment_plans_of_client on casenote.treatment_plans (tenant_id, client_id, seq);
-- What a client is treated by is one plan.
create unique index treatment_plans_active on casenote.treatment_plans (tenant_id, client_id) where status = 'active';
select casenote.isolate_by_tenant('casenote.treatment_plans');
grant select, insert, update on casenote.treatment_plans to casenote_app;

create table casenote.treatment_plan_versions (
  tenant_id uuid not null,
  plan_id uuid not null,
  version int not null check (version > 0),
  version_id uuid not null,
  sealed_plan bytea not null,
  signed_by_kind text check (signed_by_kind in ('clinician', 'partner')),
  signed_by_id uuid,
  signed_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (tenant_id, plan_id, version),
  foreign key (tenant_id, plan_id) references casenote.treatment_plans,
  check ((signed_by_kind is null) = (signed_at is null) and (signed_by_id is null) = (signed_at is null))
);
select casenote.isolate_by_tenant('casenote.treatment_plan_versions');
-- What a version says stays; who signed it comes later.
grant select, insert, update (signed_by_kind, signed_by_id, signed_at) on casenote.treatment_plan_versions to casenote_app;

create table casenote.treatment_plan_status_history (
  tenant_id uuid not null,
  plan_id uuid not null,
  seq bigint generated always as identity,
  action text not null,
  from_status text,
  to_status text not null,
  version int not null,
  changed_at timestamptz not null default now(),
  primary key (tenant_id, plan_id, seq),
  foreign key (tenant_id, plan_id) references casenote.treatment_plans
);
select casenote.isolate_by_tenant('casenote.treatment_plan_status_history');
grant select, insert on casenote.treatment_plan_status_history to casenote_app;

-- Which sentences of a version speak to which goal, sealed; null for what was written before there were goals.
alter table casenote.note_versions add column sealed_goals bytea;
