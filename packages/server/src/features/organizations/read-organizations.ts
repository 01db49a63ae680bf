import {
  pageOf,
  type Clinic,
  type Organization,
  type Page,
  type Program,
  type AskedPage,
} from '@casenote/contract'
import type { Database } from '../../kernel/db/database.js'
import { isId, type OrganizationId, type UnitId } from '../../kernel/ids.js'
import type { TenantScope } from '../../kernel/tenant.js'
import {
  countOrganizations,
  countUnits,
  selectOrganization,
  selectOrganizations,
  selectUnit,
  selectUnits,
  type OrganizationRow,
  type UnitRow,
  type UnitTable,
} from './organizations.sql.js'

export async function findOrganization(
  db: Database,
  tenant: TenantScope,
  organizationId: OrganizationId,
): Promise<Organization | null> {
  if (!isId(organizationId)) return null
  const [row] = await db.read(tenant, selectOrganization(tenant, organizationId))
  return row === undefined ? null : toOrganization(row)
}

export async function listOrganizations(
  db: Database,
  tenant: TenantScope,
  page: AskedPage,
): Promise<Page<Organization>> {
  const [rows, [count]] = await db.read(tenant, selectOrganizations(tenant, page), countOrganizations(tenant))
  return pageOf(rows.map(toOrganization), count?.total ?? 0, page)
}

/** Clinics and programs alike. */
export async function findUnit(
  db: Database,
  table: UnitTable,
  tenant: TenantScope,
  id: UnitId,
): Promise<Clinic | Program | null> {
  if (!isId(id)) return null
  const [row] = await db.read(tenant, selectUnit(table, tenant, id))
  return row === undefined ? null : toUnit(row)
}

export async function listUnits(
  db: Database,
  table: UnitTable,
  tenant: TenantScope,
  { organizationId, page }: { organizationId: OrganizationId; page: AskedPage },
): Promise<Page<Clinic | Program>> {
  const [rows, [count]] = await db.read(
    tenant,
    selectUnits(table, tenant, organizationId, page),
    countUnits(table, tenant, organizationId),
  )
  return pageOf(rows.map(toUnit), count?.total ?? 0, page)
}

const toOrganization = (row: OrganizationRow): Organization => ({
  id: row.organizationId,
  name: row.name,
  createdAt: row.createdAt.toISOString(),
})

export const toUnit = (row: UnitRow): Clinic | Program => ({ ...row, createdAt: row.createdAt.toISOString() })
