-- The pipeline: its jobs, where a session's recording lies, what was heard so far, and what made each artifact.

-- One thing to be done about one subject. The rows are the queue: a feature inserts one in the transaction that makes the
-- work necessary, a worker claims it with a lease and a fence, and the result commits together with the job's end, under
-- that fence. What a worker that died had in hand is due again when its lease runs out.
create table casenote.jobs (
  tenant_id uuid not null references casenote.tenants,
  job_id uuid not null,
  kind text not null check (kind in ('fetch_audio', 'transcribe', 'write_note', 'derive_mdm', 'summarize')),
  -- A session, or for `write_note` a generation.
  subject_id uuid not null,
  status text not null default 'waiting' check (status in ('waiting', 'running', 'done', 'parked')),
  due_at timestamptz default now(),
  -- Claims since it was last enqueued: one that kills its worker every time is parked after a few.
  attempts int not null default 0 check (attempts >= 0),
  leased_until timestamptz,
  fence bigint not null default 0,
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  primary key (tenant_id, job_id),
  check ((status = 'waiting') = (due_at is not null)),
  check ((status = 'running') = (leased_until is not null)),
  check ((status in ('done', 'parked')) = (ended_at is not null))
);
-- Enqueuing twice is enqueuing once.
create unique index jobs_once on casenote.jobs (tenant_id, kind, subject_id);
create index jobs_waiting on casenote.jobs (tenant_id, due_at) where status = 'waiting';
create index jobs_running on casenote.jobs (tenant_id) where status = 'running';
create index jobs_ended on casenote.jobs (ended_at) where status in ('done', 'parked');
select casenote.isolate_by_tenant('casenote.jobs');
grant select, insert, update on casenote.jobs to casenote_app;

alter table casenote.sessions add column audio_blob_id uuid,
  add foreign key (tenant_id, audio_blob_id) references casenote.blobs;
create index sessions_of_audio on casenote.sessions (tenant_id, audio_blob_id) where audio_blob_id is not null;

-- What was heard in each chunk of a recording, until the transcript is complete: a worker that is killed at minute 50
-- of 60 goes on there.
create table casenote.transcription_chunks (
  tenant_id uuid not null,
  session_id uuid not null,
  chunk int not null check (chunk >= 0),
  sealed_chunk bytea not null,
  primary key (tenant_id, session_id, chunk),
  foreign key (tenant_id, session_id) references casenote.sessions
);
select casenote.isolate_by_tenant('casenote.transcription_chunks');
grant select, insert, update, delete on casenote.transcription_chunks to casenote_app;

-- Engine, model, prompt and template versions. Null for what people wrote.
alter table casenote.transcripts add column made_by text;
alter table casenote.note_versions add column made_by text;
alter table casenote.mdm_elements add column made_by text;
alter table casenote.summaries add column made_by text;

grant create on schema casenote to casenote_door;
grant select, update, delete on casenote.jobs to casenote_door;
grant select, update (delete_after) on casenote.blobs to casenote_door;
grant select on casenote.sessions, casenote.progress_notes, casenote.session_status_history to casenote_door;

-- One job for a worker that has room: of the tenant with the fewest running, the longest due. So a tenant with a thousand
-- recordings takes turns with one that has a single one.
create function casenote.claim_job(kinds text[], lease_ms int) returns table (
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
        and r.status = 'running') as running,
      (select j.due_at from casenote.jobs j where j.tenant_id = w.tenant_id and j.status = 'waiting'
        and j.due_at <= now() and j.kind = any(kinds) order by j.due_at limit 1) as due_at
    from walk w order by 2, 3 nulls last
  loop
    continue when due.due_at is null;
    return query
      with picked as (
        select j.job_id from casenote.jobs j
        where j.tenant_id = due.tenant_id and j.status = 'waiting' and j.due_at <= now() and j.kind = any(kinds)
        order by j.due_at limit 1 for update skip locked
      )
      update casenote.jobs j
      set status = 'running', due_at = null, attempts = j.attempts + 1, fence = j.fence + 1,
        leased_until = now() + lease_ms * interval '1 millisecond'
      from picked p where j.tenant_id = due.tenant_id and j.job_id = p.job_id
      returning j.tenant_id, j.job_id, j.kind, j.subject_id, j.attempts, j.fence;
    if found then return; end if;
  end loop;
