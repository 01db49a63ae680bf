import type { FaultStatus, SandboxFault, SandboxFaultRequest } from '@casenote/contract'
import { recordChange, type ChangeSource } from '../../kernel/audit/index.js'
import type { Database, Tx } from '../../kernel/db/database.js'
import type { TenantScope } from '../../kernel/tenant.js'
import { requireTurn } from './require-turn.js'
import { deleteFault, replaceFault, selectFault, takeFault, type FaultRow } from './sandbox.sql.js'

/** Instead of the one before. */
export async function provokeFaults(
  tx: Tx,
  { status, count, pathPrefix }: SandboxFaultRequest,
  source: ChangeSource,
): Promise<SandboxFault> {
  await requireTurn(tx, 'provoked_at')
  const [row] = await tx.run(replaceFault(tx.tenant, { status, asked: count, pathPrefix: pathPrefix ?? '' }))
  if (row === undefined) throw new Error('a fault was not kept')
  await recordChange(tx, { ...source, operation: 'sandbox.provokeFaults', subjects: [tx.tenant.tenantId] })
  return toFault(row)
}

export async function endFaults(tx: Tx, source: ChangeSource): Promise<void> {
  await tx.run(deleteFault(tx.tenant))
  await recordChange(tx, { ...source, operation: 'sandbox.endFaults', subjects: [tx.tenant.tenantId] })
}

export async function findFault(db: Database, tenant: TenantScope): Promise<SandboxFault | null> {
  const [row] = await db.read(tenant, selectFault(tenant))
  return row === undefined ? null : toFault(row)
}

/** For a call that is at the door, if there was something to take when the directory was last heard. */
export async function takeSandboxFault(
  db: Database,
  { tenantId }: TenantScope,
  path: string,
): Promise<FaultStatus | null> {
  const tenant = { tenantId }
  const [taken] = await db.writeAtOnce(tenant, takeFault(tenant, path))
  return taken?.status ?? null
}

const toFault = ({ status, asked, remaining, pathPrefix, createdAt }: FaultRow): SandboxFault => ({
  status,
  count: asked,
  remaining,
  pathPrefix: pathPrefix === '' ? null : pathPrefix,
  createdAt: createdAt.toISOString(),
})
