-- A partner may erase over the Partner API where the operator lets it (decision 0042).
alter table casenote.tenants add column partner_erasure boolean not null default false;

alter table casenote.erasures
  drop constraint erasures_asked_by_check,
  add constraint erasures_asked_by_check check (asked_by in ('operator', 'restore', 'partner')),
  -- As a partner named it: of a note one of its ids, which go with it. Asked again, it is the same erasure.
  add column asked_id uuid,
  -- Something of it is gone: too late for a hold.
  add column has_begun boolean not null default false;
create index erasures_as_asked on casenote.erasures (tenant_id, asked_id, seq) where asked_id is not null;

-- How many sealed values did not open when they were to be sealed for their clients last: for a metric, and ids are told by the command.
alter table casenote.installation add column unopened_values int not null default 0;

-- The only way in which the services ask for one: where the tenant may, and of what is there. Whose it is, it finds itself: a hold is
-- looked for under that client. Null: it was asked for. Else why not: `not_allowed`, or `too_many`, since the list that every restore needs
-- holds each one for good.
create function casenote.ask_erasure(erasure uuid, of_kind text, subject uuid, asked uuid, signed_notes boolean) returns text
language plpgsql security definer set search_path = '' as $$
declare
  tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
  of_client uuid;
  most_of_a_day constant int := 1000;
begin
  if not exists (select from casenote.tenants t where t.tenant_id = tenant and t.partner_erasure) then return 'not_allowed'; end if;
  if (select count(*) from (select e.asked_at from casenote.erasures e where e.tenant_id = tenant order by e.seq desc limit most_of_a_day) newest
    where newest.asked_at > now() - interval '1 day') >= most_of_a_day then return 'too_many'; end if;
  of_client := case of_kind
    when 'client' then (select c.client_id from casenote.clients c where c.tenant_id = tenant and c.client_id = subject)
    when 'draft' then (select s.client_id from casenote.progress_notes n
      join casenote.sessions s on s.tenant_id = n.tenant_id and s.session_id = n.session_id
      where n.tenant_id = tenant and n.note_id = subject)
    else (select s.client_id from casenote.sessions s where s.tenant_id = tenant and s.session_id = subject) end;
  if of_client is null then raise exception 'there is nothing to erase'; end if;
  insert into casenote.erasures (tenant_id, erasure_id, kind, subject_id, client_id, asked_by, with_signed_notes, asked_id)
    values (tenant, erasure, of_kind, subject, of_client, 'partner', signed_notes and of_kind in ('client', 'session'), asked);
  return null;
end $$;
revoke execute on function casenote.ask_erasure(uuid, text, uuid, uuid, boolean) from public;
grant execute on function casenote.ask_erasure(uuid, text, uuid, uuid, boolean) to casenote_app;

-- As before, and beside live jobs. Who keeps the result of a job locks it before session, note and client; who erases finds the jobs
-- last. So it waits for no lock longer than a quarter of the second after which a server looks for deadlocks by default: it gives up all it
-- has, the other one goes on, and the caller tries again.
create or replace function casenote.erase_rows(erasure uuid, root text, subject uuid) returns text
language plpgsql security definer set search_path = '' set lock_timeout = '250ms' as $$
declare
  tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
  asked casenote.erasures;
  owned text;
  one text;
  is_signed boolean;
  blobs uuid[] := '{}';
  event_ids uuid[];
begin
  select * into asked from casenote.erasures e where e.tenant_id = tenant and e.erasure_id = erasure for update;
  if not found or not (root = asked.kind and subject = asked.subject_id or asked.kind = 'client' and root = 'session' and not exists (
    select from casenote.sessions s where s.tenant_id = tenant and s.session_id = subject and s.client_id <> asked.client_id))
  then raise exception 'no erasure names this'; end if;
  if asked.status <> 'deleting' then return 'over'; end if;
  -- Whoever adds something below waits, and finds nothing to add it to.
  perform from casenote.clients c where c.tenant_id = tenant and c.client_id = asked.client_id for update;
  -- Whoever is about to keep something of a session has its job, and waits for the session or the client: see above.
  if root = 'client' then
    perform from casenote.sessions s where s.tenant_id = tenant and s.client_id = subject order by s.session_id for update;
  else
    perform from casenote.sessions s where s.tenant_id = tenant and s.session_id = coalesce(
      (select n.session_id from casenote.progress_notes n where n.tenant_id = tenant and n.note_id = subject), subject) for update;
  end if;
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
    -- Every event names whom it is about; under which name differs. No index helps: all of the tenant's are read, once.
    select coalesce(array_agg(e.event_id), '{}') into event_ids from casenote.events e
      where e.tenant_id = tenant and position(convert_to(subject::text, 'UTF8') in e.body) > 0;
    owned := format('tenant_id = %L and event_id = any (%L::uuid[])', tenant, event_ids);
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
  update casenote.erasures e set has_begun = true, blob_ids = (select coalesce(array_agg(distinct b), '{}') from unnest(e.blob_ids || blobs) b)
    where e.tenant_id = tenant and e.erasure_id = erasure;
  return null;
end $$;

-- For the same reason; what is held is left to the next pass.
alter function casenote.expire_rows(text, uuid) set lock_timeout = '250ms';

grant create on schema casenote to casenote_door;
-- Those of partners at once: no command is at them.
create or replace function casenote.list_unfinished_erasures(after_seconds int, most int) returns table (tenant_id uuid, erasure_id uuid)
language sql security definer set search_path = '' as $$
  select e.tenant_id, e.erasure_id from casenote.erasures e
  where e.status = 'deleting' and (e.asked_by = 'partner' or e.asked_at <= now() - make_interval(secs => after_seconds))
  order by e.asked_at limit most
$$;

-- Those that were refused, too, and whether signed notes might go: for a list that lacks it. Not what a restore could not apply: it may
-- have been done before.
drop function casenote.list_ended_erasures(bigint, int);
drop index casenote.erasures_ended_by_seq;
create index erasures_ended_by_seq on casenote.erasures (seq) where status <> 'deleting';
create function casenote.list_ended_erasures(after bigint, most int)
  returns table (seq bigint, tenant_id uuid, erasure_id uuid, kind text, subject_id uuid, client_id uuid, asked_at timestamptz,
    with_signed_notes boolean, is_refused boolean)
language sql security definer set search_path = '' as $$
  select e.seq, e.tenant_id, e.erasure_id, e.kind, e.subject_id, e.client_id, e.asked_at, e.with_signed_notes, e.status = 'refused'
  from casenote.erasures e where e.status <> 'deleting' and (e.status = 'done' or e.asked_by <> 'restore') and e.seq > after order by e.seq limit most
$$;
alter function casenote.list_ended_erasures(bigint, int) owner to casenote_door;
revoke execute on function casenote.list_ended_erasures(bigint, int) from public;
grant execute on function casenote.list_ended_erasures(bigint, int) to casenote_app;
revoke create on schema casenote from casenote_door;
