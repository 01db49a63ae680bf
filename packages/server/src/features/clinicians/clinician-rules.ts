import { isPrescriberNoteType, type NoteType } from '@casenote/contract'
import type { Tx } from '../../kernel/db/database.js'
import { DatabaseFault } from '../../kernel/db/db-errors.js'
import { requireFreeExternalId } from '../../kernel/external-ids/require-free-external-id.js'
import type { ClinicianId } from '../../kernel/ids.js'
import { refuse } from '../../kernel/refuse.js'
import { selectClinicianOfExternalId } from './clinicians.sql.js'

/** Judged on the clinician as they will be: a change may set either field or both. */
export function requireFitNoteType(clinician: {
  prescriber: boolean
  defaultNoteType: NoteType | null
}): void {
  const { prescriber, defaultNoteType } = clinician
  if (defaultNoteType === null || prescriber || !isPrescriberNoteType(defaultNoteType)) return
  throw refuse.invalid(['defaultNoteType must not be a prescriber note type unless prescriber is true'])
}

/** The uniqueness of e-mails ignores case (ruling 2). */
export const foldEmail = (email: string): string => email.normalize('NFC').toLowerCase()

/** The constraint decides, so that of two at once exactly one is refused. */
export async function refuseTakenEmail<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof DatabaseFault && error.constraint === 'clinicians_email_taken') {
      throw refuse.conflict('email_taken', 'A clinician with this email already exists')
    }
    throw error
  }
}

export const requireFreeClinicianId = (
  tx: Tx,
  clinicianId: ClinicianId,
  externalId: string | null,
): Promise<void> =>
  requireFreeExternalId(tx, {
    kind: 'clinician',
    externalId,
    selectTaken: (wanted) => selectClinicianOfExternalId(tx.tenant, wanted, clinicianId),
  })
