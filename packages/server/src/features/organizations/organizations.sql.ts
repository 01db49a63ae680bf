import { skippedBefore, type AskedPage } from '@casenote/contract'
import type { Statement } from '../../kernel/db/database.js'
import { namedForPage } from '../../kernel/db/page-statement.js'
import type { ClinicId, OrganizationId, ProgramId, UnitId } from '../../kernel/ids.js'
import type { TenantScope } from '../../kernel/tenant.js'

export interface OrganizationRow {
  organizationId: OrganizationId
  name: string
  createdAt: Date
}

/** Clinics and programs have the same shape: a name below an organization. */
export interface UnitRow {
  id: UnitId
  organizationId: OrganizationId
  name: string
  createdAt: Date
}

export interface CountRow {
  total: number
}

const organizationColumns = 'organization_id as "organizationId", name, created_at as "createdAt"'

export const selectOrganization = (
  tenant: TenantScope,
  organizationId: OrganizationId,
): Statement<OrganizationRow> => ({
  name: 'select_organization',
  text: `select ${organizationColumns} from casenote.organizations where tenant_id = $1 and organization_id = $2`,
  values: [tenant.tenantId, organizationId],
  isShort: true,
})

export const selectOrganizations = (tenant: TenantScope, page: AskedPage): Statement<OrganizationRow> => ({
  ...namedForPage('select_organizations', page),
  text: `select ${organizationColumns} from casenote.organizations where tenant_id = $1
    order by seq limit ${page.size} offset $2`,
  values: [tenant.tenantId, skippedBefore(page)],
})

export const countOrganizations = (tenant: TenantScope): Statement<CountRow> => ({
  name: 'count_organizations',
  text: 'select count(*) as total from casenote.organizations where tenant_id = $1',
  values: [tenant.tenantId],
})

export const insertOrganization = (
  tenant: TenantScope,
  organizationId: OrganizationId,
  name: string,
): Statement => ({
  text: 'insert into casenote.organizations (tenant_id, organization_id, name) values ($1, $2, $3)',
  values: [tenant.tenantId, organizationId, name],
})

/** The tables whose rows are a name below an organization, with the name of their id column. */
const UNIT_TABLES = { clinics: 'clinic_id', programs: 'program_id' } as const
export type UnitTable = keyof typeof UNIT_TABLES

const unitColumns = (table: UnitTable): string =>
  `${UNIT_TABLES[table]} as id, organization_id as "organizationId", name, created_at as "createdAt"`

export const selectUnit = (table: UnitTable, tenant: TenantScope, id: UnitId): Statement<UnitRow> => ({
  name: `select_unit_${table}`,
  text: `select ${unitColumns(table)} from casenote.${table} where tenant_id = $1 and ${UNIT_TABLES[table]} = $2`,
  values: [tenant.tenantId, id],
  isShort: true,
})

export const selectUnits = (
  table: UnitTable,
  tenant: TenantScope,
  organizationId: OrganizationId,
  page: AskedPage,
): Statement<UnitRow> => ({
  ...namedForPage(`select_units_${table}`, page),
  text: `select ${unitColumns(table)} from casenote.${table} where tenant_id = $1 and organization_id = $2
    order by seq limit ${page.size} offset $3`,
  values: [tenant.tenantId, organizationId, skippedBefore(page)],
})

export const countUnits = (
  table: UnitTable,
  tenant: TenantScope,
  organizationId: OrganizationId,
): Statement<CountRow> => ({
  name: `count_units_${table}`,
  text: `select count(*) as total from casenote.${table} where tenant_id = $1 and organization_id = $2`,
  values: [tenant.tenantId, organizationId],
})

/** Which of the given ids are programs of the organization. */
export const selectProgramIds = (
  tenant: TenantScope,
  organizationId: OrganizationId,
  programIds: readonly ProgramId[],
): Statement => ({
  name: 'select_program_ids',
  text: `select program_id as "programId" from casenote.programs
    where tenant_id = $1 and organization_id = $2 and program_id = any($3)`,
  values: [tenant.tenantId, organizationId, programIds],
})

export const insertUnit = (
  table: UnitTable,
  tenant: TenantScope,
  row: { id: UnitId; organizationId: OrganizationId; name: string },
): Statement => ({
  text: `insert into casenote.${table} (tenant_id, ${UNIT_TABLES[table]}, organization_id, name)
    values ($1, $2, $3, $4)`,
  values: [tenant.tenantId, row.id, row.organizationId, row.name],
})

/** For the operator, who names an organization without its partner. As the application it finds its tenant's only. */
export const findOrganizationAnywhere = (organizationId: OrganizationId): Statement<TenantScope> => ({
  text: 'select tenant_id as "tenantId" from casenote.organizations where organization_id = $1',
  values: [organizationId],
})

export const findClinicAnywhere = (clinicId: ClinicId): Statement<TenantScope> => ({
  text: 'select tenant_id as "tenantId" from casenote.clinics where clinic_id = $1',
  values: [clinicId],
})

export const listOrganizationsForOperator = (tenant: TenantScope): Statement<OrganizationRow> => ({
  text: `select ${organizationColumns} from casenote.organizations where tenant_id = $1 order by seq limit 10000`,
  values: [tenant.tenantId],
})

export const listUnitsForOperator = (
  table: UnitTable,
  tenant: TenantScope,
  organizationId: OrganizationId,
): Statement<UnitRow> => ({
  text: `select ${unitColumns(table)} from casenote.${table}
    where tenant_id = $1 and organization_id = $2 order by seq limit 10000`,
  values: [tenant.tenantId, organizationId],
})

export interface ClinicStandingRow {
  seq: number
  id: ClinicId
  organizationId: OrganizationId
  clinicians: number
  createdAt: Date
}

/** Ids and counts, no names; oldest first. A clinic has hundreds of clinicians at the most. */
export const selectClinicStandings = (
  tenant: TenantScope,
  { after, most }: { after: number; most: number },
): Statement<ClinicStandingRow> => ({
  text: `select k.seq, k.clinic_id as id, k.organization_id as "organizationId", k.created_at as "createdAt",
      (select count(*)::int from (select from casenote.clinicians c
        where c.tenant_id = k.tenant_id and c.clinic_id = k.clinic_id limit 1000) n) as clinicians
    from casenote.clinics k where k.tenant_id = $1 and k.seq > $2 order by k.seq limit $3`,
  values: [tenant.tenantId, after, most],
})
