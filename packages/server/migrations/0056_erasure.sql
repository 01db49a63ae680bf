-- A person's data is erased for good (decision 0042).

-- Which key store holds the clients' keys and the list of erasures. Null: none yet, and nothing is sealed for one client alone.
alter table casenote.installation add column key_store_id uuid;

-- Under whose key a part is sealed, beside the tenant's. Null: the tenant's alone.
alter table casenote.blob_parts add column sealed_for uuid;
create index blob_parts_sealed_for on casenote.blob_parts (tenant_id, sealed_for) where sealed_for is not null;
-- Sealed anew for whom it is, once its recording is another client's.
grant update (stored_name, key_version, sealed_for) on casenote.blob_parts to casenote_app;

-- Of one client nothing may be deleted, by whomever.
create table casenote.legal_holds (
  tenant_id uuid not null references casenote.tenants,
  hold_id uuid not null,
  client_id uuid not null,
  placed_at timestamptz not null default now(),
  lifted_at timestamptz,
  primary key (tenant_id, hold_id),
  foreign key (tenant_id, client_id) references casenote.clients
);
create unique index legal_holds_one on casenote.legal_holds (tenant_id, client_id) where lifted_at is null;
select casenote.isolate_by_tenant('casenote.legal_holds');
grant select on casenote.legal_holds to casenote_app;

-- Ids alone: it outlives what it names, and is what says that there was something.
create table casenote.erasures (
  tenant_id uuid not null references casenote.tenants,
  erasure_id uuid not null,
  seq bigint generated always as identity,
  kind text not null check (kind in ('client', 'session', 'transcript', 'draft')),
  subject_id uuid not null,
  client_id uuid not null,
  asked_by text not null check (asked_by in ('operator', 'restore')),
  -- Signed notes may go with it. Judged again when the rows go: one may have been signed since it was asked.
  with_signed_notes boolean not null default false,
  -- Refused: something was signed, or is held, since it was asked.
  status text not null default 'deleting' check (status in ('deleting', 'done', 'refused')),
  -- Recordings whose bytes go with it.
  blob_ids uuid[] not null default '{}',
  asked_at timestamptz not null default now(),
  done_at timestamptz,
  -- Signed.
  receipt text,
  primary key (tenant_id, erasure_id),
  check ((status = 'deleting') = (done_at is null)),
  check ((status = 'done') = (receipt is not null))
);
create unique index erasures_underway on casenote.erasures (tenant_id, kind, subject_id) where status = 'deleting';
create index erasures_unfinished on casenote.erasures (asked_at) where status = 'deleting';
create index erasures_newest on casenote.erasures (tenant_id, seq);
create index erasures_ended_by_seq on casenote.erasures (seq) where status = 'done';
select casenote.isolate_by_tenant('casenote.erasures');
-- Only the owner asks for one: the services finish what was asked.
grant select, update (status, done_at, receipt) on casenote.erasures to casenote_app;

create function casenote.keep_ended_erasures() returns trigger
language plpgsql set search_path = '' as $$
begin
  if old.status <> 'deleting' then raise exception 'an erasure that has ended does not change'; end if;
  return new;
end $$;
revoke execute on function casenote.keep_ended_erasures() from public;
create trigger erasures_ended before update on casenote.erasures
  for each row execute function casenote.keep_ended_erasures();

-- Lists of clients count what they show; until now no client ever went.
create function casenote.count_gone_clients() returns trigger
language plpgsql set search_path = '' as $$
begin
  insert into casenote.client_counts as t (tenant_id, list_id, status, slot, clients)
    select g.tenant_id, l.list_id, g.status, pg_backend_pid() % 32, -count(*)
    from gone g cross join lateral (values (g.clinic_id), (g.clinician_id)) l (list_id)
    group by g.tenant_id, l.list_id, g.status order by g.tenant_id, l.list_id, g.status
    on conflict (tenant_id, list_id, status, slot) do update set clients = t.clients + excluded.clients;
  insert into casenote.client_buckets as t (tenant_id, clinic_id, bucket, slot, clients)
    select g.tenant_id, g.clinic_id, g.seq / 2000, pg_backend_pid() % 32, -count(*)
    from gone g group by g.tenant_id, g.clinic_id, g.seq / 2000 order by g.tenant_id, g.clinic_id, g.seq / 2000
    on conflict (tenant_id, clinic_id, bucket, slot) do update set clients = t.clients + excluded.clients;
  return null;
end $$;
revoke execute on function casenote.count_gone_clients() from public;
create trigger clients_gone after delete on casenote.clients
  referencing old table as gone for each statement execute function casenote.count_gone_clients();

-- The chosen rows and all that points to them, by the catalogue, so that a table that is new is not forgotten. Gives the recordings that
-- they named. What only mentions a chosen row from elsewhere forgets it and stays.
create function casenote.erase_below(parent regclass, chosen text, depth int) returns uuid[]
language plpgsql set search_path = '' as $$
declare
  one record;
  found_blobs uuid[];
  blobs uuid[] := '{}';
