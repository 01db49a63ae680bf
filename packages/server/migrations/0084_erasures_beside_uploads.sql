-- Every event names whom it is about, under names that differ, so that all of a tenant's are read to find those of one session or client. They were
-- read under the locks of the erasure, one of which is the count of the partner's uploads: as long as it took, nobody of the partner could send a
-- part of a recording. Now the worker has read them before (`known_events`, as of `known_at`), and what came since is read under the locks.
-- Programs from schema 74 on run with it: they ask for the function of three arguments, which reads all.
create function casenote.erase_rows(erasure uuid, root text, subject uuid, known_events uuid[], known_at timestamptz) returns text
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
  -- A hold that a backup brings back was lifted before an erasure that was carried out. Of any other nobody knows.
  if not asked.was_carried_out and exists (select from casenote.legal_holds h
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
  if root = asked.kind and root in ('session', 'client') then
    -- An event is dated when its transaction began, and none lasts an hour.
    select known_events || coalesce(array_agg(e.event_id), '{}') into event_ids from casenote.events e
      where e.tenant_id = tenant and e.created_at >= known_at - interval '1 hour'
        and position(convert_to(subject::text, 'UTF8') in e.body) > 0;
    owned := format('tenant_id = %L and event_id = any (%L::uuid[])', tenant, event_ids);
    execute format('delete from casenote.webhook_attempts where tenant_id = %L and delivery_id in (
      select d.delivery_id from casenote.webhook_deliveries d where d.tenant_id = %L and d.event_id in (
        select event_id from casenote.events where %s))', tenant, tenant, owned);
    perform casenote.erase_below('casenote.events', owned, 1);
  end if;
  -- Last: what counts the partner's uploads is locked from here on.
  if root in ('session', 'client') then
    update casenote.uploads u set status = 'dropped', writer_id = null
      where u.tenant_id = tenant and u.status = 'open' and u.session_id in (select s.session_id from casenote.sessions s
        where s.tenant_id = tenant and (s.session_id = subject or s.client_id = subject));
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
revoke execute on function casenote.erase_rows(uuid, text, uuid, uuid[], timestamptz) from public;
grant execute on function casenote.erase_rows(uuid, text, uuid, uuid[], timestamptz) to casenote_app;

create or replace function casenote.erase_rows(erasure uuid, root text, subject uuid) returns text
language sql security invoker set search_path = '' as $$
  select casenote.erase_rows(erasure, root, subject, '{}', '-infinity')
$$;
