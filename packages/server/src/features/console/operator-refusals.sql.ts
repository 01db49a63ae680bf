import type { Statement } from '../../kernel/db/database.js'
import type { ConsoleUserId } from '../../kernel/ids.js'
import type { TenantScope } from '../../kernel/tenant.js'

interface OperatorRefusal {
  userId: ConsoleUserId
  operation: 'console.refuse' | 'console.lock'
  requestId: string
}

/** Whoever knows a name can add to it, as fast as their address may: the newest are kept. */
const refusalsMax = 10_000

export const insertOperatorRefusal = (tenant: TenantScope, refusal: OperatorRefusal): Statement => ({
  text: `with added as (
      insert into casenote.operator_refusals (tenant_id, user_id, operation, request_id) values ($1, $2, $3, $4)
      returning refusal_id
    ) delete from casenote.operator_refusals r using added a
      where r.tenant_id = $1 and r.refusal_id <= a.refusal_id - ${refusalsMax}`,
  values: [tenant.tenantId, refusal.userId, refusal.operation, refusal.requestId],
})

export interface OperatorRefusalRow {
  at: Date
  /** Null: they were removed since. */
  name: string | null
  operation: OperatorRefusal['operation']
}

/** Who was turned away from the operator's console. Only the owner may read it. */
export const selectOperatorRefusals = (tenant: TenantScope, most: number): Statement<OperatorRefusalRow> => ({
  text: `select r.at, u.name, r.operation from casenote.operator_refusals r
    left join casenote.operator_users u on u.tenant_id = r.tenant_id and u.user_id = r.user_id
    where r.tenant_id = $1 order by r.refusal_id desc limit $2`,
  values: [tenant.tenantId, most],
})
