import type { PartnerPatch } from '@casenote/contract'
import { recordChange, type AuditEntry } from '../../kernel/audit/index.js'
import type { Tx } from '../../kernel/db/database.js'
import { findTargetProblem } from '../../kernel/guarded-fetch/target-rules.js'
import { refuse } from '../../kernel/refuse.js'
import type { Environment } from '../../kernel/tenant.js'
import { setPrimaryUrl } from '../webhooks/index.js'

export async function changePartner(
  tx: Tx,
  targets: Environment,
  patch: PartnerPatch,
  audit: Pick<AuditEntry, 'actor' | 'requestId'>,
): Promise<void> {
  if (patch.callbackUrl === undefined) return
  requireCallable(patch.callbackUrl, targets)
  await setPrimaryUrl(tx, patch.callbackUrl)
  await recordChange(tx, { ...audit, operation: 'partner.change', subjects: [tx.tenant.tenantId] })
}

function requireCallable(url: string | null, targets: Environment): void {
  const problem = url === null ? null : findTargetProblem(new URL(url), targets)
  if (problem !== null) throw refuse.invalid([`callbackUrl ${problem}`])
}
