import type { Command } from 'commander'
import {
  anchorFile,
  readAnchors,
  verifyAudit,
  type TenantVerifyReport,
  type VerifyReport,
} from '../../kernel/audit/index.js'
import { readTenantKeys } from '../../kernel/secrets/tenant-keys.js'
import { listTenants } from './keys.js'
import { asOperator } from './operator-session.js'
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
      const report = await asOperator(async (session) => {
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
      })
      if (!report.isIntact) process.exitCode = 1
      const lines = [...report.tenants.flatMap(describeTenant), ...describeAnchors(report, lookedAt)]
      print(json === true, report, [...lines, verdicts[report.verdict]])
    })
}

function showProgress(tenantId: string, entries: number): void {
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
  const bare = tenants.filter(({ isAnchored, checkpoints }) => !isAnchored && checkpoints > 0)
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
