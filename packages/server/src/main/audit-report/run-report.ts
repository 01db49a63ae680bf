import { recordChange, reportAudit, type ReportFilter, type ReportedEntry } from '../../kernel/audit/index.js'
import { operator } from '../../kernel/operator.js'
import { readTenantKeys } from '../../kernel/secrets/tenant-keys.js'
import type { TenantScope } from '../../kernel/tenant.js'
import type { OperatorSession } from '../commands/operator-session.js'
import { writeResult, type WriteText } from '../commands/write-result.js'
import { countEntries, makeReportWriter, type ReportFormat } from './format-report.js'

export interface ReportOutput {
  format: ReportFormat
  /** Null: standard output. */
  file: string | null
}

/** Who asks for it is recorded first: a report shows whose data was looked at. */
export async function runReport(
  { owner, masterKeys }: OperatorSession,
  tenant: TenantScope,
  filter: ReportFilter,
  { format, file }: ReportOutput,
): Promise<void> {
  await writeResult(file, async (write) => {
    const named = [filter.clientId, filter.clinicianId].filter((id) => id !== null)
    const subjects = named.length > 0 ? named : [tenant.tenantId]
    await owner.write(tenant, (tx) => recordChange(tx, { ...operator, operation: 'audit.report', subjects }))
    const ring = await readTenantKeys(owner, masterKeys, tenant)
    await printReport(reportAudit({ db: owner, ring, filter, onProgress: showProgress }), format, write)
  })
}

/** Pieces gathered for one write; more would only wait in memory for whoever reads. */
const chunkChars = 64 * 1024

export async function printReport(
  entries: AsyncIterable<ReportedEntry>,
  format: ReportFormat,
  write: WriteText,
): Promise<void> {
  const writer = makeReportWriter(format)
  let text = writer.begin()
  let count = 0
  try {
    for await (const entry of entries) {
      text += writer.entry(entry)
      count += 1
      if (text.length < chunkChars) continue
      await write(text)
      text = ''
    }
    await write(text + writer.end(count))
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    throw new Error(`the report is NOT whole, it was cut short after ${countEntries(count)}: ${message}`, {
      cause: error,
    })
  }
}

function showProgress(looked: number): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${looked} entries looked at\u001B[K\r`)
}
