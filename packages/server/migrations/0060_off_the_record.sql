-- What was off the record in a session (decision 0049): times and ids alone, which stay.
create table casenote.session_gaps (
  tenant_id uuid not null,
  session_id uuid not null,
  gap_id uuid not null,
  -- Off the record: the recorder paused, and nothing was kept. Struck: it was recorded, and taken out.
  kind text not null check (kind in ('off_record', 'struck')),
  -- Of the recording, from its begin. Equal where nothing was recorded.
  start_ms bigint not null check (start_ms >= 0),
  end_ms bigint not null check (end_ms >= start_ms),
  -- How long it was.
  lasted_ms bigint not null check (lasted_ms >= 0),
  by_kind text not null check (by_kind in ('clinician', 'partner')),
  by_id uuid not null,
  began_at timestamptz not null,
  created_at timestamptz not null default now(),
  -- Its sound is in no recording any more.
  is_cut boolean not null,
  -- From which its sound has yet to be taken, and what is being made of that. Whoever erases the session must find both.
  blob_id uuid,
  begun_blob_id uuid,
  primary key (tenant_id, session_id, gap_id),
  foreign key (tenant_id, session_id) references casenote.sessions,
  foreign key (tenant_id, blob_id) references casenote.blobs,
  foreign key (tenant_id, begun_blob_id) references casenote.blobs,
  check (not is_cut or (blob_id is null and begun_blob_id is null)),
  check (kind = 'struck' or is_cut)
);
create index session_gaps_of_blob on casenote.session_gaps (tenant_id, blob_id) where blob_id is not null;
create index session_gaps_of_begun on casenote.session_gaps (tenant_id, begun_blob_id) where begun_blob_id is not null;
select casenote.isolate_by_tenant('casenote.session_gaps');
grant select, insert (tenant_id, session_id, gap_id, kind, start_ms, end_ms, lasted_ms, by_kind, by_id, began_at, is_cut, blob_id)
  on casenote.session_gaps to casenote_app;
grant update (is_cut, blob_id, begun_blob_id) on casenote.session_gaps to casenote_app;

-- One more kind, whichever there are by now: migrations between may have added others.
do $$
declare
  kinds text;
begin
  select string_agg(quote_literal(found.kind[1]), ', ' order by found.place) into kinds
    from pg_constraint c,
      regexp_matches(pg_get_constraintdef(c.oid), '''([a-z_]+)''::text', 'g') with ordinality as found (kind, place)
    where c.conrelid = 'casenote.jobs'::regclass and c.conname = 'jobs_kind_check';
  execute format('alter table casenote.jobs drop constraint jobs_kind_check, add constraint jobs_kind_check check (kind in (%s, %L))',
    kinds, 'cut_audio');
end $$;

-- Whatever was written of a session of which a stretch was struck in this very transaction: all texts of its note, corrections of the struck
-- lines, danger that was said in them, and the kept answers of its client. The other corrections move with their lines. Nobody else deletes
-- any of it. Null: done. Else nothing was deleted, and it says why. As the owner, as `erase_rows`.
create function casenote.strike_rows(of_session uuid, of_gap uuid, lines int[], danger uuid[]) returns text
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
      and (i.note_id <> note.note_id or exists (select from casenote.danger_left_open o
        where o.tenant_id = tenant and o.item_id = i.item_id and o.note_id <> note.note_id)))
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
revoke execute on function casenote.strike_rows(uuid, uuid, int[], uuid[]) from public;
grant execute on function casenote.strike_rows(uuid, uuid, int[], uuid[]) to casenote_app;
