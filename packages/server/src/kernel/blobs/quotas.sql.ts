import type { Statement } from '../db/database.js'
import type { ClinicianId } from '../ids.js'
import type { TenantScope } from '../tenant.js'

export type QuotaName = 'clinician_stored_bytes' | 'stored_bytes' | 'clinician_open_uploads' | 'open_uploads'

/**
 * The quota that has no room for so many more bytes, or none for the uploads that are open by now. Null: all have. After what was
 * added, in its transaction: the triggers have locked both rows by then, so of any number at once none slips through.
 */
export const selectFullQuota = (
  tenant: TenantScope,
  asked: { clinicianId: ClinicianId | null; moreBytes: number; opensUpload: boolean },
): Statement<{ quota: QuotaName | null }> => ({
  name: 'select_full_quota',
  text: `select case
      when c.stored_bytes + $3 > t.clinician_stored_bytes_max then 'clinician_stored_bytes'
      when u.stored_bytes + $3 > t.stored_bytes_max then 'stored_bytes'
      when $4 and c.open_uploads > t.clinician_open_uploads_max then 'clinician_open_uploads'
      when $4 and u.open_uploads > t.open_uploads_max then 'open_uploads'
    end as quota
    from casenote.tenants t
    left join casenote.tenant_usage u on u.tenant_id = t.tenant_id
    left join casenote.clinician_usage c on c.tenant_id = t.tenant_id and c.clinician_id = $2
    where t.tenant_id = $1`,
  values: [tenant.tenantId, asked.clinicianId, asked.moreBytes, asked.opensUpload],
})

/** A door: what is stored and on its way, of all tenants. */
export const describeUsage = (): Statement<{ storedBytes: number; openUploads: number }> => ({
  name: 'describe_usage',
  text: 'select stored_bytes as "storedBytes", open_uploads as "openUploads" from casenote.describe_usage()',
  values: [],
})
