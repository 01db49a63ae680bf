import type { Statement } from '../../kernel/db/database.js'
import type { TenantScope } from '../../kernel/tenant.js'

export interface NewClientRow {
  clientId: string
  clinicianId: string
  firstName: string | null
  lastName: string
  dateOfBirth: string
  email: string | null
  phoneNumber: string | null
  externalId: string | null
}

export const insertClient = (tenant: TenantScope, row: NewClientRow): Statement => ({
  text: `insert into casenote.clients (tenant_id, client_id, clinician_id, first_name, last_name, date_of_birth,
      email, phone_number, external_id)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
  values: [
    tenant.tenantId,
    row.clientId,
    row.clinicianId,
    row.firstName,
    row.lastName,
    row.dateOfBirth,
    row.email,
    row.phoneNumber,
    row.externalId,
  ],
})
