-- The audit log: every read and change, in chains of HMACs whose key is wrapped by a master key outside the database.
-- One chain per (tenant, writer): a process that answers reads, or a worker that seals changes, is a writer.

-- hash = HMAC(the tenant's audit key, hash of the entry before || writer || seq || key version || subjects || body).
-- No foreign keys: they would cost a look-up per read of the API; the head, written in the same statement, has one.
create table casenote.audit_entries (
  tenant_id uuid not null,
  writer_id uuid not null,
  seq bigint not null check (seq > 0),
  key_version int not null,
  -- Not repeated in the body, hashed with it: what is searched is what is proven.
  subject_ids uuid[] not null,
  -- The exact JSON text that was hashed, never jsonb.
  body text not null,
  hash bytea not null check (octet_length(hash) = 32),
  primary key (tenant_id, writer_id, seq)
);
-- "Who saw client X", asked by the operator. Ids are unique across tenants, so the tenant need not be in it.
-- It costs a tenth of the inserts. With fastupdate (the default) a million entries were no faster, but every few
-- seconds one batch, and all reads behind it, waited 450 ms for the pending list; without it, 35 ms at the most.
create index audit_entries_by_subject on casenote.audit_entries using gin (subject_ids) with (fastupdate = off);
select casenote.isolate_by_tenant('casenote.audit_entries');
grant select on casenote.audit_entries to casenote_app;

create table casenote.audit_heads (
  tenant_id uuid not null references casenote.tenants,
  writer_id uuid not null,
  seq bigint not null,
  hash bytea not null,
  -- Whether the newest checkpoint that names this chain names this very entry. A flag and not a number, so that the
  -- updates between two checkpoints change no indexed value and stay on their page.
  is_covered boolean not null default false,
  primary key (tenant_id, writer_id)
) with (fillfactor = 50);
create index audit_heads_uncovered on casenote.audit_heads (tenant_id) where not is_covered;
select casenote.isolate_by_tenant('casenote.audit_heads');
grant select, update (is_covered) on casenote.audit_heads to casenote_app;

-- Changes, recorded in the transaction that makes them; the sealer moves them into its chain within a second.
create table casenote.audit_pending (
  tenant_id uuid not null references casenote.tenants,
  pending_id bigint generated always as identity,
  recorded_at timestamptz not null default clock_timestamp(),
  operation text not null,
  actor_kind text not null check (actor_kind in ('partner', 'clinician', 'client', 'operator', 'system')),
  actor_id text,
  request_id text,
  subject_ids uuid[] not null,
  primary key (tenant_id, pending_id)
);
select casenote.isolate_by_tenant('casenote.audit_pending');
grant select, insert, delete on casenote.audit_pending to casenote_app;

-- body: number, time, the signature of the checkpoint before and the heads that moved since. Signed with the audit key.
create table casenote.audit_checkpoints (
  tenant_id uuid not null references casenote.tenants,
  number bigint not null check (number > 0),
  key_version int not null,
  body text not null,
  signature bytea not null check (octet_length(signature) = 32),
  primary key (tenant_id, number)
);
select casenote.isolate_by_tenant('casenote.audit_checkpoints');
grant select, insert on casenote.audit_checkpoints to casenote_app;

-- Doors.
grant create on schema casenote to casenote_door;
grant insert on casenote.audit_entries to casenote_door;
grant select, insert, update on casenote.audit_heads to casenote_door;
grant select on casenote.audit_pending to casenote_door;

-- The only way to append: entries of several tenants and the heads that they move, in one statement.
-- subjects are array literals, because arrays of different lengths form no array; bodies stand one a line, which saves
-- escaping each (JSON text has no line breaks).
create function casenote.append_audit_entries(
  writer uuid,
  tenant_ids uuid[], seqs bigint[], key_versions int[], subjects text[], bodies text, hashes bytea[],
  head_tenant_ids uuid[], head_seqs bigint[], head_hashes bytea[]
) returns void
language plpgsql security definer set search_path = '' as $$
begin
  with appended as (
    insert into casenote.audit_entries (tenant_id, writer_id, seq, key_version, subject_ids, body, hash)
    select e.tenant_id, writer, e.seq, e.key_version, e.subjects::uuid[], e.body, e.hash
    from unnest(tenant_ids, seqs, key_versions, subjects, string_to_array(bodies, E'\n'), hashes)
      as e (tenant_id, seq, key_version, subjects, body, hash)
  )
  insert into casenote.audit_heads (tenant_id, writer_id, seq, hash)
  select h.tenant_id, writer, h.seq, h.hash
  from unnest(head_tenant_ids, head_seqs, head_hashes) as h (tenant_id, seq, hash)
  -- In this order everywhere, so that writers and sealers never wait for each other in a circle.
  order by h.tenant_id
  on conflict (tenant_id, writer_id) do update set seq = excluded.seq, hash = excluded.hash, is_covered = false;
end $$;
alter function casenote.append_audit_entries(
  uuid, uuid[], bigint[], int[], text[], text, bytea[], uuid[], bigint[], bytea[]) owner to casenote_door;
revoke execute on function casenote.append_audit_entries(
  uuid, uuid[], bigint[], int[], text[], text, bytea[], uuid[], bigint[], bytea[]) from public;
grant execute on function casenote.append_audit_entries(
  uuid, uuid[], bigint[], int[], text[], text, bytea[], uuid[], bigint[], bytea[]) to casenote_app;

-- Tenants with changes that are not chained yet or heads that no checkpoint covers, a page at a time.
create function casenote.list_unsealed_tenants(after uuid, most int) returns setof uuid
language sql stable security definer set search_path = '' as $$
  select t.tenant_id from casenote.tenants t
  where t.tenant_id > after
    and (exists (select from casenote.audit_pending p where p.tenant_id = t.tenant_id)
      or exists (select from casenote.audit_heads h where h.tenant_id = t.tenant_id and not h.is_covered))
  order by t.tenant_id limit most
$$;
alter function casenote.list_unsealed_tenants(uuid, int) owner to casenote_door;
revoke execute on function casenote.list_unsealed_tenants(uuid, int) from public;
grant execute on function casenote.list_unsealed_tenants(uuid, int) to casenote_app;

revoke create on schema casenote from casenote_door;
