-- Clients, their programs and the clinicians who treat them beside the primary one.

create table casenote.clients (
  tenant_id uuid not null,
  client_id uuid not null,
  -- The primary clinician. The client's clinic is that clinician's; kept here, because lists filter and count by it.
  clinician_id uuid not null,
  clinic_id uuid not null,
  -- The order of creation. Two creations under way at once may get their numbers in either order.
  seq bigint generated always as identity,
  first_name text,
  last_name text not null,
  -- First and last name, folded in TypeScript for the free-text search.
  name_folded text not null,
  date_of_birth date not null,
  email text,
  phone_number text,
  external_id text,
  status text not null default 'awaiting_invite' check (status in (
    'awaiting_invite', 'active', 'archived', 'declined', 'invite_sent', 'pending', 'unknown')),
  -- What unarchiving restores.
  status_before_archive text check (status_before_archive <> 'archived'),
  created_at timestamptz not null default now(),
  primary key (tenant_id, client_id),
  foreign key (tenant_id, clinician_id) references casenote.clinicians,
  foreign key (tenant_id, clinic_id) references casenote.clinics,
  check ((status = 'archived') = (status_before_archive is not null))
);
create unique index clients_of_clinic on casenote.clients (tenant_id, clinic_id, seq);
create unique index clients_of_clinician on casenote.clients (tenant_id, clinician_id, seq);
select casenote.isolate_by_tenant('casenote.clients');
grant select, insert, update on casenote.clients to casenote_app;

-- Every change of status, with the change (who and when is in the audit log).
create table casenote.client_status_history (
  tenant_id uuid not null,
  client_id uuid not null,
  seq bigint generated always as identity,
  action text not null,
  from_status text,
  to_status text not null,
  changed_at timestamptz not null default now(),
  primary key (tenant_id, client_id, seq),
  foreign key (tenant_id, client_id) references casenote.clients
);
select casenote.isolate_by_tenant('casenote.client_status_history');
grant select, insert on casenote.client_status_history to casenote_app;

create table casenote.client_programs (
  tenant_id uuid not null,
  client_id uuid not null,
  program_id uuid not null,
  seq bigint generated always as identity,
  primary key (tenant_id, client_id, program_id),
  foreign key (tenant_id, client_id) references casenote.clients,
  foreign key (tenant_id, program_id) references casenote.programs
);
select casenote.isolate_by_tenant('casenote.client_programs');
grant select, insert, delete on casenote.client_programs to casenote_app;

create table casenote.secondary_clinicians (
  tenant_id uuid not null,
  client_id uuid not null,
  clinician_id uuid not null,
  seq bigint generated always as identity,
  created_at timestamptz not null default now(),
  primary key (tenant_id, client_id, clinician_id),
  foreign key (tenant_id, client_id) references casenote.clients,
  foreign key (tenant_id, clinician_id) references casenote.clinicians
);
create index secondary_clinicians_by_clinician on casenote.secondary_clinicians (tenant_id, clinician_id);
select casenote.isolate_by_tenant('casenote.secondary_clinicians');
grant select, insert, delete on casenote.secondary_clinicians to casenote_app;