begin
  if depth > 12 then raise exception 'tables point to one another in a circle'; end if;
  for one in
    select a.attname as named from pg_catalog.pg_constraint k
    join pg_catalog.pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[2]
    where k.contype = 'f' and k.conrelid = parent and k.confrelid = 'casenote.blobs'::regclass
  loop
    execute format(
      'with named as (
         select b.tenant_id, b.blob_id, b.status from casenote.blobs b where b.status <> ''deleted'' and (b.tenant_id, b.blob_id) in (
           select tenant_id, %I from %s where %s)
       ), begun as (
         update casenote.blobs b set status = ''deleting'', deletion_reason = ''requested'', delete_after = now() from named n
         where b.tenant_id = n.tenant_id and b.blob_id = n.blob_id and n.status <> ''deleting'' returning 1
       ) select coalesce(array_agg(blob_id), ''{}'') from named', one.named, parent, chosen) into found_blobs;
    blobs := blobs || found_blobs;
  end loop;
  -- What was to be done about one of them is done by nobody.
  for one in
    select a.attname as id from pg_catalog.pg_index i
    join pg_catalog.pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[1]
    where i.indrelid = parent and i.indisprimary and i.indnkeyatts = 2 and a.atttypid = 'uuid'::regtype
  loop
    execute format('delete from casenote.jobs where (tenant_id, subject_id) in (select tenant_id, %I from %s where %s)',
      one.id, parent, chosen);
  end loop;
  for one in
    select k.conrelid::regclass as child, c.relname as name,
      (select a.attname from pg_catalog.pg_attribute a where a.attrelid = k.conrelid and a.attnum = k.conkey[cardinality(k.conkey)]) as last,
      (select string_agg(quote_ident(a.attname), ', ' order by n.place) from unnest(k.conkey) with ordinality n (num, place)
        join pg_catalog.pg_attribute a on a.attrelid = k.conrelid and a.attnum = n.num) as columns,
      (select string_agg(quote_ident(a.attname), ', ' order by n.place) from unnest(k.confkey) with ordinality n (num, place)
        join pg_catalog.pg_attribute a on a.attrelid = k.confrelid and a.attnum = n.num) as keys
    from pg_catalog.pg_constraint k join pg_catalog.pg_class c on c.oid = k.conrelid
    where k.contype = 'f' and k.confrelid = parent order by k.conname
  loop
    if one.name || '.' || one.last in ('sessions.retry_of', 'progress_notes.active_generation_id', 'note_copies.chart_client_id') then
      execute format('update %s set %I = null where (%s) in (select %s from %s where %s)',
        one.child, one.last, one.columns, one.keys, parent, chosen);
    elsif one.name || '.' || one.last = 'danger_items.note_id' then
      -- The note that answered for it is gone: somebody must look at it again.
      execute format('update %s set status = ''open'', ended_at = null, note_id = null where (%s) in (select %s from %s where %s)',
        one.child, one.columns, one.keys, parent, chosen);
    else
      blobs := blobs || casenote.erase_below(one.child,
        format('(%s) in (select %s from %s where %s)', one.columns, one.keys, parent, chosen), depth + 1);
    end if;
  end loop;
  execute format('delete from %s where %s', parent, chosen);
  return blobs;
end $$;
revoke execute on function casenote.erase_below(regclass, text, int) from public;

-- Only what an erasure that is under way names, or a session of the client that it names. As the owner, and not as the doors' role: the
-- catalogue names tables to come, of which that role has no right. Null: none of it is left. Else nothing was deleted, and it says why:
-- `signed`, `legal_hold`, or `over` where another process has ended the erasure.
create function casenote.erase_rows(erasure uuid, root text, subject uuid) returns text
language plpgsql security definer set search_path = '' as $$
declare
  tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
  asked casenote.erasures;
  owned text;
  one text;
  is_signed boolean;
  blobs uuid[] := '{}';
