-- Leases of webhook deliveries are short now and renewed each second or two.

-- As before, and no lock is waited for: a row that is locked is being ended, and two statements that lock the same rows in
-- different orders would in the end wait for each other.
grant create on schema casenote to casenote_door;
create or replace function casenote.renew_webhook_leases(
  tenant_ids uuid[], delivery_ids uuid[], fences bigint[], lease_ms int
) returns setof uuid
language sql security definer set search_path = ''
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
  with held as (
    select d.tenant_id, d.delivery_id
    from unnest(tenant_ids, delivery_ids, fences) as g (tenant_id, delivery_id, fence)
    join casenote.webhook_deliveries d on d.tenant_id = g.tenant_id and d.delivery_id = g.delivery_id
    where d.leased_until is not null and d.fence = g.fence
    for no key update of d skip locked
  )
  update casenote.webhook_deliveries d set leased_until = now() + lease_ms * interval '1 millisecond'
  from held h
  where d.tenant_id = h.tenant_id and d.delivery_id = h.delivery_id
  returning d.delivery_id
$$;
revoke create on schema casenote from casenote_door;
