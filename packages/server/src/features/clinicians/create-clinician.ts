import { recordChange, type AuditEntry } from '../../kernel/audit/index.js'
import type { Tx } from '../../kernel/db/database.js'
import { newId } from '../../kernel/ids.js'
import { insertClinician, type NewClinicianRow } from './clinicians.sql.js'

export type NewClinician = Omit<NewClinicianRow, 'clinicianId' | 'emailFolded'>

export async function createClinician(
  tx: Tx,
  clinician: NewClinician,
  audit: Pick<AuditEntry, 'actor' | 'requestId'>,
): Promise<string> {
  const clinicianId = newId()
  await tx.run(
    insertClinician(tx.tenant, { ...clinician, clinicianId, emailFolded: foldEmail(clinician.email) }),
  )
  await recordChange(tx, { ...audit, operation: 'clinician.create', subjects: [clinicianId] })
  return clinicianId
}

/** The uniqueness of e-mails ignores case (decisions 2). */
const foldEmail = (email: string): string => email.normalize('NFC').toLowerCase()
