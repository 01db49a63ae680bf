-- Blobs: recordings and what the pipeline keeps between two steps. The bytes lie in the blob store as numbered parts,
-- each sealed by itself; these rows are the manifest. A part exists when its row has committed: what else lies in the
-- store is swept.

create table casenote.blobs (
  tenant_id uuid not null references casenote.tenants,
  blob_id uuid not null,
  kind text not null check (kind in ('audio', 'checkpoint')),
  status text not null default 'open' check (status in ('open', 'complete', 'deleting', 'deleted')),
  -- Known with the last part. No digest of the content: it would tell equal recordings apart from others in a dump,
  -- and every part authenticates itself.
  size_bytes bigint check (size_bytes >= 0),
  part_count int check (part_count >= 0),
  created_at timestamptz not null default now(),
  completed_at timestamptz,
  -- Every blob ends, also one whose upload nobody finishes. Asking to delete one moves this to now.
  delete_after timestamptz not null,
  -- The row stays as the record that the bytes are gone, since when and why.
  deletion_reason text check (deletion_reason in ('expired', 'replaced', 'requested')),
  deleted_at timestamptz,
  primary key (tenant_id, blob_id),
  check ((size_bytes is null) = (completed_at is null) and (part_count is null) = (completed_at is null)),
  check (status <> 'complete' or completed_at is not null),
  check ((status in ('deleting', 'deleted')) = (deletion_reason is not null)),
  check ((status = 'deleted') = (deleted_at is not null))
);
create index blobs_due on casenote.blobs (delete_after) where status <> 'deleted';
create index blobs_due_of_tenant on casenote.blobs (tenant_id, delete_after) where status <> 'deleted';
select casenote.isolate_by_tenant('casenote.blobs');
grant select, insert, update on casenote.blobs to casenote_app;

create table casenote.blob_parts (
  tenant_id uuid not null,
  blob_id uuid not null,
  part_number int not null check (part_number between 1 and 100000),
  -- Of the bytes themselves; sealed they are 33 more.
  size_bytes int not null check (size_bytes > 0),
  -- Of the tenant's data key, also written in the part itself: says what a retired key is still needed for.
  key_version int not null,
  -- In the store, below the installation's own place; new for every attempt to write the part.
  stored_name text not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, blob_id, part_number),
  foreign key (tenant_id, blob_id) references casenote.blobs
);
create unique index blob_parts_by_name on casenote.blob_parts (tenant_id, stored_name);
select casenote.isolate_by_tenant('casenote.blob_parts');
grant select, insert, delete on casenote.blob_parts to casenote_app;

-- Whose blobs are due: the purge works for all tenants.
grant create on schema casenote to casenote_door;
grant select on casenote.blobs to casenote_door;
create function casenote.list_tenants_with_due_blobs(most int) returns setof uuid
language sql stable security definer set search_path = '' as $$
  select distinct due.tenant_id from (
    select b.tenant_id from casenote.blobs b
    where b.status <> 'deleted' and b.delete_after <= now()
    order by b.delete_after limit most
  ) due
$$;
alter function casenote.list_tenants_with_due_blobs(int) owner to casenote_door;
revoke execute on function casenote.list_tenants_with_due_blobs(int) from public;
grant execute on function casenote.list_tenants_with_due_blobs(int) to casenote_app;
revoke create on schema casenote from casenote_door;
