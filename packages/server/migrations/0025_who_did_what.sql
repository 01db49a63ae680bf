-- Who did what: from where, under which name, and who signed a note (decision 0022).

-- As the entries that they become: `actor.as` and `actor.from`.
alter table casenote.audit_pending
  -- The name that an operator gave with --as. Nobody proves it; the operating system's user is in actor_id.
  add column actor_as text check (length(actor_as) between 1 and 200),
  -- The network address, sealed with a key that follows from the tenant's audit key.
  add column actor_from text check (length(actor_from) <= 200);

alter table casenote.progress_notes
  add column signed_by_kind text check (signed_by_kind in ('clinician', 'partner')),
  add column signed_by_id uuid,
  add check ((signed_by_kind is null) = (signed_by_id is null)),
  -- Null for notes that were finalized before, where the audit log does not tell.
  add check (signed_by_kind is null or status = 'finalized');

-- Of notes that are finalized already the audit log knows it: one look by its index for each.
update casenote.progress_notes n
set signed_by_kind = known.kind, signed_by_id = known.id::uuid
from (
  select s.tenant_id, s.note_id, s.actor ->> 'kind' as kind, s.actor ->> 'id' as id
  from (
    select f.tenant_id, f.note_id, coalesce(
      (select e.body::json -> 'actor' from casenote.audit_entries e
        where e.subject_ids @> array[f.progress_note_id] and e.tenant_id = f.tenant_id
          and e.body like '%"operation":"progressNote.finalize"%'
        limit 1),
      (select json_build_object('kind', p.actor_kind, 'id', p.actor_id) from casenote.audit_pending p
        where p.tenant_id = f.tenant_id and p.operation = 'progressNote.finalize'
          and p.subject_ids @> array[f.progress_note_id]
        limit 1)) as actor
    from casenote.progress_notes f where f.status = 'finalized'
  ) s
) known
where n.tenant_id = known.tenant_id and n.note_id = known.note_id
  and known.kind in ('clinician', 'partner') and known.id is not null;
