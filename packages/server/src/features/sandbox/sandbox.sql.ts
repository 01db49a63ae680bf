import type { FaultStatus } from '@casenote/contract'
import type { Statement } from '../../kernel/db/database.js'
import type { TenantScope } from '../../kernel/tenant.js'

/** What the other rows of a sandbox hang on. For a production tenant the database refuses it. */
export const openSettings = (tenant: TenantScope): Statement => ({
  name: 'open_sandbox_settings',
  text: 'insert into casenote.sandbox_settings (tenant_id) values ($1) on conflict (tenant_id) do nothing',
  values: [tenant.tenantId],
})

/** Every partner token until now has expired: those signed from here on name the next number. */
export const raiseTokenEpoch = (tenant: TenantScope): Statement => ({
  name: 'raise_sandbox_token_epoch',
  text: `update casenote.sandbox_settings set token_epoch = token_epoch + 1 where tenant_id = $1`,
  values: [tenant.tenantId],
})

/** No row: less than a second ago was the last time. Whoever asks at once waits for the other's commit. */
export const takeTurn = (tenant: TenantScope, column: 'expired_at' | 'provoked_at'): Statement => ({
  name: `take_sandbox_turn_${column}`,
  text: `update casenote.sandbox_settings set ${column} = clock_timestamp()
    where tenant_id = $1 and (${column} is null or ${column} <= clock_timestamp() - interval '1 second') returning 1 as taken`,
  values: [tenant.tenantId],
})

export interface FaultRow {
  status: FaultStatus
  asked: number
  remaining: number
  pathPrefix: string
  createdAt: Date
}

const faultColumns = 'status, asked, remaining, path_prefix as "pathPrefix", created_at as "createdAt"'

export const replaceFault = (
  tenant: TenantScope,
  { status, asked, pathPrefix }: Pick<FaultRow, 'status' | 'asked' | 'pathPrefix'>,
): Statement<FaultRow> => ({
  name: 'replace_sandbox_fault',
  text: `insert into casenote.sandbox_faults (tenant_id, status, asked, remaining, path_prefix)
    values ($1, $2, $3, $3, $4)
    on conflict (tenant_id) do update set status = excluded.status, asked = excluded.asked,
      remaining = excluded.remaining, path_prefix = excluded.path_prefix, created_at = now()
    returning ${faultColumns}`,
  values: [tenant.tenantId, status, asked, pathPrefix],
})

export const selectFault = (tenant: TenantScope): Statement<FaultRow> => ({
  name: 'select_sandbox_fault',
  text: `select ${faultColumns} from casenote.sandbox_faults where tenant_id = $1`,
  values: [tenant.tenantId],
})

export const deleteFault = (tenant: TenantScope): Statement => ({
  name: 'delete_sandbox_fault',
  text: 'delete from casenote.sandbox_faults where tenant_id = $1',
  values: [tenant.tenantId],
})

/**
 * Takes one of the faults that were asked for. Of several calls at once, in whichever processes, each takes another: the row's lock is
 * their turn.
 */
export const takeFault = (tenant: TenantScope, path: string): Statement<Pick<FaultRow, 'status'>> => ({
  name: 'take_sandbox_fault',
  text: `update casenote.sandbox_faults set remaining = remaining - 1
    where tenant_id = $1 and remaining > 0 and starts_with($2, path_prefix) returning status`,
  values: [tenant.tenantId, path],
})
