-- Clients, their programs and the clinicians who treat them beside the primary one.

-- What the foreign key of clients points at.
alter table casenote.clinicians add constraint clinicians_with_clinic unique (tenant_id, clinician_id, clinic_id);

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
  -- One key for both: the clinic cannot be another than the clinician's.
  foreign key (tenant_id, clinician_id, clinic_id)
    references casenote.clinicians (tenant_id, clinician_id, clinic_id),
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

-- Links with which a client answers an invitation. Only the hash is kept; a new invitation revokes the earlier ones.
create table casenote.client_invitations (
  tenant_id uuid not null,
  token_hash bytea not null,
  client_id uuid not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  revoked_at timestamptz,
  primary key (tenant_id, token_hash),
  foreign key (tenant_id, client_id) references casenote.clients
);
create index client_invitations_open on casenote.client_invitations (tenant_id, client_id) where revoked_at is null;
select casenote.isolate_by_tenant('casenote.client_invitations');
grant select, insert, update on casenote.client_invitations to casenote_app;

-- Lists at a million (docs/decisions/0007). Exact filters: each index finds, counts and orders by itself. Under row
-- security only leakproof operators use one: equality of text, uuid and date is.
create index clients_by_status on casenote.clients (tenant_id, clinic_id, status, seq);
create index clients_by_external_id on casenote.clients (tenant_id, clinic_id, external_id, seq)
  where external_id is not null;
create index clients_by_first_name on casenote.clients (tenant_id, clinic_id, first_name, seq)
  where first_name is not null;
create index clients_by_last_name on casenote.clients (tenant_id, clinic_id, last_name, seq);
create index clients_by_email on casenote.clients (tenant_id, clinic_id, email, seq) where email is not null;
create index clients_by_phone_number on casenote.clients (tenant_id, clinic_id, phone_number, seq)
  where phone_number is not null;
create index clients_by_date_of_birth on casenote.clients (tenant_id, clinic_id, date_of_birth, seq);

-- How many clients a clinic, or a primary clinician, has in each status. Spread over 32 slots by the number
-- of the database connection, so that creates at once (a pool has 20 connections) rarely wait for one another's row; a
-- slot may be negative, the sum is exact.
create table casenote.client_counts (
  tenant_id uuid not null,
  -- A clinic or a clinician: ids are unique.
  list_id uuid not null,
  status text not null,
  slot smallint not null,
  clients int not null,
  primary key (tenant_id, list_id, status, slot)
) with (fillfactor = 50);
select casenote.isolate_by_tenant('casenote.client_counts');
grant select, insert, update on casenote.client_counts to casenote_app;

-- How many clients of a clinic lie in each run of 2,000 numbers of seq: where a deep page starts.
create table casenote.client_buckets (
  tenant_id uuid not null,
  clinic_id uuid not null,
  bucket int not null,
  slot smallint not null,
  clients int not null,
  primary key (tenant_id, clinic_id, bucket, slot)
) with (fillfactor = 50);
select casenote.isolate_by_tenant('casenote.client_buckets');
grant select, insert, update on casenote.client_buckets to casenote_app;

-- By trigger, so that nobody who writes clients can forget it. Always the counts first and each table in the order of
-- its key: two transactions that wait for each other's rows cannot come about.
create function casenote.count_new_clients() returns trigger
language plpgsql set search_path = '' as $$
begin
  insert into casenote.client_counts as t (tenant_id, list_id, status, slot, clients)
    select n.tenant_id, l.list_id, n.status, pg_backend_pid() % 32, count(*)
    from added n cross join lateral (values (n.clinic_id), (n.clinician_id)) l (list_id)
    group by n.tenant_id, l.list_id, n.status order by n.tenant_id, l.list_id, n.status
    on conflict (tenant_id, list_id, status, slot) do update set clients = t.clients + excluded.clients;
  insert into casenote.client_buckets as t (tenant_id, clinic_id, bucket, slot, clients)
    select n.tenant_id, n.clinic_id, n.seq / 2000, pg_backend_pid() % 32, count(*)
    from added n group by n.tenant_id, n.clinic_id, n.seq / 2000 order by n.tenant_id, n.clinic_id, n.seq / 2000
    on conflict (tenant_id, clinic_id, bucket, slot) do update set clients = t.clients + excluded.clients;
  return null;
end $$;
revoke execute on function casenote.count_new_clients() from public;
create trigger clients_added after insert on casenote.clients
  referencing new table as added for each statement execute function casenote.count_new_clients();