end $$;

-- Those that are still the worker's own.
create function casenote.renew_jobs(tenant_ids uuid[], job_ids uuid[], fences bigint[], lease_ms int)
returns setof uuid
language sql security definer set search_path = '' as $$
  update casenote.jobs j set leased_until = now() + lease_ms * interval '1 millisecond'
  from unnest(tenant_ids, job_ids, fences) as g (tenant_id, job_id, fence)
  where j.tenant_id = g.tenant_id and j.job_id = g.job_id and j.status = 'running' and j.fence = g.fence
  returning j.job_id
$$;

-- Takes over what a worker left behind that died or was stopped.
create function casenote.release_jobs() returns int
language sql security definer set search_path = '' as $$
  with released as (
    update casenote.jobs j set status = 'waiting', leased_until = null, due_at = now()
    from (select l.tenant_id, l.job_id from casenote.jobs l
      where l.status = 'running' and l.leased_until < now() limit 1000 for update skip locked) lost
    where j.tenant_id = lost.tenant_id and j.job_id = lost.job_id
    returning 1
  )
  select count(*)::int from released
$$;

create function casenote.purge_jobs(before timestamptz, most int) returns int
language sql security definer set search_path = '' as $$
  with purged as (
    delete from casenote.jobs j using (
      select o.tenant_id, o.job_id from casenote.jobs o where o.status in ('done', 'parked') and o.ended_at < before
      order by o.ended_at limit most for update skip locked) old
    where j.tenant_id = old.tenant_id and j.job_id = old.job_id
    returning 1
  )
  select count(*)::int from purged
$$;

-- Retention: a recording goes so many days after its note was finalized or its session failed. What is neither keeps the
-- far date that it was stored with.
create function casenote.schedule_audio_deletion(keep_days int, most int) returns int
language sql security definer set search_path = '' as $$
  with scheduled as (
    update casenote.blobs b set delete_after = e.ended_at + keep_days * interval '1 day'
    from (
      select s.tenant_id, s.audio_blob_id, coalesce(n.finalized_at, h.changed_at) as ended_at
      from casenote.blobs k
      join casenote.sessions s on s.tenant_id = k.tenant_id and s.audio_blob_id = k.blob_id
      join casenote.progress_notes n on n.tenant_id = s.tenant_id and n.session_id = s.session_id
      left join casenote.session_status_history h on h.tenant_id = s.tenant_id and h.session_id = s.session_id
        and h.to_status = 'failed'
      where k.status = 'complete' and (n.finalized_at is not null or h.changed_at is not null)
        and k.delete_after > coalesce(n.finalized_at, h.changed_at) + keep_days * interval '1 day'
      limit most
    ) e
    where b.tenant_id = e.tenant_id and b.blob_id = e.audio_blob_id and b.status = 'complete'
    returning 1
  )
  select count(*)::int from scheduled
$$;

do $$
declare
  door text;
begin
  foreach door in array array[
    'claim_job(text[], int)', 'renew_jobs(uuid[], uuid[], bigint[], int)', 'release_jobs()',
    'purge_jobs(timestamptz, int)', 'schedule_audio_deletion(int, int)'
  ] loop
    execute format('alter function casenote.%s owner to casenote_door', door);
    execute format('revoke execute on function casenote.%s from public', door);
    execute format('grant execute on function casenote.%s to casenote_app', door);
  end loop;
end $$;
revoke create on schema casenote from casenote_door;
