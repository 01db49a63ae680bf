import { skippedBefore, type AskedPage } from '@casenote/contract'
import type { Statement } from '../../kernel/db/database.js'
import { namedForPage } from '../../kernel/db/page-statement.js'
import type { ClientId, ClinicianId } from '../../kernel/ids.js'
import type { TenantScope } from '../../kernel/tenant.js'
import { clinicianColumns, type ClinicianRow } from '../clinicians/index.js'

/** Assigns secondary clinicians in the order given; who is assigned already stays where they were. */
export const insertSecondaryClinicians = (
  tenant: TenantScope,
  clientId: ClientId,
  clinicianIds: readonly ClinicianId[],
): Statement => ({
  name: 'insert_secondary_clinicians',
  text: `insert into casenote.secondary_clinicians (tenant_id, client_id, clinician_id)
    select $1, $2, g.id from unnest($3::uuid[]) with ordinality g (id, position) order by g.position
    on conflict do nothing`,
  values: [tenant.tenantId, clientId, clinicianIds],
})

export const deleteSecondaryClinician = (
  tenant: TenantScope,
  clientId: ClientId,
  clinicianId: ClinicianId,
): Statement => ({
  name: 'delete_secondary_clinician',
  text: `delete from casenote.secondary_clinicians
    where tenant_id = $1 and client_id = $2 and clinician_id = $3 returning clinician_id`,
  values: [tenant.tenantId, clientId, clinicianId],
})

export const selectSecondaryIds = (
  tenant: TenantScope,
  clientId: ClientId,
): Statement<{ clinicianId: ClinicianId }> => ({
  name: 'select_secondary_ids',
  text: `select clinician_id as "clinicianId" from casenote.secondary_clinicians
    where tenant_id = $1 and client_id = $2 order by seq`,
  values: [tenant.tenantId, clientId],
})

/** The page and the count. */
export const selectSecondaryClinicians = (
  tenant: TenantScope,
  clientId: ClientId,
  page: AskedPage,
): [Statement<ClinicianRow>, Statement<{ total: number }>] => [
  {
    ...namedForPage('select_secondary_clinicians', page),
    text: `select ${clinicianColumns} from casenote.secondary_clinicians s
      join casenote.clinicians c on c.tenant_id = s.tenant_id and c.clinician_id = s.clinician_id
      join casenote.clinics k on k.tenant_id = c.tenant_id and k.clinic_id = c.clinic_id
      where s.tenant_id = $1 and s.client_id = $2 order by s.seq limit ${page.size} offset $3`,
    values: [tenant.tenantId, clientId, skippedBefore(page)],
  },
  {
    name: 'count_secondary_clinicians',
    text: 'select count(*) as total from casenote.secondary_clinicians where tenant_id = $1 and client_id = $2',
    values: [tenant.tenantId, clientId],
  },
]