create function casenote.count_changed_client() returns trigger
language plpgsql set search_path = '' as $$
begin
  insert into casenote.client_counts as t (tenant_id, list_id, status, slot, clients)
    select new.tenant_id, l.list_id, l.status, pg_backend_pid() % 32, sum(l.change)
    from (values
      (old.clinic_id, old.status, -1), (old.clinician_id, old.status, -1),
      (new.clinic_id, new.status, 1), (new.clinician_id, new.status, 1)) l (list_id, status, change)
    group by l.list_id, l.status having sum(l.change) <> 0 order by l.list_id, l.status
    on conflict (tenant_id, list_id, status, slot) do update set clients = t.clients + excluded.clients;
  if new.clinic_id <> old.clinic_id then
    insert into casenote.client_buckets as t (tenant_id, clinic_id, bucket, slot, clients)
      select new.tenant_id, l.clinic_id, new.seq / 2000, pg_backend_pid() % 32, l.change
      from (values (old.clinic_id, -1), (new.clinic_id, 1)) l (clinic_id, change) order by l.clinic_id
      on conflict (tenant_id, clinic_id, bucket, slot) do update set clients = t.clients + excluded.clients;
  end if;
  return null;
end $$;
revoke execute on function casenote.count_changed_client() from public;
create trigger clients_changed after update of status, clinic_id, clinician_id on casenote.clients for each row
  when (old.status <> new.status or old.clinic_id <> new.clinic_id or old.clinician_id <> new.clinician_id)
  execute function casenote.count_changed_client();

-- Free-text search. LIKE is not leakproof, so under row security it would read the whole table: it goes through this
-- door, which takes the tenant from the setting and nowhere else and gives back ids. Every word is a condition of its
-- own and the text is planned with its values: a generic plan was 8 to 80 times slower.
create extension if not exists pg_trgm with schema public;
do $$
begin
  -- Wherever the extension was before: its schema is the operator's choice.
  -- New names wait in a list that every search reads: 256 kB of them, not the usual 4 MB.
  execute format('create index clients_by_name on casenote.clients using gin (name_folded %I.gin_trgm_ops)
    with (gin_pending_list_limit = 256)',
    (select n.nspname from pg_extension e join pg_namespace n on n.oid = e.extnamespace where e.extname = 'pg_trgm'));
end $$;

create function casenote.search_clients(
  -- One of the two is null.
  of_clinic uuid, of_clinician uuid,
  -- LIKE patterns; the further ones are conditions that use no index.
  patterns text[], further_patterns text[],
  -- Exact filters by column, and the one by clinician.
  filters jsonb,
  skipped bigint, most int,
  out total bigint, out client_ids uuid[])
language plpgsql stable security definer set search_path = '' as $$
declare
  tenant constant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
  clinician constant uuid := coalesce(of_clinician, (filters ->> 'clinician_id')::uuid);
  condition text := 'c.tenant_id = $1';
  pattern text;
  filtered text;
begin
  if tenant is null then
    total := 0;
    client_ids := '{}';
    return;
  end if;
  if of_clinic is not null then condition := condition || ' and c.clinic_id = $2'; end if;
  if clinician is not null then
    condition := condition || ' and c.client_id in (
      select p.client_id from casenote.clients p where p.tenant_id = $1 and p.clinician_id = $3
      union all
      select s.client_id from casenote.secondary_clinicians s where s.tenant_id = $1 and s.clinician_id = $3)';
  end if;
  foreach pattern in array patterns loop
    condition := condition || format(' and c.name_folded like %L', pattern);
  end loop;
  if cardinality(further_patterns) > 0 then condition := condition || ' and c.name_folded like all ($4)'; end if;
  foreach filtered in array array[
    'external_id', 'first_name', 'last_name', 'email', 'phone_number', 'date_of_birth', 'status'] loop
    if filters ? filtered then
      condition := condition || format(' and c.%I = %L', filtered, filters ->> filtered);
    end if;
  end loop;
  execute format('with hits as materialized (select c.client_id, c.seq from casenote.clients c where %s)
    select (select count(*) from hits), array(select client_id from hits order by seq offset $5 limit $6)', condition)
    into total, client_ids using tenant, of_clinic, clinician, further_patterns, skipped, most;
end $$;
grant select on casenote.clients, casenote.secondary_clinicians to casenote_door;
grant create on schema casenote to casenote_door;
alter function casenote.search_clients(uuid, uuid, text[], text[], jsonb, bigint, int) owner to casenote_door;
revoke create on schema casenote from casenote_door;
revoke execute on function casenote.search_clients(uuid, uuid, text[], text[], jsonb, bigint, int) from public;
grant execute on function casenote.search_clients(uuid, uuid, text[], text[], jsonb, bigint, int) to casenote_app;
