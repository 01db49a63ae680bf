import type { Statement } from '../../kernel/db/database.js'
import type { BlobId } from '../../kernel/ids.js'
import type { TenantScope } from '../../kernel/tenant.js'
import type { SealedTable } from './sealed-columns.js'

/** How the version stands in a sealed value: bytes 2 to 5, big endian, so that bytes compare as numbers do. */
const versionBytes = (version: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(version)
  return bytes
}

export interface SealedRow {
  /** The place's row, and the values of its key as text. */
  key: string[]
  sealed: Buffer
}

const keyOf = ({ key }: SealedTable): string => key.map(({ column }) => column).join(', ')

/** Values that an older version sealed, in the order of their keys, behind the one that was seen last. */
export const selectSealedBefore = (
  tenant: TenantScope,
  of: SealedTable,
  column: string,
  { version, after, most }: { version: number; after: readonly string[] | null; most: number },
): Statement<SealedRow> => ({
  text: `select array[${of.key.map((one) => `${one.column}::text`).join(', ')}] as key, ${column} as sealed
    from casenote.${of.table}
    where tenant_id = $1 and substring(${column} from 2 for 4) < $2 ${
      after === null
        ? ''
        : `and (${keyOf(of)}) > (${of.key.map(({ type }, index) => `$${index + 4}::${type}`).join(', ')})`
    }
    order by ${keyOf(of)} limit $3`,
  values: [tenant.tenantId, versionBytes(version), most, ...(after ?? [])],
})

/** Compare and set: what somebody writes meanwhile is sealed with the newest key already. */
export const updateSealed = (
  tenant: TenantScope,
  of: SealedTable,
  column: string,
  row: SealedRow & { resealed: Buffer },
): Statement => ({
  text: `update casenote.${of.table} set ${column} = $3 where tenant_id = $1 and ${column} = $2
    and ${of.key.map((one, index) => `${one.column} = $${index + 4}::${one.type}`).join(' and ')}`,
  values: [tenant.tenantId, row.sealed, row.resealed, ...row.key],
})

export interface SealedPartRow {
  blobId: BlobId
  partNumber: number
  storedName: string
}

/** Not of blobs that are being deleted: their bytes may be gone. */
export const selectPartsBefore = (
  tenant: TenantScope,
  version: number,
  most: number,
): Statement<SealedPartRow> => ({
  text: `select p.blob_id as "blobId", p.part_number as "partNumber", p.stored_name as "storedName"
    from casenote.blob_parts p join casenote.blobs b on b.tenant_id = p.tenant_id and b.blob_id = p.blob_id
    where p.tenant_id = $1 and p.key_version < $2 and b.status in ('open', 'complete')
    order by p.blob_id, p.part_number limit $3`,
  values: [tenant.tenantId, version, most],
})

/** No row: the blob was deleted meanwhile. */
export const updatePart = (
  tenant: TenantScope,
  row: SealedPartRow & { newName: string; version: number },
): Statement => ({
  text: `update casenote.blob_parts set stored_name = $5, key_version = $6
    where tenant_id = $1 and blob_id = $2 and part_number = $3 and stored_name = $4 returning 1`,
  values: [tenant.tenantId, row.blobId, row.partNumber, row.storedName, row.newName, row.version],
})

export const selectDataKeyAge = (tenant: TenantScope): Statement<{ ageMs: number }> => ({
  text: `select extract(epoch from now() - max(created_at))::double precision * 1000 as "ageMs"
    from casenote.tenant_keys where tenant_id = $1 and purpose = 'data'`,
  values: [tenant.tenantId],
})

/** Older than any recording that a browser may still hold and that the service would take. */
export const deleteOutlivedDataKeys = (
  tenant: TenantScope,
  keepDays: number,
): Statement<{ version: number }> => ({
  text: `delete from casenote.tenant_keys where tenant_id = $1 and purpose = 'data'
    and retired_at < now() - $2 * interval '1 day' returning version`,
  values: [tenant.tenantId, keepDays],
})
