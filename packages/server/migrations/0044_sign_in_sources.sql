-- Who asks for codes runs into limits of their own network; whoever signed in from there before is told from a stranger by it.

alter table casenote.sign_in_codes
  -- Of the network that asked, keyed; null in rows from before.
  add column source_hash bytea check (octet_length(source_hash) = 32),
  -- This very code was typed; one that another made void is used as well.
  add column redeemed_at timestamptz;
create index sign_in_codes_redeemed on casenote.sign_in_codes (tenant_id, source_hash, email_hash)
  where redeemed_at is not null;

-- What was redeemed is kept longer, for the networks that it tells.
grant create on schema casenote to casenote_door;
create or replace function casenote.purge_sign_in_codes(before timestamptz, most int) returns int
language sql security definer set search_path = '' as $$
  with purged as (
    delete from casenote.sign_in_codes c using (
      select o.tenant_id, o.sign_in_id from casenote.sign_in_codes o
      where o.asked_at < before and (o.redeemed_at is null or o.redeemed_at < before - interval '29 days')
      limit most) old
    where c.tenant_id = old.tenant_id and c.sign_in_id = old.sign_in_id
    returning 1
  )
  select count(*)::int from purged
$$;
revoke create on schema casenote from casenote_door;
