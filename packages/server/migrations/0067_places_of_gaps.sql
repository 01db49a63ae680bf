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

-- Also of a session whose draft is gone: nothing is equal to the id of no note, nor different from it.
create or replace function casenote.strike_rows(of_session uuid, of_gap uuid, lines int[], danger uuid[]) returns text
language plpgsql security definer set search_path = '' as $$
declare
  tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
  client uuid;
  note casenote.progress_notes;
begin
  select s.client_id into client from casenote.sessions s where s.tenant_id = tenant and s.session_id = of_session;
  if not exists (select from casenote.session_gaps g where g.tenant_id = tenant and g.session_id = of_session and g.gap_id = of_gap
    and g.kind = 'struck' and g.created_at = now()) then raise exception 'no stretch was struck'; end if;
  -- Whoever places a hold waits, or has placed it.
  perform from casenote.clients c where c.tenant_id = tenant and c.client_id = client for share;
  if casenote.is_held(tenant, client) then return 'legal_hold'; end if;
  select * into note from casenote.progress_notes n where n.tenant_id = tenant and n.session_id = of_session for update;
  if note.signed_by_id is not null or note.status = 'finalized' then return 'signed'; end if;
  if note.active_generation_id is not null then return 'generating'; end if;
  -- What another session's note was signed with stays as it was.
  if exists (select from casenote.danger_items i where i.tenant_id = tenant and i.session_id = of_session and i.item_id = any (danger)
      and ((i.note_id is not null and i.note_id is distinct from note.note_id) or exists (select from casenote.danger_left_open o
        where o.tenant_id = tenant and o.item_id = i.item_id and o.note_id is distinct from note.note_id)))
    then return 'danger_named'; end if;
  delete from casenote.note_versions v where v.tenant_id = tenant and v.note_id = note.note_id;
  delete from casenote.note_generations g where g.tenant_id = tenant and g.note_id = note.note_id;
  update casenote.progress_notes n set judged_version = null, judged_at = null, sealed_judged_sections = null, sealed_judged_review = null
    where n.tenant_id = tenant and n.note_id = note.note_id;
  delete from casenote.transcript_corrections t where t.tenant_id = tenant and t.session_id = of_session and t.item = any (lines);
  update casenote.transcript_corrections t
    set item = t.item - (select count(*) from unnest(lines) l where l < t.item)
    where t.tenant_id = tenant and t.session_id = of_session;
  delete from casenote.danger_sightings d where d.tenant_id = tenant and d.item_id = any (danger) and exists (
    select from casenote.danger_items i where i.tenant_id = tenant and i.item_id = d.item_id and i.session_id = of_session);
  delete from casenote.danger_left_open d where d.tenant_id = tenant and d.item_id = any (danger) and exists (
    select from casenote.danger_items i where i.tenant_id = tenant and i.item_id = d.item_id and i.session_id = of_session);
  delete from casenote.danger_items i where i.tenant_id = tenant and i.session_id = of_session and i.item_id = any (danger);
  delete from casenote.kept_answers a where a.tenant_id = tenant and a.client_id = client;
  return null;
end $$;
