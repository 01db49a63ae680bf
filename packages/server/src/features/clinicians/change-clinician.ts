import type { ClinicianPatch } from '@casenote/contract'
import { recordChange, type ChangeSource } from '../../kernel/audit/index.js'
import type { Tx } from '../../kernel/db/database.js'
import { refuse } from '../../kernel/refuse.js'
import { foldEmail, requireFitNoteType } from './clinician-rules.js'
import { lockClinician, updateClinician, type ClinicianRow } from './clinicians.sql.js'

export async function changeClinician(
  tx: Tx,
  clinicianId: string,
  patch: ClinicianPatch,
  source: ChangeSource,
): Promise<ClinicianRow> {
  const [current] = await tx.run<ClinicianRow>(lockClinician(tx.tenant, clinicianId))
  if (current === undefined) throw refuse.notFound()
  if (Object.keys(patch).length === 0) return current
  const changed: ClinicianRow = { ...current, ...patch }
  requireFitNoteType(changed)
  await tx.run(updateClinician(tx.tenant, { ...changed, emailFolded: foldEmail(changed.email) }))
  await recordChange(tx, { ...source, operation: 'clinician.change', subjects: [clinicianId] })
  return changed
}
