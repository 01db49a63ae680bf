import type { Statement } from '../db/database.js'
import type { TenantScope } from '../tenant.js'

/** One state of the log for the whole check, however long the service goes on writing beside it. */
export const freezeSnapshot = (): Statement => ({
  text: 'set transaction isolation level repeatable read, read only',
  values: [],
})

export interface EntryRow {
  writerId: string
  seq: number
  keyVersion: number
  subjects: string
  body: string
  hash: string
}

/**
 * Cursors and not pages by key: who can drop the primary key can add an entry twice, and the second of two equal keys
 * must not fall between two pages.
 */
export const openEntries = (tenant: TenantScope): Statement => ({
  text: `declare audit_pages no scroll cursor for
    select writer_id as "writerId", seq, key_version as "keyVersion", subject_ids::text as subjects, body,
      encode(hash, 'hex') as hash
    from casenote.audit_entries where tenant_id = $1 order by writer_id, seq`,
  values: [tenant.tenantId],
})

export const openCheckpoints = (tenant: TenantScope): Statement => ({
  text: `declare audit_pages no scroll cursor for
    select number, key_version as "keyVersion", body, encode(signature, 'hex') as signature
    from casenote.audit_checkpoints where tenant_id = $1 order by number`,
  values: [tenant.tenantId],
})

export const openHeads = (tenant: TenantScope): Statement => ({
  text: `declare audit_pages no scroll cursor for
    select writer_id as "writerId", seq, encode(hash, 'hex') as hash, is_covered as "isCovered"
    from casenote.audit_heads where tenant_id = $1 order by writer_id`,
  values: [tenant.tenantId],
})

/** 5,000 entries are some 2 MB. */
export const pageMax = 5_000
/** The next page of what was opened: its rows are those of that statement. */
export const fetchPage = <Row>(): Statement<Row> => ({
  text: `fetch ${pageMax} from audit_pages`,
  values: [],
})
export const closePages = (): Statement => ({ text: 'close audit_pages', values: [] })

export const countPending = (tenant: TenantScope): Statement<{ pending: number }> => ({
  text: 'select count(*)::int8 as pending from casenote.audit_pending where tenant_id = $1',
  values: [tenant.tenantId],
})
