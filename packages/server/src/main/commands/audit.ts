import { Option, type Command } from 'commander'
import { findClientAnywhere } from '../../features/clients/index.js'
import { findClinicianAnywhere } from '../../features/clinicians/index.js'
import {
  anchorFile,
  readAnchors,
  verifyAudit,
  type TenantVerifyReport,
  type VerifyReport,
} from '../../kernel/audit/index.js'
import { isId, type TenantId } from '../../kernel/ids.js'
import { readTenantKeys } from '../../kernel/secrets/tenant-keys.js'
import type { TenantScope } from '../../kernel/tenant.js'
import { REPORT_FORMATS, type ReportFormat } from '../audit-report/format-report.js'
import { runReport } from '../audit-report/run-report.js'
import { listTenants } from './keys.js'
import { asOperator, type OperatorSession } from './operator-session.js'
import { getTenantBy } from './organization.js'
import { parseTime } from './parse-time.js'
import { getTenant } from './partner.js'
import { print } from './print.js'

export function addAuditCommands(program: Command): void {
  const audit = program.command('audit').description('the tamper-evident log of every read and change')
  audit
    .command('verify')
    .description('recompute every chain and checkpoint; exits 1 when something was tampered with')
    .option('--partner <id>', 'one partner; all without it')
    .option('--anchors <file>', 'the anchor file, when it is not the one in the data folder')
    .option('--json', 'print JSON')
    .action(async ({ partner, anchors: file, json }: { partner?: string; anchors?: string; json?: true }) => {
      let lookedAt = ''
      const report = await asOperator(
        async (session) => {
          const { owner, masterKeys, config } = session
          lookedAt = file ?? anchorFile(config.dataDir)
          const anchors = await readAnchors(lookedAt)
          const known = partner === undefined ? await listTenants(session) : [await getTenant(owner, partner)]
          const tenantIds = new Set(known.map(({ tenantId }) => tenantId))
          // A partner that was deleted from the database is still in the anchors.
          if (partner === undefined) for (const tenantId of anchors?.keys() ?? []) tenantIds.add(tenantId)
          return verifyAudit({
            db: owner,
            keys: { get: (tenant) => readTenantKeys(owner, masterKeys, tenant) },
            anchors,
            tenantIds: [...tenantIds],
            onProgress: ({ tenantId, entries }) => showProgress(tenantId, entries),
          })
        },
        { isUnhurried: true },
      )
      if (!report.isIntact) process.exitCode = 1
      const lines = [...report.tenants.flatMap(describeTenant), ...describeAnchors(report, lookedAt)]
      print(json === true, report, [...lines, verdicts[report.verdict]])
    })
  addReportCommand(audit)
}

interface ReportOptions {
  client?: string
  clinician?: string
  partner?: string
  since?: Date
  until?: Date
  format: ReportFormat
  output?: string
}

function addReportCommand(audit: Command): void {
  audit
    .command('report')
    .description('who saw and changed what, when and from where, oldest first; the report is recorded too')
    .option('--client <id>', 'what concerns a client')
    .option('--clinician <id>', 'what concerns a clinician, or was done by them')
    .option('--partner <id>', 'all of a partner; needed where neither client nor clinician is named')
    .option('--since <time>', 'from then on, as 2026-11-15T09:00Z', parseTime)
    .option('--until <time>', 'before then', parseTime)
    .addOption(new Option('--format <format>', 'how it is printed').choices(REPORT_FORMATS).default('table'))
    .option('--output <file>', 'a new file, which has its name only when the report in it is whole')
    .action((options: ReportOptions) =>
      asOperator(async (session) => {
        const tenant = await findReported(session, options)
        const { client, clinician, since, until, format, output } = options
        const filter = {
          clientId: client ?? null,
          clinicianId: clinician ?? null,
          since: since?.toISOString() ?? null,
          until: until?.toISOString() ?? null,
        }
        await runReport(session, tenant, filter, { format, file: output ?? null })
      }),
    )
}

/** A record that was deleted still has its entries: then the partner is named as well. */
async function findReported({ owner }: OperatorSession, options: ReportOptions): Promise<TenantScope> {
  const { client, clinician, partner } = options
  for (const id of [client, clinician]) {
    if (id !== undefined && !isId(id)) throw new Error(`${id} is no id`)
  }
  if (partner !== undefined) return getTenant(owner, partner)
  if (client !== undefined) return getTenantBy(owner, 'client', findClientAnywhere, client)
  if (clinician !== undefined) return getTenantBy(owner, 'clinician', findClinicianAnywhere, clinician)
  throw new Error('name a client, a clinician or a partner: --client, --clinician, --partner')
}

function showProgress(tenantId: TenantId, entries: number): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${tenantId}  ${entries} entries \u001b[K`)
}

const verdicts = {
  intact: 'The log is intact.',
  set_back:
    'The log was SET BACK: what it holds is intact, and its anchors know of more. A restore of an older backup does this; ' +
    'if there was none, its end was cut off.',
  tampered: 'The log was TAMPERED WITH.',
} as const

function describeAnchors({ tenants }: VerifyReport, file: string): string[] {
  const bare = tenants.filter(({ isAnchored }) => !isAnchored)
  if (bare.length === 0) return []
  const whose =
    bare.length === tenants.length ? 'any partner' : bare.map(({ tenantId }) => tenantId).join(', ')
  return [
    `There are NO ANCHORS of ${whose} in ${file}: that the end of a log was cut off, or that a backup was restored, ` +
      'cannot be seen. Run this where a worker writes them, or name the file with --anchors.',
  ]
}

function describeTenant(tenant: TenantVerifyReport): string[] {
  const { tenantId, entries, checkpoints, newestCheckpointAt, uncoveredEntries, pendingChanges, findings } =
    tenant
  const newest = newestCheckpointAt ?? 'never'
  return [
    `${tenantId}  ${entries} entries, ${checkpoints} checkpoints, newest ${newest}, ` +
      `${uncoveredEntries} entries and ${pendingChanges} changes not covered yet, ${tenant.findingCount} findings`,
    ...findings.map(({ message }) => `  ${message}`),
  ]
}
