import { skippedBefore, type AskedPage, type ClientStatus, type ConsentState } from '@casenote/contract'
import type { Statement } from '../../kernel/db/database.js'
import { namedForPage } from '../../kernel/db/page-statement.js'
import type { ClientId, ClinicId, ClinicianId, OrganizationId, ProgramId } from '../../kernel/ids.js'
import type { TenantScope } from '../../kernel/tenant.js'
import type { UnitRow } from '../organizations/index.js'
import { recordingConsentOf } from './recording-consent.sql.js'

export interface ClientRow {
  clientId: ClientId
  clinicianId: ClinicianId
  clinicId: ClinicId
  organizationId: OrganizationId
  firstName: string | null
  lastName: string
  dateOfBirth: string
  email: string | null
  phoneNumber: string | null
  externalId: string | null
  /** A BCP 47 tag, as the partner gave it. */
  language: string | null
  status: ClientStatus
  programIds: ProgramId[]
  recordingConsent: ConsentState
  createdAt: Date
}

/** The columns of a `ClientRow`, from `casenote.clients c join casenote.clinics k`. */
export const clientColumns = `c.client_id as "clientId", c.clinician_id as "clinicianId", c.clinic_id as "clinicId",
  k.organization_id as "organizationId", c.first_name as "firstName", c.last_name as "lastName",
  c.date_of_birth as "dateOfBirth", c.email, c.phone_number as "phoneNumber", c.external_id as "externalId",
  c.language, c.status,
  array(select p.program_id::text from casenote.client_programs p
    where p.tenant_id = c.tenant_id and p.client_id = c.client_id order by p.seq) as "programIds",
  ${recordingConsentOf('c.tenant_id', 'c.client_id')} as "recordingConsent",
  c.created_at as "createdAt"`

export const clinicOfClient =
  'join casenote.clinics k on k.tenant_id = c.tenant_id and k.clinic_id = c.clinic_id'

export const selectClient = (tenant: TenantScope, clientId: ClientId): Statement<ClientRow> => ({
  name: 'select_client',
  text: `select ${clientColumns} from casenote.clients c
    ${clinicOfClient} where c.tenant_id = $1 and c.client_id = $2`,
  values: [tenant.tenantId, clientId],
  isShort: true,
})

export interface LockedClientRow {
  status: ClientStatus
  /** The primary one. */
  clinicianId: ClinicianId
  email: string | null
  language: string | null
}

/**
 * Nothing else changes the client, or begins what depends on its status, until the transaction ends. No join here: read
 * more in a statement of its own. Together, a wait for a transfer would end with the new clinic's id and the old
 * snapshot's clinic, which do not join: the client would seem to be gone. Foreign keys to the client do not wait for it.
 */
/** Empty: somebody changes the client just now. Else whoever would waits until the transaction ends. */
export const tryShareClient = (tenant: TenantScope, clientId: ClientId): Statement => ({
  text: 'select 1 from casenote.clients where tenant_id = $1 and client_id = $2 for share skip locked',
  values: [tenant.tenantId, clientId],
})

export const lockClient = (tenant: TenantScope, clientId: ClientId): Statement<LockedClientRow> => ({
  name: 'lock_client',
  text: `select status, clinician_id as "clinicianId", email, language from casenote.clients
    where tenant_id = $1 and client_id = $2 for no key update`,
  values: [tenant.tenantId, clientId],
})

export type NewClientRow = Omit<
  ClientRow,
  'organizationId' | 'clinicId' | 'language' | 'status' | 'programIds' | 'recordingConsent' | 'createdAt'
> & { nameFolded: string; language?: string | null }

/** `unknown` is for imported records only (ruling 5). */
export type FirstStatus = Extract<ClientStatus, 'awaiting_invite' | 'unknown'>

/** What the database added. */
export interface InsertedClient {
  clinicId: ClinicId
  createdAt: Date
}

export const insertClient = (
  tenant: TenantScope,
  row: NewClientRow,
  status: FirstStatus,
): Statement<InsertedClient> => ({
  name: 'insert_client',
  text: `insert into casenote.clients (tenant_id, client_id, clinician_id, clinic_id, first_name, last_name,
      name_folded, date_of_birth, email, phone_number, external_id, status, language)
    select $1, $2, clinician_id, clinic_id, $4, $5, $6, $7, $8, $9, $10, $11, $12
    from casenote.clinicians where tenant_id = $1 and clinician_id = $3
    returning clinic_id as "clinicId", created_at as "createdAt"`,
  values: [
    tenant.tenantId,
    row.clientId,
    row.clinicianId,
    row.firstName,
    row.lastName,
    row.nameFolded,
    row.dateOfBirth,
    row.email,
    row.phoneNumber,
    row.externalId,
    status,
    row.language ?? null,
  ],
})

export const updateClient = (tenant: TenantScope, row: Omit<NewClientRow, 'clinicianId'>): Statement => ({
  name: 'update_client',
  text: `update casenote.clients set first_name = $3, last_name = $4, name_folded = $5, date_of_birth = $6, email = $7,
      phone_number = $8, external_id = $9, language = $10
    where tenant_id = $1 and client_id = $2`,
  values: [
    tenant.tenantId,
    row.clientId,
    row.firstName,
    row.lastName,
    row.nameFolded,
    row.dateOfBirth,
    row.email,
    row.phoneNumber,
    row.externalId,
    row.language ?? null,
  ],
})