begin
  select * into asked from casenote.erasures e where e.tenant_id = tenant and e.erasure_id = erasure for update;
  if not found or not (root = asked.kind and subject = asked.subject_id or asked.kind = 'client' and root = 'session' and not exists (
    select from casenote.sessions s where s.tenant_id = tenant and s.session_id = subject and s.client_id <> asked.client_id))
  then raise exception 'no erasure names this'; end if;
  if asked.status <> 'deleting' then return 'over'; end if;
  -- Whoever adds something below waits, and finds nothing to add it to.
  perform from casenote.clients c where c.tenant_id = tenant and c.client_id = asked.client_id for update;
  -- A hold that a backup brings back was lifted before the erasure that is applied to it.
  if asked.asked_by <> 'restore' and exists (select from casenote.legal_holds h
    where h.tenant_id = tenant and h.client_id = asked.client_id and h.lifted_at is null) then return 'legal_hold'; end if;
  if root <> 'transcript' and not asked.with_signed_notes then
    owned := case root when 'draft' then 'n.note_id = $2' when 'session' then 'n.session_id = $2'
      else 'n.session_id in (select s.session_id from casenote.sessions s where s.tenant_id = $1 and s.client_id = $2)' end;
    -- Whoever is about to sign one waits; whoever has signed is seen.
    execute format('select from casenote.progress_notes n where n.tenant_id = $1 and %s for update', owned) using tenant, subject;
    execute format('select exists (select from casenote.progress_notes n where n.tenant_id = $1 and %s
      and (n.signed_by_id is not null or n.status = ''finalized''))', owned) into is_signed using tenant, subject;
    if is_signed then return 'signed'; end if;
  end if;
  if root = 'session' and not exists (select from casenote.sessions s where s.tenant_id = tenant and s.session_id = subject)
    and asked.kind = 'client' then return null; end if;
  -- Answers of the last day, which may show anything of the client.
  delete from casenote.kept_answers a where a.tenant_id = tenant and a.client_id = asked.client_id;
  if root in ('session', 'client') then
    update casenote.uploads u set status = 'dropped', writer_id = null
      where u.tenant_id = tenant and u.status = 'open' and u.session_id in (select s.session_id from casenote.sessions s
        where s.tenant_id = tenant and (s.session_id = subject or s.client_id = subject));
  end if;
  if root = asked.kind and root in ('session', 'client') then
    -- Every event names whom it is about; under which name differs.
    owned := format('tenant_id = %L and position(convert_to(%L, ''UTF8'') in body) > 0', tenant, subject);
    execute format('delete from casenote.webhook_attempts where tenant_id = %L and delivery_id in (
      select d.delivery_id from casenote.webhook_deliveries d where d.tenant_id = %L and d.event_id in (
        select event_id from casenote.events where %s))', tenant, tenant, owned);
    perform casenote.erase_below('casenote.events', owned, 1);
  end if;
  case root
    when 'client' then
      blobs := casenote.erase_below('casenote.clients', format('tenant_id = %L and client_id = %L', tenant, subject), 1);
    when 'session' then
      blobs := casenote.erase_below('casenote.sessions', format('tenant_id = %L and session_id = %L', tenant, subject), 1);
    when 'draft' then
      blobs := casenote.erase_below('casenote.progress_notes', format('tenant_id = %L and note_id = %L', tenant, subject), 1);
    else
      foreach one in array array['transcripts', 'transcription_chunks', 'transcript_corrections', 'session_readings', 'session_texts'] loop
        perform casenote.erase_below(format('casenote.%I', one)::regclass,
          format('tenant_id = %L and session_id = %L', tenant, subject), 1);
      end loop;
  end case;
  update casenote.erasures e set blob_ids = (select coalesce(array_agg(distinct b), '{}') from unnest(e.blob_ids || blobs) b)
    where e.tenant_id = tenant and e.erasure_id = erasure;
  return null;
end $$;
revoke execute on function casenote.erase_rows(uuid, text, uuid) from public;
grant execute on function casenote.erase_rows(uuid, text, uuid) to casenote_app;

grant create on schema casenote to casenote_door;
grant select on casenote.erasures to casenote_door;
-- Not those of the last seconds: the command that asked for one is still at it.
create function casenote.list_unfinished_erasures(after_seconds int, most int) returns table (tenant_id uuid, erasure_id uuid)
language sql security definer set search_path = '' as $$
  select e.tenant_id, e.erasure_id from casenote.erasures e
  where e.status = 'deleting' and e.asked_at <= now() - make_interval(secs => after_seconds) order by e.asked_at limit most
$$;
alter function casenote.list_unfinished_erasures(int, int) owner to casenote_door;
revoke execute on function casenote.list_unfinished_erasures(int, int) from public;
grant execute on function casenote.list_unfinished_erasures(int, int) to casenote_app;

-- For a key store that was brought back from an older copy: what its list lacks is put on it again.
create function casenote.list_ended_erasures(after bigint, most int)
  returns table (seq bigint, tenant_id uuid, erasure_id uuid, kind text, subject_id uuid, client_id uuid, asked_at timestamptz)
language sql security definer set search_path = '' as $$
  select e.seq, e.tenant_id, e.erasure_id, e.kind, e.subject_id, e.client_id, e.asked_at from casenote.erasures e
  where e.status = 'done' and e.seq > after order by e.seq limit most
$$;
alter function casenote.list_ended_erasures(bigint, int) owner to casenote_door;
revoke execute on function casenote.list_ended_erasures(bigint, int) from public;
grant execute on function casenote.list_ended_erasures(bigint, int) to casenote_app;
revoke create on schema casenote from casenote_door;
