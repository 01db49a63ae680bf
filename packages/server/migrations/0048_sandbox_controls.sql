-- What a sandbox can be made to do. A production tenant can have no row in any of these tables, by the key of the first.
alter table casenote.tenants add unique (tenant_id, environment);

create table casenote.sandbox_settings (
  tenant_id uuid primary key,
  environment text not null default 'sandbox' check (environment = 'sandbox'),
  -- Partner tokens of an earlier one have expired.
  token_epoch int not null default 0 check (token_epoch >= 0),
  foreign key (tenant_id, environment) references casenote.tenants (tenant_id, environment)
);
select casenote.isolate_by_tenant('casenote.sandbox_settings');
grant select, insert, update on casenote.sandbox_settings to casenote_app;
create trigger directory_changed after insert or update or delete on casenote.sandbox_settings
  for each statement execute function casenote.bump_directory_version();

-- How the next calls are answered: one at a time for a tenant.
create table casenote.sandbox_faults (
  tenant_id uuid primary key references casenote.sandbox_settings,
  status int not null check (status in (429, 500, 503)),
  asked int not null check (asked between 1 and 100),
  remaining int not null check (remaining between 0 and asked),
  -- Of the path behind /v2; empty: every one.
  path_prefix text not null,
  created_at timestamptz not null default now()
) with (fillfactor = 50);
select casenote.isolate_by_tenant('casenote.sandbox_faults');
grant select, insert, update, delete on casenote.sandbox_faults to casenote_app;
-- Every process hears that there is something to take, and that there is nothing more; not of each that is taken.
create trigger directory_changed after insert or delete on casenote.sandbox_faults
  for each statement execute function casenote.bump_directory_version();
create trigger directory_used_up after update on casenote.sandbox_faults
  for each row when (new.remaining = 0) execute function casenote.bump_directory_version();