export const deleteClientPrograms = (tenant: TenantScope, clientId: ClientId): Statement => ({
  name: 'delete_client_programs',
  text: 'delete from casenote.client_programs where tenant_id = $1 and client_id = $2',
  values: [tenant.tenantId, clientId],
})

/** Puts a client into programs, in the order given. */
export const insertClientPrograms = (
  tenant: TenantScope,
  clientId: ClientId,
  programIds: readonly ProgramId[],
): Statement => ({
  name: 'insert_client_programs',
  text: `insert into casenote.client_programs (tenant_id, client_id, program_id)
    select $1, $2, p.id from unnest($3::uuid[]) with ordinality p (id, position) order by p.position`,
  values: [tenant.tenantId, clientId, programIds],
})

/** The page and the count of a client's programs. */
export const selectProgramsOfClient = (
  tenant: TenantScope,
  clientId: ClientId,
  page: AskedPage,
): [Statement<UnitRow>, Statement<{ total: number }>] => [
  {
    ...namedForPage('select_programs_of_client', page),
    text: `select p.program_id as id, p.organization_id as "organizationId", p.name, p.created_at as "createdAt"
      from casenote.client_programs cp
      join casenote.programs p on p.tenant_id = cp.tenant_id and p.program_id = cp.program_id
      where cp.tenant_id = $1 and cp.client_id = $2 order by cp.seq limit ${page.size} offset $3`,
    values: [tenant.tenantId, clientId, skippedBefore(page)],
  },
  {
    name: 'count_programs_of_client',
    text: 'select count(*) as total from casenote.client_programs where tenant_id = $1 and client_id = $2',
    values: [tenant.tenantId, clientId],
  },
]

/** The client's clinic is the new primary clinician's. */
export const updatePrimaryClinician = (
  tenant: TenantScope,
  clientId: ClientId,
  { clinicianId, clinicId }: { clinicianId: ClinicianId; clinicId: ClinicId },
): Statement => ({
  name: 'update_primary_clinician',
  text: `update casenote.clients set clinician_id = $3, clinic_id = $4 where tenant_id = $1 and client_id = $2`,
  values: [tenant.tenantId, clientId, clinicianId, clinicId],
})

/**
 * Compare and set: of two changes at once the later one finds the status that the first has left. The id is given to
 * both sides: joined by it, a table without statistics was read by tenant, 12 ms a change instead of 0.9.
 */
export const updateStatus = (
  tenant: TenantScope,
  clientId: ClientId,
  { from, to }: { from: readonly ClientStatus[]; to: ClientStatus | 'before' },
): Statement<{ fromStatus: ClientStatus; toStatus: ClientStatus }> => ({
  name: 'update_client_status',
  text: `update casenote.clients c
    set status = case when $4 = 'before' then c.status_before_archive else $4 end,
      status_before_archive = case when $4 = 'archived' then c.status end
    from (select status from casenote.clients where tenant_id = $1 and client_id = $2 for update) old
    where c.tenant_id = $1 and c.client_id = $2 and old.status = any($3)
    returning old.status as "fromStatus", c.status as "toStatus"`,
  values: [tenant.tenantId, clientId, from, to],
})

export const insertStatusHistory = (
  tenant: TenantScope,
  clientId: ClientId,
  change: { action: string; fromStatus: ClientStatus | null; toStatus: ClientStatus },
): Statement => ({
  name: 'insert_client_status_history',
  text: `insert into casenote.client_status_history (tenant_id, client_id, action, from_status, to_status)
    values ($1, $2, $3, $4, $5)`,
  values: [tenant.tenantId, clientId, change.action, change.fromStatus, change.toStatus],
})

/** Whether a clinician treats a client, as primary or as secondary. */
export const selectTreats = (
  tenant: TenantScope,
  clientId: ClientId,
  clinicianId: ClinicianId,
): Statement<{ treats: boolean }> => ({
  name: 'select_clinician_treats_client',
  text: `select exists (select from casenote.clients
      where tenant_id = $1 and client_id = $2 and clinician_id = $3)
    or exists (select from casenote.secondary_clinicians
      where tenant_id = $1 and client_id = $2 and clinician_id = $3) as treats`,
  values: [tenant.tenantId, clientId, clinicianId],
})

/** For the operator, who names a client without their partner. By tenant, as the primary key goes. */
export const findClientAnywhere = (clientId: ClientId): Statement<TenantScope> => ({
  text: `select c.tenant_id as "tenantId" from casenote.tenants t
    join casenote.clients c on c.tenant_id = t.tenant_id and c.client_id = $1`,
  values: [clientId],
})

/** Whether another client has this external id. */
export const selectClientOfExternalId = (
  tenant: TenantScope,
  externalId: string,
  exceptId: ClientId,
): Statement<{ id: ClientId }> => ({
  name: 'select_client_of_external_id',
  text: `select client_id as id from casenote.clients
    where tenant_id = $1 and external_id = $2 and client_id <> $3 order by seq limit 1`,
  values: [tenant.tenantId, externalId, exceptId],
})

/** Oldest first; nobody is archived and brought back more often. */
export const selectStatusHistory = (tenant: TenantScope, clientId: ClientId): Statement => ({
  text: `select action, from_status as "fromStatus", to_status as "toStatus", changed_at as "changedAt"
    from casenote.client_status_history where tenant_id = $1 and client_id = $2 order by seq limit 10000`,
  values: [tenant.tenantId, clientId],
})
