import type { Client } from '@casenote/contract'
import { recordChange, type ChangeSource } from '../../kernel/audit/index.js'
import type { Tx } from '../../kernel/db/database.js'
import type { ClientId, ClinicianId } from '../../kernel/ids.js'
import { refuse } from '../../kernel/refuse.js'
import { selectCliniciansOfOrganization } from '../clinicians/index.js'
import { toClient } from './client-rules.js'
import { updatePrimaryClinician } from './clients.sql.js'
import { readLockedClient } from './find-client.js'

/**
 * Under the client's lock: of two transfers to one clinician the later is the conflict. Only the primary changes: who
 * is assigned as secondary stays so, and therefore an old primary who also is secondary goes on treating the client
 * (ruling 2). Archived clients are transferred, too: when a clinician leaves, their closed records need a keeper.
 */
export async function transferClient(
  tx: Tx,
  clientId: ClientId,
  clinicianId: ClinicianId,
  source: ChangeSource,
): Promise<Client> {
  const client = await readLockedClient(tx, clientId)
  const [clinician] = await tx.run(
    selectCliniciansOfOrganization(tx.tenant, client.organizationId, [clinicianId]),
  )
  if (clinician === undefined) {
    throw refuse.invalid(["clinicianId must be a clinician of the client's organization"])
  }
  if (client.clinicianId === clinicianId)
    throw refuse.conflict('client_has_clinician', 'Client already has this clinician')
  const { clinicId } = clinician
  await tx.run(updatePrimaryClinician(tx.tenant, clientId, { clinicianId, clinicId }))
  const subjects = [clientId, client.clinicianId, clinicianId]
  await recordChange(tx, { ...source, operation: 'client.transfer', subjects })
  return toClient({ ...client, clinicianId, clinicId })
}
