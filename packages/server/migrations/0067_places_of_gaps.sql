-- Where a struck stretch lies, as the recorder counts (decision 0049): in which of its segments, and how much recorded sound into it. Of the
-- whole recording nobody knows before it is joined; then begin and end are put right. Null: a frame of before told them by its clock alone.
alter table casenote.session_gaps
  add column from_segment int check (from_segment >= 0),
  add column from_ms bigint check (from_ms >= 0),
  add column to_segment int check (to_segment >= from_segment),
  add column to_ms bigint check (to_ms >= 0),
  add constraint session_gaps_place_check check (num_nulls(from_segment, from_ms, to_segment, to_ms) in (0, 4));
grant insert (from_segment, from_ms, to_segment, to_ms), update (start_ms, end_ms, lasted_ms) on casenote.session_gaps to casenote_app;

-- Under a hold also what waits to be cut, and what a killed cut had begun: neither is a session's recording, nor an upload, meanwhile.
create or replace function casenote.postpone_held_blobs(of_tenant uuid) returns int
language sql set search_path = '' as $$
  with postponed as (
    update casenote.blobs b set delete_after = now() + interval '1 day'
    where b.tenant_id = of_tenant and b.status in ('open', 'complete') and b.delete_after <= casenote.tenant_now(of_tenant) and exists (
      select from casenote.legal_holds h join casenote.sessions s on s.tenant_id = h.tenant_id and s.client_id = h.client_id
      left join casenote.uploads u on u.tenant_id = s.tenant_id and u.session_id = s.session_id
      left join casenote.session_gaps g on g.tenant_id = s.tenant_id and g.session_id = s.session_id
      where h.tenant_id = of_tenant and h.lifted_at is null and b.blob_id in (s.audio_blob_id, u.blob_id, g.blob_id, g.begun_blob_id))
    returning 1
  ) select count(*)::int from postponed
$$;
