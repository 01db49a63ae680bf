-- Nothing twice, where a partner has it switched on (decision 0034).
alter table casenote.tenants
  -- A POST with an Idempotency-Key is done once.
  add column idempotency boolean not null default false,
  -- externalId and sessionExternalId are each one thing's.
  add column unique_external_ids boolean not null default false;

-- The answer to a POST that had a key. It commits with what the POST did, so that there is never one without the other.
create table casenote.kept_answers (
  tenant_id uuid not null references casenote.tenants,
  -- Of operation, path and key: neither says anything in a dump.
  key_digest text not null check (key_digest ~ '^[A-Za-z0-9_-]{43}$'),
  -- Whose data it shows, if one client's: it goes with the client.
  client_id uuid,
  -- With the fingerprint of the body that it answers.
  sealed_answer bytea not null check (octet_length(sealed_answer) <= 1100000),
  answered_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, key_digest),
  foreign key (tenant_id, client_id) references casenote.clients on delete cascade
);
create index kept_answers_of_client on casenote.kept_answers (tenant_id, client_id) where client_id is not null;
create index kept_answers_oldest on casenote.kept_answers (answered_at);
select casenote.isolate_by_tenant('casenote.kept_answers');
-- Updated where a key comes again after its day.
grant select, insert, update on casenote.kept_answers to casenote_app;

-- Whose an external id is, in the whole tenant.
create index clients_of_external_id on casenote.clients (tenant_id, external_id) where external_id is not null;
create index clinicians_of_external_id on casenote.clinicians (tenant_id, external_id) where external_id is not null;
create index sessions_of_external_id on casenote.sessions (tenant_id, session_external_id)
  where session_external_id is not null and status <> 'failed';

grant create on schema casenote to casenote_door;
grant select, delete on casenote.kept_answers to casenote_door;
create function casenote.purge_kept_answers(most int) returns int
language sql security definer set search_path = '' as $$
  with old as (
    select a.tenant_id, a.key_digest from casenote.kept_answers a
    where a.answered_at <= now() - interval '24 hours' order by a.answered_at limit most
  ), purged as (
    -- Looked at once more: the same key may have been used anew meanwhile.
    delete from casenote.kept_answers a using old
    where a.tenant_id = old.tenant_id and a.key_digest = old.key_digest
      and a.answered_at <= now() - interval '24 hours'
    returning 1
  ) select count(*)::int from purged
$$;
alter function casenote.purge_kept_answers(int) owner to casenote_door;
revoke execute on function casenote.purge_kept_answers(int) from public;
grant execute on function casenote.purge_kept_answers(int) to casenote_app;
revoke create on schema casenote from casenote_door;
