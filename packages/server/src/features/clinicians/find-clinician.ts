import {
  canMatch,
  pageOf,
  type AskedPage,
  type Clinician,
  type ClinicianFilters,
  type Page,
} from '@casenote/contract'
import type { Database } from '../../kernel/db/database.js'
import { isId, type ClinicId, type ClinicianId } from '../../kernel/ids.js'
import type { TenantScope } from '../../kernel/tenant.js'
import { selectClinician, selectClinicians, type ClinicianRow } from './clinicians.sql.js'

export async function findClinician(
  db: Database,
  tenant: TenantScope,
  clinicianId: ClinicianId,
): Promise<ClinicianRow | null> {
  if (!isId(clinicianId)) return null
  const [row] = await db.read(tenant, selectClinician(tenant, clinicianId))
  return row ?? null
}

export async function listClinicians(
  db: Database,
  tenant: TenantScope,
  clinicId: ClinicId,
  { page, ...filter }: Omit<ClinicianFilters, 'page'> & { page: AskedPage },
): Promise<Page<Clinician>> {
  const isHopeless = !Object.values(filter).every(canMatch) || (filter.id !== undefined && !isId(filter.id))
  if (isHopeless) return pageOf([], 0, page)
  const [rows, [count]] = await db.read(tenant, ...selectClinicians(tenant, { clinicId, filter, page }))
  return pageOf(rows.map(toClinician), count?.total ?? 0, page)
}

export const toClinician = (row: ClinicianRow): Clinician => ({
  id: row.clinicianId,
  firstName: row.firstName,
  lastName: row.lastName,
  email: row.email,
  externalId: row.externalId,
  clinicId: row.clinicId,
  prescriber: row.prescriber,
  defaultNoteType: row.defaultNoteType,
  supervisorId: row.supervisorId,
  active: row.isActive,
  createdAt: row.createdAt.toISOString(),
})
