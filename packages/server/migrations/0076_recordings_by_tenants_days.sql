-- A tenant's days for recordings hold in both directions, and for notes that nobody signs (decision 0042). Until now a recording had a year from
-- its last part on, and days only shortened that: more than 365 were never true, and an unsigned note's recording stayed the year, whatever
-- was set. Programs of before go on shortening by these functions; what is longer than a year they delete when the year is over.

-- Nobody needs it any more, and a legal hold keeps it: nothing puts its end off once the hold is lifted.
alter table casenote.blobs add column given_up_at timestamptz;
update casenote.blobs b set given_up_at = now()
where b.tenant_id in (select h.tenant_id from casenote.legal_holds h where h.lifted_at is null) and b.status in ('open', 'complete')
  and b.delete_after <= casenote.tenant_now(b.tenant_id) + interval '1 day' and casenote.is_blob_held(b.tenant_id, b.blob_id);

grant create on schema casenote to casenote_door;

-- Shortens. Counted from the signature or the failure; of a session whose note nobody has signed, where its tenant has set days, from its
-- recording, or from when it was asked for again; never of one that is still being heard. Whose end lies within the days of its recording is left
-- out before anything is joined: nothing is counted from earlier, and recordings that are kept for years are many.
create or replace function casenote.schedule_audio_deletion(keep_days int, most int) returns int
language sql security definer set search_path = '' as $$
  with scheduled as (
    update casenote.blobs b set delete_after = e.counted_from + e.days * interval '1 day'
    from (
      select k.tenant_id, k.blob_id, c.counted_from, d.days
      from casenote.blobs k
      left join casenote.tenant_retention r on r.tenant_id = k.tenant_id
      cross join lateral (select coalesce(r.recording_days, keep_days) as days) d
      left join casenote.uploads u on u.tenant_id = k.tenant_id and u.blob_id = k.blob_id
      join casenote.sessions s on s.tenant_id = k.tenant_id
        and (s.audio_blob_id = k.blob_id or s.session_id = u.session_id)
      -- None, where the draft is past its own days.
      left join casenote.progress_notes n on n.tenant_id = s.tenant_id and n.session_id = s.session_id
      left join casenote.session_status_history h on h.tenant_id = s.tenant_id and h.session_id = s.session_id
        and h.to_status = 'failed'
      cross join lateral (select coalesce(n.finalized_at, h.changed_at,
        case when s.status = 'completed' and r.recording_days is not null then greatest(k.completed_at, s.created_at) end
      ) as counted_from) c
      where k.status = 'complete' and k.delete_after > k.completed_at + d.days * interval '1 day'
        and k.delete_after > c.counted_from + d.days * interval '1 day'
        and k.tenant_id <> all (array(select m.tenant_id from casenote.list_moved_clocks() m))
        and not casenote.is_held(s.tenant_id, s.client_id)
      limit most
    ) e
    where b.tenant_id = e.tenant_id and b.blob_id = e.blob_id and b.status = 'complete'
    returning 1
  )
  select count(*)::int from scheduled
$$;

-- The same by what the clock of a sandbox showed then, which until now went by the installation's days alone.
create or replace function casenote.schedule_audio_of_moved_clocks(keep_days int, most int) returns int
language plpgsql security definer set search_path = '' set enable_seqscan = off set plan_cache_mode = force_custom_plan as $$
declare
  clock record;
  given int;
  total int := 0;
