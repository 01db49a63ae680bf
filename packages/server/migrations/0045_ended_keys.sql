-- A key that was rotated, or is of a suspended partner, lets nobody in; whose it was, the partner's audit log is told.
grant create on schema casenote to casenote_door;
create function casenote.find_api_key(hash bytea) returns table (tenant_id uuid, is_ended boolean)
language sql stable security definer set search_path = '' as $$
  select k.tenant_id, k.revoked_at is not null or t.suspended_at is not null from casenote.api_keys k
  join casenote.tenants t on t.tenant_id = k.tenant_id
  where k.key_hash = hash
$$;
alter function casenote.find_api_key(bytea) owner to casenote_door;
revoke execute on function casenote.find_api_key(bytea) from public;
grant execute on function casenote.find_api_key(bytea) to casenote_app;
revoke create on schema casenote from casenote_door;
