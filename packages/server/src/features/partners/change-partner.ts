import type { PartnerPatch } from '@casenote/contract'
import { recordChange, type AuditEntry } from '../../kernel/audit/index.js'
import type { Tx } from '../../kernel/db/database.js'
import { findTargetProblem } from '../../kernel/guarded-fetch/target-rules.js'
import { refuse } from '../../kernel/refuse.js'
import type { Environment } from '../../kernel/tenant.js'
import { setPrimaryEndpoint } from '../webhooks/index.js'

export async function changePartner(
  tx: Tx,
  targets: Environment,
  { callbackUrl: url, digestHeader }: PartnerPatch,
  audit: Pick<AuditEntry, 'actor' | 'requestId'>,
): Promise<void> {
  if (url === undefined && digestHeader === undefined) return
  if (url != null) requireCallable(url, targets)
  const isKept = await setPrimaryEndpoint(tx, { url, digestHeader })
  if (!isKept) throw refuse.invalid(['digestHeader needs a callbackUrl'])
  await recordChange(tx, { ...audit, operation: 'partner.change', subjects: [tx.tenant.tenantId] })
}

function requireCallable(url: string, targets: Environment): void {
  const problem = findTargetProblem(new URL(url), targets)
  if (problem !== null) throw refuse.invalid([`callbackUrl ${problem}`])
}
