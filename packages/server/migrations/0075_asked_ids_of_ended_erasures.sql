-- With the id under which a partner asked for it, for a list that lacks it: asked again by that id, it is the same erasure (decision 0042). Programs of
-- before name the columns that they read, and run with it.
drop function casenote.list_ended_erasures(bigint, int);
grant create on schema casenote to casenote_door;
create function casenote.list_ended_erasures(after bigint, most int)
  returns table (seq bigint, tenant_id uuid, erasure_id uuid, kind text, subject_id uuid, client_id uuid, asked_at timestamptz,
    with_signed_notes boolean, is_refused boolean, asked_id uuid)
language sql security definer set search_path = '' as $$
  select e.seq, e.tenant_id, e.erasure_id, e.kind, e.subject_id, e.client_id, e.asked_at, e.with_signed_notes, e.status = 'refused', e.asked_id
  from casenote.erasures e where e.status <> 'deleting' and (e.status = 'done' or e.asked_by <> 'restore') and e.seq > after order by e.seq limit most
$$;
alter function casenote.list_ended_erasures(bigint, int) owner to casenote_door;
revoke execute on function casenote.list_ended_erasures(bigint, int) from public;
grant execute on function casenote.list_ended_erasures(bigint, int) to casenote_app;
revoke create on schema casenote from casenote_door;
