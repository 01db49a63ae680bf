import type { Statement } from '../../kernel/db/database.js'
import type { TenantScope } from '../../kernel/tenant.js'

export interface CheckModesRow {
  signingChecks: Readonly<Record<string, string>>
}

export const selectCheckModes = (tenant: TenantScope): Statement<CheckModesRow> => ({
  name: 'select_check_modes',
  text: 'select signing_checks as "signingChecks" from casenote.tenants where tenant_id = $1',
  values: [tenant.tenantId],
})
