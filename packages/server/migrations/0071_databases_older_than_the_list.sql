-- A database that was restored by other means than `casenote restore` may be older than the key store's list of erasures: then nothing
-- starts on it (decision 0042). What of the list it has not carried out: it does not know of the erasure and has what was erased, or the
-- command that applies the list was killed.
create function casenote.list_unapplied_erasures(tenants uuid[], erasures uuid[], kinds text[], subjects uuid[], most int)
returns setof uuid
language sql stable security definer set search_path = '' as $$
  select l.erasure_id from unnest(tenants, erasures, kinds, subjects) as l (tenant_id, erasure_id, kind, subject_id)
  left join casenote.erasures e on e.tenant_id = l.tenant_id and e.erasure_id = l.erasure_id
  where (e.asked_by = 'restore' and e.status = 'deleting') or e.erasure_id is null and case l.kind
    when 'client' then exists (select from casenote.clients c where c.tenant_id = l.tenant_id and c.client_id = l.subject_id)
    when 'draft' then exists (select from casenote.progress_notes n where n.tenant_id = l.tenant_id and n.note_id = l.subject_id)
    else exists (select from casenote.sessions s where s.tenant_id = l.tenant_id and s.session_id = l.subject_id) end
  limit most
$$;
grant create on schema casenote to casenote_door;
alter function casenote.list_unapplied_erasures(uuid[], uuid[], text[], uuid[], int) owner to casenote_door;
revoke create on schema casenote from casenote_door;
revoke execute on function casenote.list_unapplied_erasures(uuid[], uuid[], text[], uuid[], int) from public;
grant execute on function casenote.list_unapplied_erasures(uuid[], uuid[], text[], uuid[], int) to casenote_app, casenote_dispatcher;
