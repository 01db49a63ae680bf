-- Codes that nobody asks about any more, also of tenants whose clinicians sign in so no longer.
grant create on schema casenote to casenote_door;
grant select, delete on casenote.sign_in_codes to casenote_door;

create function casenote.purge_sign_in_codes(before timestamptz, most int) returns int
language sql security definer set search_path = '' as $$
  with purged as (
    delete from casenote.sign_in_codes c using (
      select o.tenant_id, o.sign_in_id from casenote.sign_in_codes o where o.asked_at < before limit most) old
    where c.tenant_id = old.tenant_id and c.sign_in_id = old.sign_in_id
    returning 1
  )
  select count(*)::int from purged
$$;
alter function casenote.purge_sign_in_codes(timestamptz, int) owner to casenote_door;
revoke execute on function casenote.purge_sign_in_codes(timestamptz, int) from public;
grant execute on function casenote.purge_sign_in_codes(timestamptz, int) to casenote_app;
revoke create on schema casenote from casenote_door;
