import type { Client } from '@casenote/contract'
import type { Database, Tx } from '../../kernel/db/database.js'
import { requireFreeExternalId } from '../../kernel/external-ids/require-free-external-id.js'
import type { ClientId, OrganizationId, ProgramId } from '../../kernel/ids.js'
import { refuse } from '../../kernel/refuse.js'
import type { TenantScope } from '../../kernel/tenant.js'
import { selectProgramIds } from '../organizations/index.js'
import { selectClientOfExternalId, type ClientRow } from './clients.sql.js'

/** Contract part 7: a business rule, answered as a plain string. Nothing else of the number is checked. */
export function requireCallingCode(phoneNumber: string | null | undefined): void {
  if (typeof phoneNumber === 'string' && !phoneNumber.startsWith('+')) {
    throw refuse.rule('calling_code_missing', 'phoneNumber should include calling code')
  }
}

/** Each once, in the order given. Programs never move between organizations, so this holds until they are written. */
export async function requirePrograms(
  db: Database,
  tenant: TenantScope,
  organizationId: OrganizationId,
  programIds: readonly ProgramId[],
): Promise<string[]> {
  const distinct = [...new Set(programIds)]
  if (distinct.length === 0) return []
  const found = await db.read(tenant, selectProgramIds(tenant, organizationId, distinct))
  if (found.length < distinct.length) {
    throw refuse.invalid(["each value in programIds must be a program of the client's organization"])
  }
  return distinct
}

export const requireFreeClientId = (tx: Tx, clientId: ClientId, externalId: string | null): Promise<void> =>
  requireFreeExternalId(tx, {
    kind: 'client',
    externalId,
    selectTaken: (wanted) => selectClientOfExternalId(tx.tenant, wanted, clientId),
  })

export const toClient = (row: ClientRow): Client => ({
  id: row.clientId,
  firstName: row.firstName,
  lastName: row.lastName,
  externalId: row.externalId,
  email: row.email,
  phoneNumber: row.phoneNumber,
  dateOfBirth: row.dateOfBirth,
  language: row.language,
  status: row.status,
  clinicianId: row.clinicianId,
  clinicId: row.clinicId,
  organizationId: row.organizationId,
  programIds: row.programIds,
  recordingConsent: row.recordingConsent,
  createdAt: row.createdAt.toISOString(),
})
