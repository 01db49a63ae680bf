import { pageOf, type Clinician, type Page, type Program, type AskedPage } from '@casenote/contract'
import type { Database } from '../../kernel/db/database.js'
import type { ClientId } from '../../kernel/ids.js'
import type { TenantScope } from '../../kernel/tenant.js'
import { toClinician } from '../clinicians/index.js'
import { toUnit } from '../organizations/index.js'
import { selectProgramsOfClient } from './clients.sql.js'
import { selectSecondaryClinicians } from './secondary-clinicians.sql.js'

export async function listSecondaryClinicians(
  db: Database,
  tenant: TenantScope,
  clientId: ClientId,
  page: AskedPage,
): Promise<Page<Clinician>> {
  const [rows, [count]] = await db.read(tenant, ...selectSecondaryClinicians(tenant, clientId, page))
  return pageOf(rows.map(toClinician), count?.total ?? 0, page)
}

export async function listProgramsOfClient(
  db: Database,
  tenant: TenantScope,
  clientId: ClientId,
  page: AskedPage,
): Promise<Page<Program>> {
  const [rows, [count]] = await db.read(tenant, ...selectProgramsOfClient(tenant, clientId, page))
  return pageOf(rows.map(toUnit), count?.total ?? 0, page)
}
