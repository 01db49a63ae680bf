-- Turns between tenants that hold when one job runs at a time, and downloads that go on where they were.

-- When a tenant last had its turn, for each kind. With one place for a kind nothing of it is running when the place
-- becomes free, so what is running cannot tell whose turn it is: the tenant that enqueued first had all of its jobs done
-- before another one's first.
alter table casenote.jobs add column claimed_at timestamptz;
create index jobs_turns on casenote.jobs (tenant_id, kind, claimed_at) where claimed_at is not null;

-- What is here of a recording that is being fetched. Goes with the end of the fetching.
create table casenote.recording_downloads (
  tenant_id uuid not null,
  session_id uuid not null,
  -- Null until the first part of it is stored.
  blob_id uuid,
  -- What tells the file from another one, how long it has been tried and how long to wait. An ETag is often a digest of
  -- the content.
  sealed_state bytea not null,
  primary key (tenant_id, session_id),
  foreign key (tenant_id, session_id) references casenote.sessions,
  foreign key (tenant_id, blob_id) references casenote.blobs
);
select casenote.isolate_by_tenant('casenote.recording_downloads');
grant select, insert, update, delete on casenote.recording_downloads to casenote_app;

-- One job for a worker that has room: of the tenant with the fewest running of these kinds, then of the one whose last
-- turn is the longest ago, the longest due. `passed_over` are the tenants that have their share of the worker's places.
grant create on schema casenote to casenote_door;
drop function casenote.claim_job(text[], int);
create function casenote.claim_job(kinds text[], lease_ms int, passed_over uuid[] default '{}') returns table (
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
        order by j.due_at limit 1 for update skip locked
      )
      update casenote.jobs j
      set status = 'running', due_at = null, attempts = j.attempts + 1, fence = j.fence + 1, claimed_at = now(),
        leased_until = now() + lease_ms * interval '1 millisecond'
      from picked p where j.tenant_id = due.tenant_id and j.job_id = p.job_id
      returning j.tenant_id, j.job_id, j.kind, j.subject_id, j.attempts, j.fence;
    if found then return; end if;
  end loop;
end $$;
alter function casenote.claim_job(text[], int, uuid[]) owner to casenote_door;
revoke execute on function casenote.claim_job(text[], int, uuid[]) from public;
grant execute on function casenote.claim_job(text[], int, uuid[]) to casenote_app;
revoke create on schema casenote from casenote_door;
