import type { Statement } from '../../kernel/db/database.js'
import type { TenantScope } from '../../kernel/tenant.js'

export interface ClinicianRow {
  clinicianId: string
  clinicId: string
  firstName: string
  lastName: string
  email: string
  externalId: string | null
  prescriber: boolean
  defaultNoteType: string | null
  createdAt: Date
}

export const selectClinician = (tenant: TenantScope, clinicianId: string): Statement => ({
  name: 'select_clinician',
  text: `select clinician_id as "clinicianId", clinic_id as "clinicId", first_name as "firstName",
      last_name as "lastName", email, external_id as "externalId", prescriber,
      default_note_type as "defaultNoteType", created_at as "createdAt"
    from casenote.clinicians where tenant_id = $1 and clinician_id = $2`,
  values: [tenant.tenantId, clinicianId],
})

export type NewClinicianRow = Omit<ClinicianRow, 'createdAt'> & { emailFolded: string }

export const insertClinician = (tenant: TenantScope, row: NewClinicianRow): Statement => ({
  text: `insert into casenote.clinicians (tenant_id, clinician_id, clinic_id, first_name, last_name, email,
      email_folded, external_id, prescriber, default_note_type)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
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
  ],
})
