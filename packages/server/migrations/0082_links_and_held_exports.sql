-- A linked session that is tried again goes on in another one, which is then the one that is linked (decision 0051).
-- Programs from schema 74 on run with it.
grant update (session_id) on casenote.session_links to casenote_app;

-- As before, but under a legal hold the bytes of a file of before it stay: it may say what had gone since (decision 0042). Nobody gets it, for
-- it ends. Whatever deletes a file asks for a hold; this did not, since whoever ended exports was refused under one, but for who puts a session
-- under another client.
create or replace function casenote.end_exports(of_tenant uuid, of_client uuid) returns uuid[]
language plpgsql set search_path = '' as $$
declare
  files uuid[];
begin
  update casenote.jobs j set status = 'done', due_at = null, leased_until = null, ended_at = now()
    where j.tenant_id = of_tenant and j.kind = 'export_client' and j.status in ('waiting', 'running') and j.subject_id in (
      select e.export_id from casenote.client_exports e
      where e.tenant_id = of_tenant and e.client_id = of_client and e.status = 'preparing');
  update casenote.client_exports e set status = 'failed', ended_at = now()
    where e.tenant_id = of_tenant and e.client_id = of_client and e.status = 'preparing';
  update casenote.client_exports e set expires_at = casenote.tenant_now(of_tenant)
    where e.tenant_id = of_tenant and e.client_id = of_client and e.status = 'ready' and e.expires_at > casenote.tenant_now(of_tenant);
  select coalesce(array_agg(b.blob_id), '{}') into files from casenote.blobs b
    where b.tenant_id = of_tenant and b.status <> 'deleted' and b.blob_id in (
      select e.blob_id from casenote.client_exports e where e.tenant_id = of_tenant and e.client_id = of_client)
      and not casenote.is_blob_held(of_tenant, b.blob_id);
  update casenote.blobs b set status = 'deleting', deletion_reason = 'requested', delete_after = now()
    where b.tenant_id = of_tenant and b.blob_id = any (files) and b.status in ('open', 'complete');
  return files;
end $$;
