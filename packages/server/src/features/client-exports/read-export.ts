import type { ClientExport } from '@casenote/contract'
import type { Database } from '../../kernel/db/database.js'
import { isId, type ExportId } from '../../kernel/ids.js'
import type { TenantScope } from '../../kernel/tenant.js'
import { selectExport, type ClientExportRow } from './client-exports.sql.js'

export async function findExport(
  db: Database,
  tenant: TenantScope,
  exportId: ExportId,
): Promise<ClientExportRow | null> {
  if (!isId(exportId)) return null
  const [row] = await db.read(tenant, selectExport(tenant, exportId))
  return row ?? null
}

export const describeExport = (row: ClientExportRow): ClientExport => ({
  id: row.exportId,
  clientId: row.clientId,
  status: row.isExpired ? 'expired' : row.status,
  sizeBytes: row.sizeBytes,
  createdAt: row.createdAt.toISOString(),
  readyAt: row.status === 'ready' ? (row.endedAt?.toISOString() ?? null) : null,
  expiresAt: row.expiresAt?.toISOString() ?? null,
})
