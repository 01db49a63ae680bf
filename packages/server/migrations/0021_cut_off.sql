-- Clinicians who are cut off.

-- Null: active. Who is deactivated stays listed; their browser sessions ended in the same transaction.
alter table casenote.clinicians add column deactivated_at timestamptz;
create index clinicians_deactivated on casenote.clinicians (tenant_id, clinician_id) where deactivated_at is not null;

alter table casenote.widget_sessions drop constraint widget_sessions_ended_by_check;
alter table casenote.widget_sessions add constraint widget_sessions_ended_by_check
  check (ended_by in ('logout', 'replay', 'deactivation'));

-- When what had arrived of a recording became all of it, because its clinician was deactivated. A browser that holds the rest
-- learns from it that it must send the recording as another session.
alter table casenote.sessions add column cut_off_at timestamptz;

grant create on schema casenote to casenote_door;
grant select on casenote.clinicians to casenote_door;

-- Recordings of deactivated clinicians of which anything has arrived: a worker makes notes of them, for all tenants. What was
-- under way at the moment of the deactivation is over after 5 s.
create function casenote.list_cut_off_recordings(most int) returns table (tenant_id uuid, session_id uuid)
language sql stable security definer set search_path = '' as $$
  select s.tenant_id, s.session_id from casenote.sessions s
  join casenote.clinicians c on c.tenant_id = s.tenant_id and c.clinician_id = s.clinician_id
  where s.status = 'awaiting_audio' and c.deactivated_at < now() - interval '5 seconds'
    and exists (select from casenote.uploads u where u.tenant_id = s.tenant_id and u.session_id = s.session_id
      and u.status = 'open' and u.offset_bytes > 0)
  order by s.created_at limit most
$$;
alter function casenote.list_cut_off_recordings(int) owner to casenote_door;
revoke execute on function casenote.list_cut_off_recordings(int) from public;
grant execute on function casenote.list_cut_off_recordings(int) to casenote_app;
revoke create on schema casenote from casenote_door;
