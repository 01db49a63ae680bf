import type { Tx } from '../../kernel/db/database.js'
import type { ClinicianId } from '../../kernel/ids.js'
import { refuse } from '../../kernel/refuse.js'
import { lockClinicianShared } from './clinicians.sql.js'

/** Refuses what must not begin for a deactivated clinician. They stay as they are until the transaction ends. */
export async function requireActive(tx: Tx, clinicianId: ClinicianId): Promise<void> {
  const [locked] = await tx.run(lockClinicianShared(tx.tenant, clinicianId))
  if (locked === undefined) throw refuse.notFound()
  if (!locked.isActive) throw refuse.conflict('clinician_inactive', 'Clinician is deactivated')
}
