-- All that is kept about a client as one file, sealed in the blob store, until it is a day old (decision 0043).
create table casenote.client_exports (
  tenant_id uuid not null,
  export_id uuid not null,
  client_id uuid not null,
  status text not null default 'preparing' check (status in ('preparing', 'ready', 'failed')),
  -- From its first byte on: whoever erases the client must find it.
  blob_id uuid,
  size_bytes bigint,
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  expires_at timestamptz,
  primary key (tenant_id, export_id),
  foreign key (tenant_id, client_id) references casenote.clients on delete cascade,
  foreign key (tenant_id, blob_id) references casenote.blobs,
  check ((status = 'preparing') = (ended_at is null)),
  check ((status = 'ready') = (size_bytes is not null) and (status = 'ready') = (expires_at is not null)),
  check (status <> 'ready' or blob_id is not null)
);
-- Asked again while one is prepared, it is the same one.
create unique index client_exports_under_way on casenote.client_exports (tenant_id, client_id) where status = 'preparing';
create index client_exports_of_client on casenote.client_exports (tenant_id, client_id, created_at);
create index client_exports_of_blob on casenote.client_exports (tenant_id, blob_id) where blob_id is not null;
select casenote.isolate_by_tenant('casenote.client_exports');
-- Deleted a month later, by whoever asks for another one.
grant select, insert, update, delete on casenote.client_exports to casenote_app;

-- One more kind each, whichever there are by now: migrations between may have added others.
do $$
declare
  checked record;
  kinds text;
begin
  for checked in select * from (values ('jobs', 'export_client'), ('blobs', 'export')) as added (name, kind) loop
    select string_agg(quote_literal(found.kind[1]), ', ' order by found.place) into kinds
      from pg_constraint c,
        regexp_matches(pg_get_constraintdef(c.oid), '''([a-z_]+)''::text', 'g') with ordinality as found (kind, place)
      where c.conrelid = format('casenote.%I', checked.name)::regclass and c.conname = checked.name || '_kind_check';
    execute format('alter table casenote.%I drop constraint %I, add constraint %I check (kind in (%s, %L))',
      checked.name, checked.name || '_kind_check', checked.name || '_kind_check', kinds, checked.kind);
  end loop;
end $$;

-- What is in the files of a client is not theirs any more, or is to go: ready ones end now, those in preparation fail. Gives the files.
-- Locked in the order of the worker: its job, the export, the file.
create function casenote.end_exports(of_tenant uuid, of_client uuid) returns uuid[]
language plpgsql set search_path = '' as $$
declare
  files uuid[];
begin
  update casenote.jobs j set status = 'done', due_at = null, leased_until = null, ended_at = now()
    where j.tenant_id = of_tenant and j.kind = 'export_client' and j.status in ('waiting', 'running') and j.subject_id in (
      select e.export_id from casenote.client_exports e
      where e.tenant_id = of_tenant and e.client_id = of_client and e.status = 'preparing');
  update casenote.client_exports e set status = 'failed', ended_at = now()
    where e.tenant_id = of_tenant and e.client_id = of_client and e.status = 'preparing';
  update casenote.client_exports e set expires_at = casenote.tenant_now(of_tenant)
    where e.tenant_id = of_tenant and e.client_id = of_client and e.status = 'ready' and e.expires_at > casenote.tenant_now(of_tenant);
  select coalesce(array_agg(b.blob_id), '{}') into files from casenote.blobs b
    where b.tenant_id = of_tenant and b.status <> 'deleted' and b.blob_id in (
      select e.blob_id from casenote.client_exports e where e.tenant_id = of_tenant and e.client_id = of_client);
  update casenote.blobs b set status = 'deleting', deletion_reason = 'requested', delete_after = now()
    where b.tenant_id = of_tenant and b.blob_id = any (files) and b.status in ('open', 'complete');
  return files;
end $$;
revoke execute on function casenote.end_exports(uuid, uuid) from public;
grant execute on function casenote.end_exports(uuid, uuid) to casenote_app;

-- With an erasure, so that the bytes go before its receipt, and once more at its end: an export that was begun meanwhile may have read
-- what was still there. As the owner, since nobody else names the files of an erasure.
create function casenote.end_exports_of_erased() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  files uuid[] := casenote.end_exports(new.tenant_id, new.client_id);
begin
  if tg_op = 'INSERT' then
    update casenote.erasures e set blob_ids = e.blob_ids || files where e.tenant_id = new.tenant_id and e.erasure_id = new.erasure_id;
  end if;
  return null;
end $$;
revoke execute on function casenote.end_exports_of_erased() from public;
create trigger erasures_end_exports after insert or update of status on casenote.erasures
  for each row execute function casenote.end_exports_of_erased();
