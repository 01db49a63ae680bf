import type { Database } from '../../kernel/db/database.js'
import { isId } from '../../kernel/ids.js'
import type { TenantScope } from '../../kernel/tenant.js'
import { selectClinician, type ClinicianRow } from './clinicians.sql.js'

export async function findClinician(
  db: Database,
  tenant: TenantScope,
  clinicianId: string,
): Promise<ClinicianRow | null> {
  if (!isId(clinicianId)) return null
  const [row] = (await db.read(tenant, selectClinician(tenant, clinicianId))) as ClinicianRow[]
  return row ?? null
}
