-- The contract's seven events go to every endpoint that names none; further ones only to those that name them.
grant create on schema casenote to casenote_door;
create or replace function casenote.fan_out_webhook_events(most_of_tenant int) returns int
language plpgsql security definer set search_path = '' set enable_bitmapscan = off set enable_seqscan = off as $$
declare
  tenant uuid := '00000000-0000-0000-0000-000000000000';
  taken int;
  total int := 0;
begin
  loop
    select e.tenant_id into tenant from casenote.events e
      where e.fanned_out_at is null and e.tenant_id > tenant order by e.tenant_id limit 1;
    exit when not found;
    with picked as (
      select e.event_id, e.event_type from casenote.events e
      where e.tenant_id = tenant and e.fanned_out_at is null
      order by e.seq limit most_of_tenant for update skip locked
    ), made as (
      insert into casenote.webhook_deliveries (tenant_id, delivery_id, endpoint_id, event_id, event_type, trigger)
      select tenant, gen_random_uuid(), w.endpoint_id, p.event_id, p.event_type, 'event'
      from picked p join casenote.webhook_endpoints w on w.tenant_id = tenant
      where w.enabled and w.deleted_at is null
        and p.event_type = any(coalesce(w.event_types, array[
          'progress_note_generated', 'progress_note_regenerated', 'progress_note_finalized', 'transcript_ready',
          'session_transcript_error', 'mdm_elements_identified', 'assessment_completed'
        ]))
      on conflict (tenant_id, event_id, endpoint_id) where trigger = 'event' do nothing
    )
    update casenote.events e set fanned_out_at = now()
      where e.tenant_id = tenant and e.event_id = any(array(select p.event_id from picked p));
    get diagnostics taken = row_count;
    total := total + taken;
  end loop;
  return total;
end $$;
revoke create on schema casenote from casenote_door;
