-- Who may use the console (decision 0035): a partner's own people, and the operator's. The operator's have tables of their own, which
-- no service's login may touch: they are read and written as the owner, on the admin port alone.

create table casenote.console_users (
  tenant_id uuid not null,
  user_id uuid not null,
  -- In the audit log, and what is typed to sign in.
  name text not null check (name ~ '^[a-z0-9][a-z0-9._@-]{0,63}$'),
  -- Both or neither, with a TOTP secret: a password alone lets nobody in.
  password_salt bytea,
  password_hash bytea check (octet_length(password_hash) = 32),
  wrapped_totp bytea,
  master_key_id text,
  -- Of the newest code that was taken: none is good twice (RFC 6238, 5.2).
  totp_step bigint,
  -- Wrong codes with the right password in a row, and how often that has locked: each time for twice as long.
  failures int not null default 0,
  locks int not null default 0,
  locked_until timestamptz,
  created_at timestamptz not null default now(),
  primary key (tenant_id, user_id),
  check (num_nulls(password_salt, password_hash, wrapped_totp, master_key_id) in (0, 4))
);
create unique index console_users_by_name on casenote.console_users (tenant_id, name);
-- For the door below, which starts from the name. Not unique: uniqueness across tenants would be a way to ask.
create index console_users_of_name on casenote.console_users (name);

create table casenote.console_links (
  tenant_id uuid not null,
  link_hash bytea not null check (octet_length(link_hash) = 32),
  user_id uuid not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  primary key (tenant_id, link_hash)
);

create table casenote.console_sessions (
  tenant_id uuid not null,
  session_hash bytea not null check (octet_length(session_hash) = 32),
  user_id uuid not null,
  -- From a link: it can set how its user signs in, and nothing else.
  is_enrolment boolean not null,
  started_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  expires_at timestamptz not null,
  -- What becomes the user's once a code proves that their phone has the secret.
  pending_salt bytea,
  pending_hash bytea,
  pending_totp bytea,
  primary key (tenant_id, session_hash)
);

create table casenote.console_passkeys (
  tenant_id uuid not null,
  credential_id bytea not null check (octet_length(credential_id) between 1 and 1023),
  user_id uuid not null,
  -- Where it was made, with scheme and port: it is good nowhere else.
  origin text not null,
  -- COSE.
  public_key bytea not null,
  sign_count bigint not null,
  -- When the newest challenge was made that it answered: an answer is good once.
  challenged_at timestamptz not null default '-infinity',
  created_at timestamptz not null default now(),
  primary key (tenant_id, credential_id)
);

do $$
declare
  part text;
begin
  foreach part in array array['users', 'links', 'sessions', 'passkeys'] loop
    execute format('create table casenote.operator_%s (like casenote.console_%s including all)', part, part);
    perform casenote.isolate_by_tenant(format('casenote.console_%s', part)::regclass);
    perform casenote.isolate_by_tenant(format('casenote.operator_%s', part)::regclass);
  end loop;
  foreach part in array array['links', 'sessions', 'passkeys'] loop
    execute format('alter table casenote.console_%1$s add foreign key (tenant_id, user_id)
      references casenote.console_users on delete cascade', part);
    execute format('alter table casenote.operator_%1$s add foreign key (tenant_id, user_id)
      references casenote.operator_users on delete cascade', part);
    execute format('create index on casenote.console_%s (tenant_id, user_id)', part);
    execute format('create index on casenote.operator_%s (tenant_id, user_id)', part);
  end loop;
end $$;
alter table casenote.console_users add foreign key (tenant_id) references casenote.tenants;

-- Users are made and removed by the operator's command alone.
grant select, update on casenote.console_users to casenote_app;
grant select, update on casenote.console_links to casenote_app;
grant select, insert, update, delete on casenote.console_sessions to casenote_app;
grant select, insert, update on casenote.console_passkeys to casenote_app;
-- When they were made and ended; the hashes stay unread.
grant select (tenant_id, created_at, revoked_at) on casenote.api_keys to casenote_app;

-- For lists of all sessions of a tenant, newest first.
create unique index sessions_of_tenant on casenote.sessions (tenant_id, seq);

grant create on schema casenote to casenote_door;
grant select on casenote.console_users, casenote.operator_users to casenote_door;

-- Whose user that is: a name is typed before a tenant is known.
create function casenote.find_console_tenant(user_name text) returns uuid
language sql stable security definer set search_path = '' as $$
  select u.tenant_id from casenote.console_users u where u.name = user_name order by u.created_at limit 1
$$;

-- The console is not there until somebody may use it.
create function casenote.has_console_users() returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from casenote.console_users)
$$;

create or replace function casenote.list_master_key_ids() returns setof text
language sql stable security definer set search_path = '' as $$
  select master_key_id from casenote.tenant_keys
  union select master_key_id from casenote.console_users where master_key_id is not null
  union select master_key_id from casenote.operator_users where master_key_id is not null
$$;

do $$
declare
  door text;
begin
  foreach door in array array['find_console_tenant(text)', 'has_console_users()'] loop
    execute format('alter function casenote.%s owner to casenote_door', door);
    execute format('revoke execute on function casenote.%s from public', door);
    execute format('grant execute on function casenote.%s to casenote_app', door);
  end loop;
end $$;
revoke create on schema casenote from casenote_door;
