import type { Statement } from '../../kernel/db/database.js'
import { tenantNow } from '../../kernel/db/tenant-clock.sql.js'
import type { BlobId, ClientId, ExportId } from '../../kernel/ids.js'
import type { TenantScope } from '../../kernel/tenant.js'

export interface ClientExportRow {
  exportId: ExportId
  clientId: ClientId
  status: 'preparing' | 'ready' | 'failed'
  isExpired: boolean
  blobId: BlobId | null
  sizeBytes: number | null
  createdAt: Date
  endedAt: Date | null
  expiresAt: Date | null
}

const exportColumns = `export_id as "exportId", client_id as "clientId", status,
  coalesce(expires_at <= ${tenantNow}, false) as "isExpired", blob_id as "blobId", size_bytes as "sizeBytes",
  created_at as "createdAt", ended_at as "endedAt", expires_at as "expiresAt"`

export const selectExport = (tenant: TenantScope, exportId: ExportId): Statement<ClientExportRow> => ({
  name: 'select_client_export',
  text: `select ${exportColumns} from casenote.client_exports where tenant_id = $1 and export_id = $2`,
  values: [tenant.tenantId, exportId],
})

export const selectExportUnderWay = (
  tenant: TenantScope,
  clientId: ClientId,
): Statement<ClientExportRow> => ({
  text: `select ${exportColumns} from casenote.client_exports
    where tenant_id = $1 and client_id = $2 and status = 'preparing'`,
  values: [tenant.tenantId, clientId],
})

export const insertExport = (
  tenant: TenantScope,
  exportId: ExportId,
  clientId: ClientId,
): Statement<ClientExportRow> => ({
  text: `insert into casenote.client_exports (tenant_id, export_id, client_id) values ($1, $2, $3)
    returning ${exportColumns}`,
  values: [tenant.tenantId, exportId, clientId],
})

/** Each says only that there was one, and the audit log says so for longer. Under a legal hold it says whose a kept file is. */
export const deleteOldExports = (tenant: TenantScope, clientId: ClientId): Statement => ({
  text: `delete from casenote.client_exports
    where tenant_id = $1 and client_id = $2 and status <> 'preparing' and created_at < now() - interval '30 days'
      and not casenote.is_held($1, $2)`,
  values: [tenant.tenantId, clientId],
})

/** Gives the file of the attempt before. No row: it is not prepared any more. */
export const beginFile = (
  tenant: TenantScope,
  exportId: ExportId,
  blobId: BlobId,
): Statement<{ formerBlobId: BlobId | null }> => ({
  text: `update casenote.client_exports e set blob_id = $3
    from (select blob_id from casenote.client_exports where tenant_id = $1 and export_id = $2 for update) old
    where e.tenant_id = $1 and e.export_id = $2 and e.status = 'preparing' returning old.blob_id as "formerBlobId"`,
  values: [tenant.tenantId, exportId, blobId],
})

/** Compare and set. */
export const completeExport = (
  tenant: TenantScope,
  exportId: ExportId,
  file: { blobId: BlobId; sizeBytes: number; keepDays: number },
): Statement => ({
  text: `update casenote.client_exports set status = 'ready', blob_id = $3, size_bytes = $4, ended_at = now(),
      expires_at = ${tenantNow} + make_interval(days => $5)
    where tenant_id = $1 and export_id = $2 and status = 'preparing' returning client_id as "clientId"`,
  values: [tenant.tenantId, exportId, file.blobId, file.sizeBytes, file.keepDays],
})

export const failExport = (
  tenant: TenantScope,
  exportId: ExportId,
): Statement<{ blobId: BlobId | null }> => ({
  text: `update casenote.client_exports set status = 'failed', ended_at = now()
    where tenant_id = $1 and export_id = $2 and status = 'preparing' returning blob_id as "blobId"`,
  values: [tenant.tenantId, exportId],
})

/** Those before the newest: one file of a client is kept. */
export const expireOthers = (
  tenant: TenantScope,
  { clientId, exportId }: { clientId: ClientId; exportId: ExportId },
): Statement<{ blobId: BlobId }> => ({
  text: `update casenote.client_exports set expires_at = ${tenantNow}
    where tenant_id = $1 and client_id = $2 and export_id <> $3 and status = 'ready' and expires_at > ${tenantNow}
    returning blob_id as "blobId"`,
  values: [tenant.tenantId, clientId, exportId],
})
