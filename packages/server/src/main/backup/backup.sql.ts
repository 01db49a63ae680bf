import type { DeletionReason } from '../../kernel/blobs/index.js'
import type { Statement } from '../../kernel/db/database.js'
import type { BlobId } from '../../kernel/ids.js'
import type { TenantScope } from '../../kernel/tenant.js'

/** Temporary: it keeps the log that the copy needs, and goes with its connection, however that ends. */
export const keepLog = (slot: string): Statement => ({
  text: 'select pg_create_physical_replication_slot($1, true, true)',
  values: [slot],
})

/** `fast`: a checkpoint at once instead of within minutes. */
export const beginCopy = (
  label: string,
): Statement<{ startLsn: string; folder: string; postgresql: number }> => ({
  text: `select pg_backup_start($1, fast => true)::text as "startLsn", current_setting('data_directory') as folder,
    current_setting('server_version_num')::int as postgresql`,
  values: [label],
})

export interface EndedCopy {
  stopLsn: string
  label: string
  firstLog: string
  lastLog: string
  logBytes: number
}

/** The log's file names are those of the timeline that the server is on; it does not change while it runs. */
export const endCopy = (startLsn: string): Statement<EndedCopy> => ({
  text: `select lsn::text as "stopLsn", labelfile as label,
      pg_walfile_name($1::pg_lsn) as "firstLog", pg_walfile_name(lsn) as "lastLog",
      pg_size_bytes(current_setting('wal_segment_size'))::int as "logBytes"
    from pg_backup_stop(wait_for_archive => false)`,
  values: [startLsn],
})

/** In a transaction the time of its beginning, which is before its snapshot. */
export const readClock = (): Statement<{ now: Date }> => ({
  text: 'select now() as now',
  values: [],
})

/** A server or a role may have some set. Those that an older server does not know are left out. */
export const liftTimeouts = (): Statement => ({
  text: `select set_config(name, '0', false) from pg_settings
    where name in ('statement_timeout', 'idle_in_transaction_session_timeout', 'idle_session_timeout', 'transaction_timeout')`,
  values: [],
})

/** One view of all tables, for as long as it is open. */
export const beginSnapshot = (): Statement => ({
  text: 'begin isolation level repeatable read read only',
  values: [],
})

export const exportSnapshot = (): Statement<{ snapshot: string; postgresql: number }> => ({
  text: `select pg_export_snapshot() as snapshot, current_setting('server_version_num')::int as postgresql`,
  values: [],
})

export interface StoredPart {
  blobId: BlobId
  partNumber: number
  storedName: string
  sizeBytes: number
}

/** In the order of their keys, behind the one that was seen last. Not of blobs that are being deleted: their bytes may be gone. */
export const selectStoredParts = (
  tenant: TenantScope,
  after: Pick<StoredPart, 'blobId' | 'partNumber'>,
  most: number,
): Statement<StoredPart> => ({
  text: `select p.blob_id as "blobId", p.part_number as "partNumber", p.stored_name as "storedName",
      p.size_bytes as "sizeBytes"
    from casenote.blob_parts p join casenote.blobs b on b.tenant_id = p.tenant_id and b.blob_id = p.blob_id
    where p.tenant_id = $1 and b.status in ('open', 'complete') and (p.blob_id, p.part_number) > ($2::uuid, $3::int)
    order by p.blob_id, p.part_number limit $4`,
  values: [tenant.tenantId, after.blobId, after.partNumber, most],
})

export const countStoredParts = (tenant: TenantScope): Statement<{ parts: number; bytes: number }> => ({
  text: `select count(*)::int as parts, coalesce(sum(p.size_bytes), 0)::bigint as bytes
    from casenote.blob_parts p where p.tenant_id = $1`,
  values: [tenant.tenantId],
})

/** No row: it was deleted, or sealed anew under another name. */
export const selectStoredPart = (tenant: TenantScope, part: StoredPart): Statement => ({
  text: `select 1 as known from casenote.blob_parts p
    join casenote.blobs b on b.tenant_id = p.tenant_id and b.blob_id = p.blob_id
    where p.tenant_id = $1 and p.blob_id = $2 and p.part_number = $3 and p.stored_name = $4
      and b.status in ('open', 'complete')`,
  values: [tenant.tenantId, part.blobId, part.partNumber, part.storedName],
})

export interface DeletedBlob {
  blobId: BlobId
  reason: DeletionReason
}

export const selectDeletedBlobs = (
  tenant: TenantScope,
  since: string,
  afterBlobId: BlobId,
  most: number,
): Statement<DeletedBlob> => ({
  text: `select blob_id as "blobId", coalesce(deletion_reason, 'requested') as reason from casenote.blobs
    where tenant_id = $1 and blob_id > $3::uuid
      and (status = 'deleting' or status = 'deleted' and deleted_at >= $2::timestamptz)
    order by blob_id limit $4`,
  values: [tenant.tenantId, since, afterBlobId, most],
})

/**
 * Who was signed in to the console, links to enrol there that may have been used since, and browsers in which a client gave their birth
 * date. Of the operator's people the tenant is zeros.
 */
export const endBrowserSessions = (tenant: TenantScope): Statement[] =>
  ['client_openings', 'console_sessions', 'console_links', 'operator_sessions', 'operator_links'].map(
    (table) => ({
      text: `delete from casenote.${table} where tenant_id = $1`,
      values: [tenant.tenantId],
    }),
  )

/** Changes nothing: there is a row of the installation, so what is told of it is recorded. */
export const touchInstallation = (): Statement => ({
  text: 'update casenote.installation set master_key_id = master_key_id returning 1 as told',
  values: [],
})

export const findSchema = (): Statement => ({
  text: "select 1 as found from pg_namespace where nspname = 'casenote'",
  values: [],
})

/** Names as they are written in a statement. */
export const listTables = (): Statement<{ name: string }> => ({
  text: `select quote_ident(relname) as name from pg_class
    where relnamespace = 'casenote'::regnamespace and relkind = 'r' order by relname`,
  values: [],
})

/** All columns of all rows, also those that are stored apart. `table` is of `listTables`. */
export const readTable = (table: string): Statement<{ rows: number }> => ({
  text: `select count(*) as rows, sum(octet_length(t::text)) as characters from casenote.${table} t`,
  values: [],
})

/**
 * What the tables need and a dump of one schema does not bring. A function can be given to a role only if that may create in the
 * schema, which the dump makes: so whatever schema the owner makes lets it, until the dump is in.
 */
export const beforeLoading = (): Statement[] =>
  [
    'create extension if not exists pg_trgm with schema public',
    'alter default privileges grant create on schemas to casenote_door',
  ].map((text) => ({ text, values: [] }))

export const afterLoading = (): Statement[] =>
  [
    'alter default privileges revoke create on schemas from casenote_door',
    `do $$ begin
      if exists (select from pg_namespace where nspname = 'casenote') then
        revoke create on schema casenote from casenote_door;
      end if;
    end $$`,
  ].map((text) => ({ text, values: [] }))
