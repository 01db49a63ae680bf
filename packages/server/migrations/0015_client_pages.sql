-- The clients' pages: links opened with a birth date, sittings, and the answers given in them.

-- Wrong birth dates of a link, which keep it closed from the fifth on. By the link's hash and not by what it leads to:
-- a link that is issued anew begins anew. Only links that exist have rows, so guessing tokens fills nothing.
create table casenote.client_link_tries (
  tenant_id uuid not null,
  token_hash bytea not null,
  client_id uuid not null,
  wrong_tries int not null check (wrong_tries > 0),
  last_tried_at timestamptz not null default now(),
  primary key (tenant_id, token_hash),
  foreign key (tenant_id, client_id) references casenote.clients
);
select casenote.isolate_by_tenant('casenote.client_link_tries');
grant select, insert, update, delete on casenote.client_link_tries to casenote_app;

-- A browser that gave the right birth date, for as long as it goes on. Only the hash of its bearer is kept.
create table casenote.client_openings (
  tenant_id uuid not null,
  bearer_hash bytea not null,
  opening_id uuid not null,
  client_id uuid not null,
  kind text not null check (kind in ('assessments', 'invitation')),
  link_hash bytea not null,
  opened_at timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (tenant_id, bearer_hash),
  foreign key (tenant_id, client_id) references casenote.clients
);
create index client_openings_by_expiry on casenote.client_openings (expires_at);
select casenote.isolate_by_tenant('casenote.client_openings');
grant select, insert, update on casenote.client_openings to casenote_app;

-- From a client's first answer until they send what they answered, or are gone for a while: what is complete by then is
-- told in one event. However many browsers take part, a client has one at a time.
create table casenote.client_sittings (
  tenant_id uuid not null,
  sitting_id uuid not null,
  client_id uuid not null,
  started_at timestamptz not null default now(),
  -- When a worker ends it, unless another answer comes.
  due_at timestamptz not null,
  ended_at timestamptz,
  primary key (tenant_id, sitting_id),
  foreign key (tenant_id, client_id) references casenote.clients
);
create unique index client_sittings_open on casenote.client_sittings (tenant_id, client_id) where ended_at is null;
create index client_sittings_due on casenote.client_sittings (due_at) where ended_at is null;
select casenote.isolate_by_tenant('casenote.client_sittings');
grant select, insert, update on casenote.client_sittings to casenote_app;

-- Every answer as it was given; the last one counts. None is ever changed: that somebody chose an answer about
-- self-harm stays visible to the clinician when they take it back.
create table casenote.assessment_answers (
  tenant_id uuid not null,
  assignment_id uuid not null,
  -- Chosen by the page: an answer that is sent twice is stored once.
  answer_id uuid not null,
  seq bigint generated always as identity,
  question_key text not null,
  -- By the browser's clock, set right by ours.
  given_at timestamptz not null,
  saved_at timestamptz not null default now(),
  opening_id uuid not null,
  sealed_answer bytea not null,
  primary key (tenant_id, assignment_id, answer_id),
  foreign key (tenant_id, assignment_id) references casenote.assessment_assignments
);
create index assessment_answers_newest
  on casenote.assessment_answers (tenant_id, assignment_id, question_key, given_at desc, seq desc);
select casenote.isolate_by_tenant('casenote.assessment_answers');
grant select, insert on casenote.assessment_answers to casenote_app;

-- Doors.
grant create on schema casenote to casenote_door;
grant select on casenote.client_sittings to casenote_door;
grant select, delete on casenote.client_openings to casenote_door;

-- A worker ends sittings of all tenants, the longest due first.
create function casenote.list_due_sittings(most int) returns table (tenant_id uuid, sitting_id uuid)
language sql stable security definer set search_path = '' as $$
  select s.tenant_id, s.sitting_id from casenote.client_sittings s
  where s.ended_at is null and s.due_at <= now() order by s.due_at limit most
$$;
alter function casenote.list_due_sittings(int) owner to casenote_door;
revoke execute on function casenote.list_due_sittings(int) from public;
grant execute on function casenote.list_due_sittings(int) to casenote_app;

-- An opening that is over is of no use to anyone.
create function casenote.purge_client_openings(most int) returns int
language sql security definer set search_path = '' as $$
  with ended as (
    select o.tenant_id, o.bearer_hash from casenote.client_openings o
    where o.expires_at < now() - interval '1 day' limit most
  ), purged as (
    delete from casenote.client_openings o using ended
    where o.tenant_id = ended.tenant_id and o.bearer_hash = ended.bearer_hash returning 1
  ) select count(*)::int from purged
$$;
alter function casenote.purge_client_openings(int) owner to casenote_door;
revoke execute on function casenote.purge_client_openings(int) from public;
grant execute on function casenote.purge_client_openings(int) to casenote_app;

revoke create on schema casenote from casenote_door;
