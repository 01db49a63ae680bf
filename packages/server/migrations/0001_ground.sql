-- The ground: tenants, their credentials and keys, the hierarchy that operators provision, clinician tokens.
-- Every key starts with the tenant. Row level security is forced on every table; the tenant comes from app.tenant,
-- which is '' after a transaction that set it, hence the nullif.

grant usage on schema casenote to casenote_app, casenote_dispatcher, casenote_door;
grant select on casenote.schema_migrations to casenote_app, casenote_dispatcher;

-- Isolates one table: called once for each, so that no table can be half isolated.
-- The door role's policy is what lets the owner and the named doors look across tenants.
create function casenote.isolate_by_tenant(isolated regclass) returns void
language plpgsql as $$
begin
  execute format('alter table %s enable row level security', isolated);
  execute format('alter table %s force row level security', isolated);
  execute format(
    'create policy tenant_isolation on %s to casenote_app, casenote_dispatcher
       using (tenant_id = nullif(current_setting(''app.tenant'', true), '''')::uuid)
       with check (tenant_id = nullif(current_setting(''app.tenant'', true), '''')::uuid)', isolated);
  execute format(
    'create policy operator on %s to casenote_door using (true) with check (true)', isolated);
end $$;

revoke execute on function casenote.isolate_by_tenant(regclass) from public;

-- One row: which installation this is and which master key wraps its tenants' keys.
create table casenote.installation (
  singleton boolean primary key default true check (singleton),
  installation_id uuid not null default gen_random_uuid(),
  master_key_id text not null,
  created_at timestamptz not null default now()
);
grant select on casenote.installation to casenote_app, casenote_dispatcher;

-- One row that rises with every change of a tenant, credential or key. Each instance polls it and forgets what it
-- has cached. A sequence would not do: it moves before the change commits.
create table casenote.directory_version (
  singleton boolean primary key default true check (singleton),
  version bigint not null
);
insert into casenote.directory_version (version) values (1);
grant select on casenote.directory_version to casenote_app, casenote_dispatcher;

create table casenote.tenants (
  tenant_id uuid primary key,
  name text not null,
  environment text not null check (environment in ('sandbox', 'production')),
  client_id text not null,
  rate_per_second int not null default 10000 check (rate_per_second > 0),
  burst int not null default 20000 check (burst > 0),
  per_day bigint not null default 50000000 check (per_day > 0),
  -- null: any origin, which only a sandbox may have.
  embedding_origins text[] check (embedding_origins is not null or environment = 'sandbox'),
  suspended_at timestamptz,
  created_at timestamptz not null default now()
);
select casenote.isolate_by_tenant('casenote.tenants');
grant select on casenote.tenants to casenote_app, casenote_dispatcher;

create table casenote.api_keys (
  tenant_id uuid not null references casenote.tenants,
  key_hash bytea not null,
  created_at timestamptz not null default now(),
  revoked_at timestamptz,
  primary key (tenant_id, key_hash)
);
-- For the door below, which starts from the key. Not unique: uniqueness across tenants would be a way to ask.
create index api_keys_by_hash on casenote.api_keys (key_hash);
select casenote.isolate_by_tenant('casenote.api_keys');

-- clientSecret must sign webhooks, so it is sealed and not hashed.
create table casenote.client_secrets (
  tenant_id uuid not null references casenote.tenants,
  secret_id uuid not null,
  sealed_secret bytea not null,
  created_at timestamptz not null default now(),
  -- Set by a rotation, 24 hours ahead; null for the newest.
  expires_at timestamptz,
  primary key (tenant_id, secret_id)
);
select casenote.isolate_by_tenant('casenote.client_secrets');
grant select on casenote.client_secrets to casenote_app, casenote_dispatcher;

create table casenote.tenant_keys (
  tenant_id uuid not null references casenote.tenants,
  purpose text not null check (purpose in ('data', 'token', 'audit')),
  version int not null check (version > 0),
  wrapped_key bytea not null,
  master_key_id text not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, purpose, version)
);
select casenote.isolate_by_tenant('casenote.tenant_keys');
grant select on casenote.tenant_keys to casenote_app, casenote_dispatcher;

create function casenote.bump_directory_version() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update casenote.directory_version set version = version + 1;
  return null;
end $$;
revoke execute on function casenote.bump_directory_version() from public;

create trigger directory_changed after insert or update or delete on casenote.tenants
  for each statement execute function casenote.bump_directory_version();
create trigger directory_changed after insert or update or delete on casenote.api_keys
  for each statement execute function casenote.bump_directory_version();
create trigger directory_changed after insert or update or delete on casenote.client_secrets
  for each statement execute function casenote.bump_directory_version();
create trigger directory_changed after insert or update or delete on casenote.tenant_keys
  for each statement execute function casenote.bump_directory_version();

-- Organizations, clinics and programs are provisioned by the operator (decisions 3): the services only read them.
create table casenote.organizations (
  tenant_id uuid not null references casenote.tenants,
  organization_id uuid not null,
  seq bigint generated always as identity,
  name text not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, organization_id)
);
create unique index organizations_in_order on casenote.organizations (tenant_id, seq);
select casenote.isolate_by_tenant('casenote.organizations');
grant select on casenote.organizations to casenote_app;

