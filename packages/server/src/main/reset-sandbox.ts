import { recordChange } from '../kernel/audit/index.js'
import type { Database, Statement } from '../kernel/db/database.js'
import { DatabaseFault } from '../kernel/db/db-errors.js'
import { operator } from '../kernel/operator.js'
import type { TenantScope } from '../kernel/tenant.js'
import {
  deleteSome,
  forgetOpenUploads,
  giveUpBlobs,
  loosenSome,
  selectAnyHold,
  selectTenantTables,
  type TableRow,
} from './reset-sandbox.sql.js'
import { provisionPractices, type SandboxIds } from './sandbox-practices.js'

/**
 * What stays: the partner and its credentials, what they were sealed with, its people in the console, who did and called
 * what, and the recordings' parts until a worker has deleted their bytes. Of a sandbox's settings, which of its tokens were
 * expired.
 */
export const keptTables: ReadonlySet<string> = new Set([
  'api_keys',
  'audit_checkpoints',
  'audit_entries',
  'audit_heads',
  'audit_pending',
  'blob_parts',
  'blobs',
  'client_secrets',
  'console_links',
  'console_passkeys',
  'console_sessions',
  'console_users',
  'erasures',
  'key_rotations',
  'limit_buckets',
  'request_days',
  'request_logs',
  'sandbox_settings',
  'tenant_keys',
  'tenant_retention',
  'tenant_usage',
  'tenants',
  'usage_days',
])

/** A statement of so many rows ends well within its time, also where nothing leads to the rows that point to them. */
const rowsMost = 1_000

/** Somebody who goes on using the sandbox adds rows behind us; more than a few times nobody does by accident. */
const passesMax = 10

/** SQLSTATE of a row that another one still points to. */
const stillPointedTo = '23503'

type Report = (fraction: number) => void

/**
 * Empties a sandbox and fills it anew. Killed at any moment and run again it ends the same: what was deleted stays deleted,
 * and the filling is one transaction. `keep` is told the new ids before they are committed.
 */
export async function resetSandbox(
  owner: Database,
  tenant: TenantScope,
  { keep, report }: { keep: (ids: SandboxIds) => Promise<void>; report: Report },
): Promise<SandboxIds> {
  const [hold] = await owner.read(tenant, selectAnyHold(tenant))
  if (hold !== undefined)
    throw new Error('a client of the sandbox is under a legal hold: lift it first (casenote legal-hold list)')
  const tables = orderTables(await owner.throughDoor(selectTenantTables()))
  let isEmpty = false
  for (let pass = 0; pass < passesMax && !isEmpty; pass += 1)
    isEmpty = await emptyOnce(owner, tenant, tables, report)
  if (!isEmpty) throw new Error('the sandbox is in use: stop what calls it, and run this again')
  return owner.write(tenant, async (tx) => {
    const ids = await provisionPractices(tx)
    await recordChange(tx, { ...operator, operation: 'sandbox.reset', subjects: [tenant.tenantId] })
    await keep(ids)
    return ids
  })
}

/** Whether there was nothing left to delete. */
async function emptyOnce(
  owner: Database,
  tenant: TenantScope,
  tables: readonly string[],
  report: Report,
): Promise<boolean> {
  let hasFound = false
  const repeat = async (statement: Statement<{ count: number }>): Promise<void> => {
    for (;;) {
      const [row] = await owner.write(tenant, (tx) => tx.run(statement))
      if ((row?.count ?? 0) > 0) hasFound = true
      if ((row?.count ?? 0) < rowsMost) return
    }
  }
  await repeat(giveUpBlobs(tenant, rowsMost))
  for (const statement of loosenSome(tenant, rowsMost)) await repeat(statement)
  for (const [index, table] of tables.entries()) {
    report(index / tables.length)
    try {
      await repeat(deleteSome(tenant, table, rowsMost))
    } catch (error) {
      if (!(error instanceof DatabaseFault) || error.code !== stillPointedTo) throw error
      hasFound = true
    }
  }
  await owner.write(tenant, (tx) => tx.run(forgetOpenUploads(tenant)))
  report(1)
  return !hasFound
}

/** Rows that point to others before those. */
export function orderTables(rows: readonly TableRow[]): string[] {
  const names = new Set(rows.map(({ name }) => name).filter((name) => !keptTables.has(name)))
  const pointsTo = new Map(rows.map((row) => [row.name, row.pointsTo]))
  const ordered: string[] = []
  const seen = new Set<string>()
  const visit = (name: string): void => {
    if (seen.has(name) || !names.has(name)) return
    seen.add(name)
    for (const other of pointsTo.get(name) ?? []) visit(other)
    ordered.push(name)
  }
  for (const name of names) visit(name)
  return ordered.toReversed()
}
