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
