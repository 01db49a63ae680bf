import type { SecondaryClinicians } from '@casenote/contract'
import { recordChange, type ChangeSource } from '../../kernel/audit/index.js'
import type { Tx } from '../../kernel/db/database.js'
import type { ClientId, ClinicianId } from '../../kernel/ids.js'
import { refuse } from '../../kernel/refuse.js'
import { selectCliniciansOfOrganization } from '../clinicians/index.js'
import { readLockedClient } from './find-client.js'
import {
  deleteSecondaryClinician,
  insertSecondaryClinicians,
  selectSecondaryIds,
} from './secondary-clinicians.sql.js'

/** Safe to repeat (contract part 4). Under the client's lock, so that nobody becomes primary meanwhile. */
export async function assignSecondaryClinicians(
  tx: Tx,
  clientId: ClientId,
  clinicianIds: readonly ClinicianId[],
  source: ChangeSource,
): Promise<SecondaryClinicians> {
  const client = await readLockedClient(tx, clientId)
  const asked = [...new Set(clinicianIds)]
  const found = await tx.run(selectCliniciansOfOrganization(tx.tenant, client.organizationId, asked))
  if (found.length < asked.length) {
    throw refuse.invalid(["each value in clinicianIds must be a clinician of the client's organization"])
  }
  const before = await listSecondaryIds(tx, clientId)
  const added = asked.filter((id) => id !== client.clinicianId && !before.includes(id))
  if (added.length === 0) return { clinicianIds: before }
  await tx.run(insertSecondaryClinicians(tx.tenant, clientId, added))
  const subjects = [clientId, ...added]
  await recordChange(tx, { ...source, operation: 'client.assignSecondaryClinicians', subjects })
  return { clinicianIds: await listSecondaryIds(tx, clientId) }
}

/** Removing who is not assigned changes nothing and records nothing. */
export async function removeSecondaryClinician(
  tx: Tx,
  clientId: ClientId,
  clinicianId: ClinicianId,
  source: ChangeSource,
): Promise<void> {
  const removed = await tx.run(deleteSecondaryClinician(tx.tenant, clientId, clinicianId))
  if (removed.length === 0) return
  const subjects = [clientId, clinicianId]
  await recordChange(tx, { ...source, operation: 'client.removeSecondaryClinician', subjects })
}

const listSecondaryIds = async (tx: Tx, clientId: ClientId): Promise<ClinicianId[]> =>
  (await tx.run(selectSecondaryIds(tx.tenant, clientId))).map(({ clinicianId }) => clinicianId)
