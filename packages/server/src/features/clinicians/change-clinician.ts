import type { ClinicianPatch } from '@casenote/contract'
import { recordChange, type ChangeSource } from '../../kernel/audit/index.js'
import type { Tx } from '../../kernel/db/database.js'
import { isId, type ClinicianId } from '../../kernel/ids.js'
import { refuse } from '../../kernel/refuse.js'
import { foldEmail, requireFitNoteType, requireFreeClinicianId } from './clinician-rules.js'
import { requireFitSupervisor } from './require-fit-supervisor.js'
import { lockClinician, lockClinicians, updateClinician, type ClinicianRow } from './clinicians.sql.js'

export async function changeClinician(
  tx: Tx,
  clinicianId: ClinicianId,
  patch: ClinicianPatch,
  { source, isExternalIdUnique }: { source: ChangeSource; isExternalIdUnique: boolean },
): Promise<ClinicianRow> {
  const { supervisorId = null } = patch
  if (supervisorId !== null && isId(supervisorId))
    await tx.run(lockClinicians(tx.tenant, [clinicianId, supervisorId]))
  const [current] = await tx.run(lockClinician(tx.tenant, clinicianId))
  if (current === undefined) throw refuse.notFound()
  if (Object.keys(patch).length === 0) return current
  const changed: ClinicianRow = { ...current, ...patch }
  requireFitNoteType(changed)
  // One who was deactivated since stays: what waits for them waits for the next one.
  if (changed.supervisorId !== current.supervisorId) {
    await requireFitSupervisor(tx, clinicianId, changed.supervisorId)
    // Who waits for a co-signature, and who may give it, is shown while a session is open.
    tx.announce('casenote_sessions')
  }
  if (isExternalIdUnique && changed.externalId !== current.externalId)
    await requireFreeClinicianId(tx, clinicianId, changed.externalId)
  await tx.run(updateClinician(tx.tenant, { ...changed, emailFolded: foldEmail(changed.email) }))
  await recordChange(tx, { ...source, operation: 'clinician.change', subjects: [clinicianId] })
  return changed
}
