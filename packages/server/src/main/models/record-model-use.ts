import { recordChange } from '../../kernel/audit/index.js'
import { operator } from '../../kernel/operator.js'
import { listTenants } from '../commands/keys.js'
import type { OperatorSession } from '../commands/operator-session.js'
import { proofIdOf } from '../proof/kept-proofs.js'
import type { Standing } from './find-standing.js'
import { modelIdOf, type ModelIdentity } from './identify-model.js'

/** The log holds names of operations and ids only, so the verdict is in the name. */
const operations = {
  proved: 'model.useProved',
  belowGate: 'model.useBelowGate',
  outdated: 'model.useUnproved',
  unproved: 'model.useUnproved',
} as const satisfies Record<Standing['kind'], string>

/**
 * Who writes notes concerns every partner, and the log has a chain for each and none above them: the choice stands in
 * all of them. Subjects are the model and, where there is one, the proof that the verdict rests on. Returns what was
 * noted, in a sentence.
 */
export async function recordModelUse(
  session: OperatorSession,
  identity: ModelIdentity | null,
  standing: Standing | null,
): Promise<string> {
  const operation = standing === null ? 'model.useNone' : operations[standing.kind]
  const proof = standing !== null && 'proof' in standing ? [proofIdOf(standing.proof)] : []
  const subjects = [...(identity === null ? [] : [modelIdOf(identity)]), ...proof]
  const tenants = await listTenants(session)
  for (const tenant of tenants) {
    await session.owner.write(tenant, (tx) => recordChange(tx, { ...operator, operation, subjects }))
  }
  return tenants.length === 0
    ? 'There is no partner yet, and so no audit log to note it in.'
    : `Noted in the audit log: ${operation}${subjects.length === 0 ? '' : ` of ${subjects.join(', proof ')}`}.`
}