create table casenote.clinics (
  tenant_id uuid not null,
  clinic_id uuid not null,
  organization_id uuid not null,
  seq bigint generated always as identity,
  name text not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, clinic_id),
  foreign key (tenant_id, organization_id) references casenote.organizations
);
create unique index clinics_in_order on casenote.clinics (tenant_id, organization_id, seq);
select casenote.isolate_by_tenant('casenote.clinics');
grant select on casenote.clinics to casenote_app;

create table casenote.programs (
  tenant_id uuid not null,
  program_id uuid not null,
  organization_id uuid not null,
  seq bigint generated always as identity,
  name text not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, program_id),
  foreign key (tenant_id, organization_id) references casenote.organizations
);
create unique index programs_in_order on casenote.programs (tenant_id, organization_id, seq);
select casenote.isolate_by_tenant('casenote.programs');
grant select on casenote.programs to casenote_app;

create table casenote.clinicians (
  tenant_id uuid not null,
  clinician_id uuid not null,
  clinic_id uuid not null,
  seq bigint generated always as identity,
  first_name text not null,
  last_name text not null,
  email text not null,
  -- Folded in TypeScript: under row security an index on lower(email) is not used.
  email_folded text not null,
  external_id text,
  prescriber boolean not null default false,
  default_note_type text,
  created_at timestamptz not null default now(),
  primary key (tenant_id, clinician_id),
  foreign key (tenant_id, clinic_id) references casenote.clinics,
  constraint clinicians_email_taken unique (tenant_id, email_folded)
);
create unique index clinicians_in_order on casenote.clinicians (tenant_id, clinic_id, seq);
select casenote.isolate_by_tenant('casenote.clinicians');
grant select, insert, update on casenote.clinicians to casenote_app;

create table casenote.webhook_endpoints (
  tenant_id uuid not null references casenote.tenants,
  endpoint_id uuid not null,
  seq bigint generated always as identity,
  url text not null,
  -- The one that PATCH /partners/{partnerId} sets as callbackUrl.
  is_primary boolean not null default false,
  created_at timestamptz not null default now(),
  primary key (tenant_id, endpoint_id)
);
create unique index webhook_endpoints_one_primary on casenote.webhook_endpoints (tenant_id) where is_primary;
select casenote.isolate_by_tenant('casenote.webhook_endpoints');
grant select, insert, update, delete on casenote.webhook_endpoints to casenote_app;

