import { skippedBefore, type AskedPage, type NoteType } from '@casenote/contract'
import type { Statement } from '../../kernel/db/database.js'
import { namedForPage } from '../../kernel/db/page-statement.js'
import type { ClinicId, ClinicianId, OrganizationId } from '../../kernel/ids.js'
import type { TenantScope } from '../../kernel/tenant.js'

export interface ClinicianRow {
  clinicianId: ClinicianId
  clinicId: ClinicId
  organizationId: OrganizationId
  firstName: string
  lastName: string
  email: string
  externalId: string | null
  prescriber: boolean
  defaultNoteType: NoteType | null
  supervisorId: ClinicianId | null
  isActive: boolean
  createdAt: Date
}

/** The columns of a `ClinicianRow`, from `casenote.clinicians c join casenote.clinics k`. */
export const clinicianColumns = `c.clinician_id as "clinicianId", c.clinic_id as "clinicId",
  k.organization_id as "organizationId", c.first_name as "firstName", c.last_name as "lastName", c.email,
  c.external_id as "externalId", c.prescriber, c.default_note_type as "defaultNoteType",
  c.supervisor_id as "supervisorId",
  c.deactivated_at is null as "isActive", c.created_at as "createdAt"`

const clinicOfClinician = 'join casenote.clinics k on k.tenant_id = c.tenant_id and k.clinic_id = c.clinic_id'

export const selectClinician = (tenant: TenantScope, clinicianId: ClinicianId): Statement<ClinicianRow> => ({
  name: 'select_clinician',
  text: `select ${clinicianColumns} from casenote.clinicians c ${clinicOfClinician}
    where c.tenant_id = $1 and c.clinician_id = $2`,
  values: [tenant.tenantId, clinicianId],
  isShort: true,
})

/** Locked, so that a change is judged on what it leaves behind. */
export const lockClinician = (tenant: TenantScope, clinicianId: ClinicianId): Statement<ClinicianRow> => ({
  name: 'lock_clinician',
  text: `select ${clinicianColumns} from casenote.clinicians c ${clinicOfClinician}
    where c.tenant_id = $1 and c.clinician_id = $2 for no key update of c`,
  values: [tenant.tenantId, clinicianId],
})

/** Locks clinicians in one order, so that two who name each other as supervisors wait for each other. */
export const lockClinicians = (tenant: TenantScope, clinicianIds: readonly ClinicianId[]): Statement => ({
  name: 'lock_clinicians',
  text: `select from casenote.clinicians where tenant_id = $1 and clinician_id = any($2)
    order by clinician_id for no key update`,
  values: [tenant.tenantId, clinicianIds],
})

/**
 * Keeps out a deactivation, not one another: what begins for a clinician begins before they are cut off, or not
 * at all.
 */
export const lockClinicianShared = (
  tenant: TenantScope,
  clinicianId: ClinicianId,
): Statement<{ isActive: boolean }> => ({
  name: 'lock_clinician_shared',
  text: `select deactivated_at is null as "isActive" from casenote.clinicians
    where tenant_id = $1 and clinician_id = $2 for share`,
  values: [tenant.tenantId, clinicianId],
})

/** Gives a row only if it changed anything. */
export const updateActive = (
  tenant: TenantScope,
  clinicianId: ClinicianId,
  isActive: boolean,
): Statement => ({
  name: 'update_active_clinician',
  text: `update casenote.clinicians set deactivated_at = case when $3 then null else now() end
    where tenant_id = $1 and clinician_id = $2 and (deactivated_at is null) <> $3 returning 1`,
  values: [tenant.tenantId, clinicianId, isActive],
})

/** For the operator, who names a clinician without their partner. */
export const findClinicianAnywhere = (clinicianId: ClinicianId): Statement<TenantScope> => ({
  text: `select c.tenant_id as "tenantId" from casenote.tenants t
    join casenote.clinicians c on c.tenant_id = t.tenant_id and c.clinician_id = $1`,
  values: [clinicianId],
})

