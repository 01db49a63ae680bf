-- Templates of notes as data (decision 0039): what was added for a whole tenant, for a clinic or for a clinician.
create table casenote.note_templates (
  tenant_id uuid not null references casenote.tenants,
  template_id text not null check (template_id ~ '^[a-z][a-z0-9_-]{0,63}$'),
  -- Both of the newest version.
  note_type text not null,
  newest_version int not null check (newest_version > 0),
  -- Both null: the whole tenant's.
  clinic_id uuid,
  clinician_id uuid,
  -- Used where a session names the type and no template; the nearest wins.
  is_default boolean not null default false,
  -- No longer offered; notes that were written with it keep their version of it.
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  seq bigint generated always as identity,
  primary key (tenant_id, template_id),
  foreign key (tenant_id, clinic_id) references casenote.clinics,
  foreign key (tenant_id, clinician_id) references casenote.clinicians,
  check (clinic_id is null or clinician_id is null),
  check (removed_at is null or not is_default)
);
create unique index note_templates_default on casenote.note_templates
  (tenant_id, note_type, coalesce(clinician_id, clinic_id, '00000000-0000-0000-0000-000000000000'::uuid))
  where is_default;
create index note_templates_of_clinic on casenote.note_templates (tenant_id, clinic_id) where clinic_id is not null;
create index note_templates_of_clinician on casenote.note_templates (tenant_id, clinician_id)
  where clinician_id is not null;
select casenote.isolate_by_tenant('casenote.note_templates');
grant select, insert, update on casenote.note_templates to casenote_app;

-- Every version, as its file is; never changed or deleted.
create table casenote.note_template_versions (
  tenant_id uuid not null,
  template_id text not null,
  version int not null check (version > 0),
  template jsonb not null check (octet_length(template::text) <= 131072),
  created_at timestamptz not null default now(),
  primary key (tenant_id, template_id, version),
  foreign key (tenant_id, template_id) references casenote.note_templates
);
select casenote.isolate_by_tenant('casenote.note_template_versions');
grant select, insert on casenote.note_template_versions to casenote_app;

-- What a clinician wants of every note, over whatever template it is written with. Phrases may hold a name.
create table casenote.writing_preferences (
  tenant_id uuid not null,
  clinician_id uuid not null,
  sealed_preferences bytea not null,
  changed_at timestamptz not null default now(),
  primary key (tenant_id, clinician_id),
  foreign key (tenant_id, clinician_id) references casenote.clinicians
);
select casenote.isolate_by_tenant('casenote.writing_preferences');
grant select, insert, update on casenote.writing_preferences to casenote_app;

-- Beside note_type, wherever that is kept. Null: of the time before templates, so the first version of the type's own.
alter table casenote.sessions add column template_id text, add column template_version int;
alter table casenote.note_generations add column template_id text, add column template_version int;
alter table casenote.note_versions add column template_id text, add column template_version int;
