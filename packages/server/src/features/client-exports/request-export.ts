import { enqueueJob } from '../../jobs/enqueue-job.js'
import { recordChange, type ChangeSource } from '../../kernel/audit/index.js'
import type { Tx } from '../../kernel/db/database.js'
import { newId, type ClientId } from '../../kernel/ids.js'
import { lockClient } from '../clients/index.js'
import {
  deleteOldExports,
  insertExport,
  selectExportUnderWay,
  type ClientExportRow,
} from './client-exports.sql.js'

/** Has a worker prepare the file. Asked again while it does, it is the same export: one of a client is prepared at a time. */
export async function requestExport(tx: Tx, clientId: ClientId, by: ChangeSource): Promise<ClientExportRow> {
  const { tenant } = tx
  await tx.run(lockClient(tenant, clientId))
  const [underWay] = await tx.run(selectExportUnderWay(tenant, clientId))
  const exportId = underWay?.exportId ?? newId()
  await recordChange(tx, { ...by, operation: 'clientExport.create', subjects: [clientId, exportId] })
  if (underWay !== undefined) return underWay
  await tx.run(deleteOldExports(tenant, clientId))
  const [row] = await tx.run(insertExport(tenant, exportId, clientId))
  if (row === undefined) throw new Error('an export was not kept')
  await enqueueJob(tx, 'export_client', exportId)
  return row
}
