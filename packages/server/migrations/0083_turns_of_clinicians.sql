-- Among the jobs of a tenant its clinicians take turns: one who has a hundred notes written anew keeps the first note of a colleague waiting for
-- one or two of them, not for all. A job's place is settled once, as it is enqueued, and a claim takes the first place that is due: a claim that
-- looked at every clinician who waits took 40 ms behind a thousand of them.
-- Programs from schema 74 on run with it; what they enqueue comes first, as the oldest does.

alter table casenote.jobs add column turn_of uuid;
comment on column casenote.jobs.turn_of is 'The clinician in whose turn it is; null where it is in nobody''s, as a mail or an export.';
alter table casenote.jobs add column place bigint not null default 0;
comment on column casenote.jobs.place is
  'One behind the place that the tenant has come to at what shares its workers'' places, or behind what waits of the same kind in the same turn.';

create index jobs_by_place on casenote.jobs (tenant_id, place, due_at) where status = 'waiting';
create index jobs_of_turns on casenote.jobs (tenant_id, turn_of, kind, place) where status = 'waiting';
-- Jobs of before have none, so that nothing is built of the weeks that are kept of them.
create index jobs_come_to on casenote.jobs (tenant_id, kind, place)
  where claimed_at is not null and status <> 'waiting' and place > 0;

-- Whoever's session or note a job is about, as it is being enqueued.
create function casenote.turn_of(of_tenant uuid, of_kind text, of_subject uuid) returns uuid
language sql stable set search_path = '' as $$
  select case
    when of_kind in ('send_mail', 'send_code', 'export_client') then null
    when of_kind = 'write_note' then (select g.clinician_id from casenote.note_generations g
      where g.tenant_id = of_tenant and g.generation_id = of_subject)
    else (select s.clinician_id from casenote.sessions s where s.tenant_id = of_tenant and s.session_id = of_subject)
  end
$$;

-- `beside`: the kinds that share the places of workers with it. What goes quickly, as the mails do, moves nothing in a slow lane; nor does what was
-- put off, before its place has come.
create function casenote.place_of(of_tenant uuid, of_turn uuid, of_kind text, beside text[]) returns bigint
language sql stable set search_path = '' as $$
  select 1 + greatest(
    (select max(l.place) from unnest(beside) k (kind) cross join lateral (
      select j.place from casenote.jobs j where j.tenant_id = of_tenant and j.kind = k.kind
        and j.claimed_at is not null and j.status <> 'waiting' and j.place > 0 order by j.place desc limit 1) l),
    (select j.place from casenote.jobs j where j.tenant_id = of_tenant and j.turn_of = of_turn and j.kind = of_kind
      and j.status = 'waiting' order by j.place desc limit 1),
    0)
$$;

revoke execute on function casenote.turn_of(uuid, text, uuid), casenote.place_of(uuid, uuid, text, text[]) from public;
grant execute on function casenote.turn_of(uuid, text, uuid), casenote.place_of(uuid, uuid, text, text[]) to casenote_app;

-- As before, but within the tenant by place.
create or replace function casenote.claim_job(kinds text[], lease_ms int, passed_over uuid[] default '{}') returns table (
  tenant_id uuid, job_id uuid, kind text, subject_id uuid, attempts int, fence bigint
)
language plpgsql security definer set search_path = '' set enable_bitmapscan = off set enable_seqscan = off as $$
declare
  due record;
begin
  for due in
    with recursive walk as (
      (select j.tenant_id from casenote.jobs j where j.status = 'waiting' order by j.tenant_id limit 1)
      union all
      select n.tenant_id from walk w cross join lateral (
        select j.tenant_id from casenote.jobs j where j.status = 'waiting' and j.tenant_id > w.tenant_id
        order by j.tenant_id limit 1) n
    )
    select w.tenant_id, (select count(*) from casenote.jobs r where r.tenant_id = w.tenant_id
        and r.status = 'running' and r.kind = any(kinds)) as running,
      (select max(l.claimed_at) from unnest(kinds) k (kind) cross join lateral (
        select t.claimed_at from casenote.jobs t where t.tenant_id = w.tenant_id and t.kind = k.kind
          and t.claimed_at is not null order by t.claimed_at desc limit 1) l) as last_turn,
      (select j.due_at from casenote.jobs j where j.tenant_id = w.tenant_id and j.status = 'waiting'
        and j.due_at <= now() and j.kind = any(kinds) order by j.due_at limit 1) as due_at
    from walk w where w.tenant_id <> all(passed_over) order by 2, 3 nulls first, 4 nulls last
  loop
    continue when due.due_at is null;
    return query
      with picked as (
        select j.job_id from casenote.jobs j
        where j.tenant_id = due.tenant_id and j.status = 'waiting' and j.due_at <= now() and j.kind = any(kinds)
        order by j.place, j.due_at limit 1 for update skip locked
      )
      update casenote.jobs j
      set status = 'running', due_at = null, attempts = j.attempts + 1, fence = j.fence + 1, claimed_at = now(),
        leased_until = now() + lease_ms * interval '1 millisecond'
      from picked p where j.tenant_id = due.tenant_id and j.job_id = p.job_id
      returning j.tenant_id, j.job_id, j.kind, j.subject_id, j.attempts, j.fence;
    if found then return; end if;
  end loop;
end $$;
