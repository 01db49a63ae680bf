import type { Tx } from '../../kernel/db/database.js'
import { isId, type ClinicianId } from '../../kernel/ids.js'
import { refuse } from '../../kernel/refuse.js'
import { lockClinicianShared } from './clinicians.sql.js'

/** Unknown, another partner's, deactivated or the clinician themselves: one answer (ruling 1). */
export async function requireFitSupervisor(
  tx: Tx,
  clinicianId: ClinicianId,
  supervisorId: ClinicianId | null,
): Promise<void> {
  if (supervisorId === null) return
  const [locked] =
    isId(supervisorId) && supervisorId !== clinicianId
      ? await tx.run(lockClinicianShared(tx.tenant, supervisorId))
      : []
  if (locked?.isActive !== true) throw refuse.invalid(['supervisorId must be another active clinician'])
}