begin
  for clock in
    select c.tenant_id, r.recording_days as own_days, coalesce(r.recording_days, keep_days) * interval '1 day' as days
    from casenote.list_moved_clocks() c left join casenote.tenant_retention r on r.tenant_id = c.tenant_id order by random() limit 1000
  loop
    update casenote.blobs b set delete_after = e.counted_from + clock.days
    from (
      select k.blob_id, casenote.tenant_time(k.tenant_id, c.counted_from) as counted_from
      from casenote.blobs k
      left join casenote.uploads u on u.tenant_id = k.tenant_id and u.blob_id = k.blob_id
      join casenote.sessions s on s.tenant_id = k.tenant_id
        and (s.audio_blob_id = k.blob_id or s.session_id = u.session_id)
      left join casenote.progress_notes n on n.tenant_id = s.tenant_id and n.session_id = s.session_id
      left join casenote.session_status_history h on h.tenant_id = s.tenant_id and h.session_id = s.session_id
        and h.to_status = 'failed'
      cross join lateral (select coalesce(n.finalized_at, h.changed_at,
        case when s.status = 'completed' and clock.own_days is not null then greatest(k.completed_at, s.created_at) end
      ) as counted_from) c
      where k.tenant_id = clock.tenant_id and k.status = 'complete'
        and k.delete_after > c.counted_from + clock.days
        and k.delete_after > casenote.tenant_time(k.tenant_id, c.counted_from) + clock.days
        and not casenote.is_held(s.tenant_id, s.client_id)
      limit most - total
    ) e
    where b.tenant_id = clock.tenant_id and b.blob_id = e.blob_id and b.status = 'complete';
    get diagnostics given = row_count;
    total := total + given;
    exit when total >= most;
  end loop;
  return total;
end $$;
revoke create on schema casenote from casenote_door;

-- Lengthens: a recording that is due is asked about once more, since its note may have been signed meanwhile, or the days be others by now. Of
-- a note that nobody signed: the tenant's days, else a year (`unsigned_days`), or the installation's where those are more. A month at a
-- time: what was put off for years would be looked at by every pass that shortens. In the caller's tenant.
create function casenote.postpone_kept_audio(of_tenant uuid, keep_days int, unsigned_days int) returns int
language sql set search_path = '' as $$
  with kept as (
    select b.blob_id, max(e.ends_at) as ends_at
    from casenote.blobs b
    left join casenote.tenant_retention r on r.tenant_id = b.tenant_id
    cross join lateral (
      select s.* from casenote.sessions s where s.tenant_id = of_tenant and s.session_id in (
        select a.session_id from casenote.sessions a where a.tenant_id = of_tenant and a.audio_blob_id = b.blob_id
        union all select u.session_id from casenote.uploads u
          where u.tenant_id = of_tenant and u.blob_id = b.blob_id and u.status = 'used')
    ) s
    left join casenote.progress_notes n on n.tenant_id = s.tenant_id and n.session_id = s.session_id
    left join casenote.session_status_history h on h.tenant_id = s.tenant_id and h.session_id = s.session_id
      and h.to_status = 'failed'
    cross join lateral (select case
      when n.finalized_at is not null or h.changed_at is not null then
        casenote.tenant_time(of_tenant, coalesce(n.finalized_at, h.changed_at))
          + coalesce(r.recording_days, keep_days) * interval '1 day'
      when s.status = 'completed' and r.recording_days is not null then
        casenote.tenant_time(of_tenant, greatest(b.completed_at, s.created_at)) + r.recording_days * interval '1 day'
      else casenote.tenant_time(of_tenant, greatest(b.completed_at, s.created_at))
        + greatest(r.recording_days, keep_days, unsigned_days) * interval '1 day'
    end as ends_at) e
    where b.tenant_id = of_tenant and b.kind = 'audio' and b.status = 'complete' and b.given_up_at is null
      and b.delete_after <= casenote.tenant_now(of_tenant)
    group by b.blob_id
  ), postponed as (
    update casenote.blobs b set delete_after = least(k.ends_at, casenote.tenant_now(of_tenant) + interval '30 days')
    from kept k
    where b.tenant_id = of_tenant and b.blob_id = k.blob_id and b.status = 'complete' and k.ends_at > casenote.tenant_now(of_tenant)
    returning 1
  ) select count(*)::int from postponed
$$;
revoke execute on function casenote.postpone_kept_audio(uuid, int, int) from public;
grant execute on function casenote.postpone_kept_audio(uuid, int, int) to casenote_app;
