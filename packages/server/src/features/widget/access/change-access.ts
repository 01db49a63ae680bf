import { recordChange, type ChangeSource } from '../../../kernel/audit/index.js'
import type { Tx } from '../../../kernel/db/database.js'
import type { ClinicianId } from '../../../kernel/ids.js'
import { updateActive } from '../../clinicians/index.js'
import { fenceUploadsOfClinician } from '../recordings/uploads.sql.js'
import { endEverySession, endSessionsOfClinician } from '../tokens/widget-sessions.sql.js'

/**
 * Ends all their browser sessions and lets nobody begin another. Requests under way end within seconds (`OpenCalls`); what
 * they upload is refused at once. Twice is once.
 */
export async function deactivateClinician(
  tx: Tx,
  clinicianId: ClinicianId,
  source: ChangeSource,
): Promise<void> {
  const changed = await tx.run(updateActive(tx.tenant, clinicianId, false))
  if (changed.length === 0) return
  await tx.run(endSessionsOfClinician(tx.tenant, clinicianId, 'deactivation'))
  await tx.run(fenceUploadsOfClinician(tx.tenant, clinicianId))
  await recordChange(tx, { ...source, operation: 'clinician.deactivate', subjects: [clinicianId] })
  // Their streams end at the next look, which this asks for.
  tx.announce('casenote_sessions')
}

/**
 * For somebody who stays, after a device was lost: as if they had logged out everywhere. They sign in again, and what they
 * record goes on where it stood.
 */
export async function endWidgetSessions(
  tx: Tx,
  clinicianId: ClinicianId,
  source: ChangeSource,
): Promise<void> {
  await tx.run(endSessionsOfClinician(tx.tenant, clinicianId, 'logout'))
  await recordChange(tx, { ...source, operation: 'clinician.endWidgetSessions', subjects: [clinicianId] })
  tx.announce('casenote_sessions')
}

/** Ends the widget sessions of every clinician of the tenant, whoever minted them: part of what its caller does and records. */
export async function endEveryWidgetSession(tx: Tx): Promise<void> {
  await tx.run(endEverySession(tx.tenant))
  tx.announce('casenote_sessions')
}

/** Tokens can be minted again; what ended stays ended. */
export async function reactivateClinician(
  tx: Tx,
  clinicianId: ClinicianId,
  source: ChangeSource,
): Promise<void> {
  const changed = await tx.run(updateActive(tx.tenant, clinicianId, true))
  if (changed.length === 0) return
  await recordChange(tx, { ...source, operation: 'clinician.reactivate', subjects: [clinicianId] })
}
