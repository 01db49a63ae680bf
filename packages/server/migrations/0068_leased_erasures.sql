-- Whoever carries out an erasure has it for so long without news (decision 0042): two workers do not take the same one.
alter table casenote.erasures add column leased_until timestamptz, add column lease_id uuid;
grant update (leased_until, lease_id) on casenote.erasures to casenote_app;
-- A partner asks again for what a restore has carried out.
create index erasures_of_restores on casenote.erasures (tenant_id, subject_id, seq) where asked_by = 'restore';

grant create on schema casenote to casenote_door;
create or replace function casenote.list_unfinished_erasures(after_seconds int, most int) returns table (tenant_id uuid, erasure_id uuid)
language sql security definer set search_path = '' as $$
  select e.tenant_id, e.erasure_id from casenote.erasures e
  where e.status = 'deleting' and (e.asked_by = 'partner' or e.asked_at <= now() - make_interval(secs => after_seconds))
    and (e.leased_until is null or e.leased_until <= now())
  order by row_number() over (partition by e.tenant_id order by e.asked_at, e.erasure_id), e.asked_at limit most
$$;
revoke create on schema casenote from casenote_door;

-- As before, and `full`: all partners share one key store, in which each erasure stays for good. Of its 256 MB what one asks for takes no more than
-- some 70; the operator may go on, whose own do not count.
create or replace function casenote.ask_erasure(erasure uuid, of_kind text, subject uuid, asked uuid, signed_notes boolean) returns text
language plpgsql security definer set search_path = '' as $$
declare
  tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
  of_client uuid;
  most_of_a_day constant int := 1000;
  most_of_all constant int := 20000;
begin
  if not exists (select from casenote.tenants t where t.tenant_id = tenant and t.partner_erasure) then return 'not_allowed'; end if;
  if (select count(*) from (select e.asked_at from casenote.erasures e where e.tenant_id = tenant order by e.seq desc limit most_of_a_day) newest
    where newest.asked_at > now() - interval '1 day') >= most_of_a_day then return 'too_many'; end if;
  if (select count(*) from (select from casenote.erasures e where e.tenant_id = tenant and e.asked_by = 'partner' limit most_of_all) known) >= most_of_all
    then return 'full'; end if;
  of_client := case of_kind
    when 'client' then (select c.client_id from casenote.clients c where c.tenant_id = tenant and c.client_id = subject)
    when 'draft' then (select s.client_id from casenote.progress_notes n
      join casenote.sessions s on s.tenant_id = n.tenant_id and s.session_id = n.session_id
      where n.tenant_id = tenant and n.note_id = subject)
    else (select s.client_id from casenote.sessions s where s.tenant_id = tenant and s.session_id = subject) end;
  if of_client is null then raise exception 'there is nothing to erase'; end if;
  insert into casenote.erasures (tenant_id, erasure_id, kind, subject_id, client_id, asked_by, with_signed_notes, asked_id)
    values (tenant, erasure, of_kind, subject, of_client, 'partner', signed_notes and of_kind in ('client', 'session'), asked);
  return null;
end $$;
