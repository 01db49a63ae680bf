import { recordChange, type ChangeSource } from '../../kernel/audit/index.js'
import type { Tx } from '../../kernel/db/database.js'
import { newId, type ClinicianId } from '../../kernel/ids.js'
import { foldEmail, requireFitNoteType, requireFreeClinicianId } from './clinician-rules.js'
import { requireFitSupervisor } from './require-fit-supervisor.js'
import { insertClinician, type NewClinicianRow } from './clinicians.sql.js'

export type NewClinician = Omit<NewClinicianRow, 'clinicianId' | 'emailFolded' | 'supervisorId'> & {
  supervisorId?: ClinicianId | null
}

export async function createClinician(
  tx: Tx,
  clinician: NewClinician,
  source: ChangeSource,
  { isExternalIdUnique = false }: { isExternalIdUnique?: boolean } = {},
): Promise<string> {
  requireFitNoteType(clinician)
  const clinicianId = newId()
  const { supervisorId = null } = clinician
  await requireFitSupervisor(tx, clinicianId, supervisorId)
  if (isExternalIdUnique) await requireFreeClinicianId(tx, clinicianId, clinician.externalId)
  const emailFolded = foldEmail(clinician.email)
  await tx.run(insertClinician(tx.tenant, { ...clinician, supervisorId, clinicianId, emailFolded }))
  await recordChange(tx, { ...source, operation: 'clinician.create', subjects: [clinicianId] })
  return clinicianId
}
