import type { Statement } from '../kernel/db/database.js'
import type { TenantScope } from '../kernel/tenant.js'

/** Each table with those that its rows point to, itself left out. */
export interface TableRow {
  name: string
  pointsTo: string[]
}

/** From the catalogue, so that a table that is new is emptied, too. */
export const selectTenantTables = (): Statement<TableRow> => ({
  text: `select c.relname as name, array(
      select distinct o.relname::text from pg_constraint k join pg_class o on o.oid = k.confrelid
      where k.contype = 'f' and k.conrelid = c.oid and k.confrelid <> c.oid) as "pointsTo"
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped
    where c.relnamespace = 'casenote'::regnamespace and c.relkind in ('r', 'p') order by c.relname`,
  values: [],
})

export const selectAnyHold = (tenant: TenantScope): Statement => ({
  text: 'select from casenote.legal_holds where tenant_id = $1 and lifted_at is null limit 1',
  values: [tenant.tenantId],
})

/** `table` is a name of the catalogue. Gives how many there were, `most` at the most. */
export const deleteSome = (
  tenant: TenantScope,
  table: string,
  most: number,
): Statement<{ count: number }> => ({
  text: `with gone as (
      delete from casenote.${table} where tenant_id = $1 and ctid = any(array(
        select ctid from casenote.${table} where tenant_id = $1 limit $2)) returning 1)
    select count(*)::int as count from gone`,
  values: [tenant.tenantId, most],
})

/** Rows that point to others of their own table, or in a circle: none could go before the other. */
const loose = [
  ['sessions', 'retry_of'],
  ['clinicians', 'supervisor_id'],
  ['progress_notes', 'active_generation_id'],
] as const

export const loosenSome = (tenant: TenantScope, most: number): Statement<{ count: number }>[] =>
  loose.map(([table, column]) => ({
    text: `with loosened as (
        update casenote.${table} set ${column} = null where tenant_id = $1 and ctid = any(array(
          select ctid from casenote.${table} where tenant_id = $1 and ${column} is not null limit $2)) returning 1)
      select count(*)::int as count from loosened`,
    values: [tenant.tenantId, most],
  }))

/** The bytes are a worker's to delete; whose they were is gone by then. */
export const giveUpBlobs = (tenant: TenantScope, most: number): Statement<{ count: number }> => ({
  text: `with given_up as (
      update casenote.blobs set status = case when status = 'deleted' then status else 'deleting' end,
        deletion_reason = case when status in ('open', 'complete') then 'requested' else deletion_reason end,
        delete_after = case when status = 'deleted' then delete_after else least(delete_after, now()) end, clinician_id = null
      where tenant_id = $1 and ctid = any(array(
        select ctid from casenote.blobs where tenant_id = $1
          and (status in ('open', 'complete') or clinician_id is not null or status = 'deleting' and delete_after > now())
        limit $2)) returning 1)
    select count(*)::int as count from given_up`,
  values: [tenant.tenantId, most],
})

export const forgetOpenUploads = (tenant: TenantScope): Statement => ({
  text: 'update casenote.tenant_usage set open_uploads = 0 where tenant_id = $1',
  values: [tenant.tenantId],
})
