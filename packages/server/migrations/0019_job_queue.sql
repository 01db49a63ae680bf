-- What waits and runs in the pipeline, for metrics.

-- One row for each kind and state that has any. `away`: waits for a server that is away, an engine's say; `later`: waits for
-- its time. What has ended is not counted: a month of it is kept.
grant create on schema casenote to casenote_door;
create function casenote.describe_job_queue() returns table (
  kind text, state text, jobs bigint, oldest_due_ms double precision
)
language sql stable security definer set search_path = '' as $$
  select j.kind, s.state, count(*),
    case when s.state = 'due' then extract(epoch from now() - min(j.due_at))::double precision * 1000 end
  from casenote.jobs j
  cross join lateral (
    select case when j.status = 'running' then 'running'
      when j.due_at <= now() then 'due'
      when j.outage_since is not null then 'away'
      else 'later' end as state
  ) s
  where j.status in ('waiting', 'running')
  group by j.kind, s.state
$$;
alter function casenote.describe_job_queue() owner to casenote_door;
revoke execute on function casenote.describe_job_queue() from public;
grant execute on function casenote.describe_job_queue() to casenote_app;
revoke create on schema casenote from casenote_door;