-- One browser session of one clinician: from minting a token pair to logout, replay or expiry. A refresh or access
-- token is good only while its session has not ended, so that one row revokes everything at once.
create table casenote.widget_sessions (
  tenant_id uuid not null,
  widget_session_id uuid not null,
  clinician_id uuid not null,
  started_at timestamptz not null default now(),
  ended_at timestamptz,
  ended_by text check (ended_by in ('logout', 'replay')),
  primary key (tenant_id, widget_session_id),
  foreign key (tenant_id, clinician_id) references casenote.clinicians,
  check ((ended_at is null) = (ended_by is null))
);
create index widget_sessions_open on casenote.widget_sessions (tenant_id, clinician_id) where ended_at is null;
select casenote.isolate_by_tenant('casenote.widget_sessions');
grant select, insert, update on casenote.widget_sessions to casenote_app;

create table casenote.refresh_tokens (
  tenant_id uuid not null,
  token_hash bytea not null,
  widget_session_id uuid not null,
  minted_at timestamptz not null default now(),
  expires_at timestamptz not null,
  consumed_at timestamptz,
  -- What makes a repeated renewal the same renewal (decisions 9): its id, and the key version that derived the successor.
  renewal_id text,
  successor_key_version int,
  primary key (tenant_id, token_hash),
  foreign key (tenant_id, widget_session_id) references casenote.widget_sessions on delete cascade
);
create index refresh_tokens_of_session on casenote.refresh_tokens (tenant_id, widget_session_id);
create index refresh_tokens_by_expiry on casenote.refresh_tokens (expires_at);
select casenote.isolate_by_tenant('casenote.refresh_tokens');
grant select, insert, update on casenote.refresh_tokens to casenote_app;

-- Doors: what must look across tenants. Listed in ARCHITECTURE.md and compared by the catalogue test.
grant create on schema casenote to casenote_door;
grant select on casenote.api_keys, casenote.tenants, casenote.tenant_keys to casenote_door;
grant select, delete on casenote.widget_sessions, casenote.refresh_tokens to casenote_door;

-- The API key alone decides which tenant a request is in (decisions 3).
create function casenote.find_tenant_by_api_key(hash bytea) returns uuid
language sql stable security definer set search_path = '' as $$
  select k.tenant_id from casenote.api_keys k
  join casenote.tenants t on t.tenant_id = k.tenant_id
  where k.key_hash = hash and k.revoked_at is null and t.suspended_at is null
$$;
alter function casenote.find_tenant_by_api_key(bytea) owner to casenote_door;
revoke execute on function casenote.find_tenant_by_api_key(bytea) from public;
grant execute on function casenote.find_tenant_by_api_key(bytea) to casenote_app;

-- Which master keys this database needs, so that a wrong one stops the start.
create function casenote.list_master_key_ids() returns setof text
language sql stable security definer set search_path = '' as $$
  select distinct master_key_id from casenote.tenant_keys
$$;
alter function casenote.list_master_key_ids() owner to casenote_door;
revoke execute on function casenote.list_master_key_ids() from public;
grant execute on function casenote.list_master_key_ids() to casenote_app, casenote_dispatcher;

-- Consumed tokens are kept until they would have expired, so that a replay is seen; then sessions go as a whole.
create function casenote.purge_widget_sessions(most int) returns int
language sql security definer set search_path = '' as $$
  with expired as (
    select s.tenant_id, s.widget_session_id from casenote.widget_sessions s
    where s.started_at < now() - interval '7 days'
      and not exists (
        select from casenote.refresh_tokens r
        where r.tenant_id = s.tenant_id and r.widget_session_id = s.widget_session_id
          and r.expires_at > now() - interval '1 day')
    order by s.started_at limit most
  ), purged as (
    delete from casenote.widget_sessions s using expired e
    where s.tenant_id = e.tenant_id and s.widget_session_id = e.widget_session_id returning 1
  ) select count(*)::int from purged
$$;
create index widget_sessions_by_start on casenote.widget_sessions (started_at);
alter function casenote.purge_widget_sessions(int) owner to casenote_door;
revoke execute on function casenote.purge_widget_sessions(int) from public;
grant execute on function casenote.purge_widget_sessions(int) to casenote_app;

-- The operator's command line works as the owner, through the door role's policies.
revoke create on schema casenote from casenote_door;