/** Which of the given clinicians work in the organization. */
export const selectCliniciansOfOrganization = (
  tenant: TenantScope,
  organizationId: OrganizationId,
  clinicianIds: readonly ClinicianId[],
): Statement<ClinicianRow> => ({
  name: 'select_clinicians_of_organization',
  text: `select ${clinicianColumns} from casenote.clinicians c ${clinicOfClinician}
    where c.tenant_id = $1 and k.organization_id = $2 and c.clinician_id = any($3)`,
  values: [tenant.tenantId, organizationId, clinicianIds],
})

/** The exact filters, by their names on the wire. */
const filters = [
  { name: 'id', column: 'clinician_id' },
  { name: 'firstName', column: 'first_name' },
  { name: 'lastName', column: 'last_name' },
  { name: 'email', column: 'email' },
  { name: 'externalId', column: 'external_id' },
] as const
export type ClinicianFilter = { [Name in (typeof filters)[number]['name']]?: string | undefined }

/** The page and the count of one filter: 32 combinations, each prepared once per connection. */
export function selectClinicians(
  tenant: TenantScope,
  { clinicId, filter, page }: { clinicId: ClinicId; filter: ClinicianFilter; page: AskedPage },
): [Statement<ClinicianRow>, Statement<{ total: number }>] {
  const given = filters.filter(({ name }) => filter[name] !== undefined)
  const conditions = given.map(({ column }, index) => `and c.${column} = $${index + 3}`).join(' ')
  const from = `from casenote.clinicians c where c.tenant_id = $1 and c.clinic_id = $2 ${conditions}`
  const values = [tenant.tenantId, clinicId, ...given.map(({ name }) => filter[name])]
  const suffix = given.map(({ name }) => name).join('_')
  return [
    {
      ...namedForPage(`select_clinicians_${suffix}`, page),
      text: `select ${clinicianColumns}
        from (select * ${from} order by c.seq limit ${page.size} offset $${values.length + 1}) c
        ${clinicOfClinician} order by c.seq`,
      values: [...values, skippedBefore(page)],
    },
    { name: `count_clinicians_${suffix}`, text: `select count(*) as total ${from}`, values },
  ]
}

export type NewClinicianRow = Omit<ClinicianRow, 'organizationId' | 'isActive' | 'createdAt'> & {
  emailFolded: string
}

export const insertClinician = (tenant: TenantScope, row: NewClinicianRow): Statement => ({
  name: 'insert_clinician',
  text: `insert into casenote.clinicians (tenant_id, clinician_id, clinic_id, first_name, last_name, email,
      email_folded, external_id, prescriber, default_note_type, supervisor_id)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
  values: [
    tenant.tenantId,
    row.clinicianId,
    row.clinicId,
    row.firstName,
    row.lastName,
    row.email,
    row.emailFolded,
    row.externalId,
    row.prescriber,
    row.defaultNoteType,
    row.supervisorId,
  ],
})

export const updateClinician = (tenant: TenantScope, row: Omit<NewClinicianRow, 'clinicId'>): Statement => ({
  name: 'update_clinician',
  text: `update casenote.clinicians set first_name = $3, last_name = $4, email = $5, email_folded = $6,
      external_id = $7, prescriber = $8, default_note_type = $9, supervisor_id = $10
    where tenant_id = $1 and clinician_id = $2`,
  values: [
    tenant.tenantId,
    row.clinicianId,
    row.firstName,
    row.lastName,
    row.email,
    row.emailFolded,
    row.externalId,
    row.prescriber,
    row.defaultNoteType,
    row.supervisorId,
  ],
})

/** Whether another clinician has this external id. */
export const selectClinicianOfExternalId = (
  tenant: TenantScope,
  externalId: string,
  exceptId: ClinicianId,
): Statement<{ id: ClinicianId }> => ({
  name: 'select_clinician_of_external_id',
  text: `select clinician_id as id from casenote.clinicians
    where tenant_id = $1 and external_id = $2 and clinician_id <> $3 order by seq limit 1`,
  values: [tenant.tenantId, externalId, exceptId],
})
