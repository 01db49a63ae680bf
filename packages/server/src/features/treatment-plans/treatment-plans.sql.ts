import { skippedBefore, type AskedPage, type NoteSigner, type PlanStatus } from '@casenote/contract'
import type { Statement } from '../../kernel/db/database.js'
import { namedForPage } from '../../kernel/db/page-statement.js'
import type { ClientId, PlanId, SignerId } from '../../kernel/ids.js'
import type { TenantScope } from '../../kernel/tenant.js'

/** A plan with its newest version. */
export interface PlanRow extends SignedVersion {
  planId: PlanId
  clientId: ClientId
  status: PlanStatus
  createdAt: Date
  updatedAt: Date
  endedAt: Date | null
}

export interface SignedVersion {
  version: number
  sealedPlan: Buffer
  signerKind: NoteSigner['kind'] | null
  signerId: SignerId | null
  signerName: string | null
  signedAt: Date | null
}

export interface PlanVersionRow extends SignedVersion {
  versionId: string
  createdAt: Date
}

const versionColumns = `v.version, v.sealed_plan as "sealedPlan", v.signed_by_kind as "signerKind",
  v.signed_by_id as "signerId", v.signed_at as "signedAt",
  case when v.signed_by_kind = 'clinician' then
    (select c.first_name || ' ' || c.last_name from casenote.clinicians c
      where c.tenant_id = v.tenant_id and c.clinician_id = v.signed_by_id) end as "signerName"`

const planColumns = `p.plan_id as "planId", p.client_id as "clientId", p.status, p.created_at as "createdAt",
  p.updated_at as "updatedAt", p.ended_at as "endedAt", ${versionColumns}`

const planTables = `casenote.treatment_plans p
  join casenote.treatment_plan_versions v
    on v.tenant_id = p.tenant_id and v.plan_id = p.plan_id and v.version = p.version`

export const selectPlan = (tenant: TenantScope, planId: PlanId): Statement<PlanRow> => ({
  name: 'select_treatment_plan',
  text: `select ${planColumns} from ${planTables} where p.tenant_id = $1 and p.plan_id = $2`,
  values: [tenant.tenantId, planId],
})

/** With the newest version that is signed: the client is treated by no other. */
export const selectActivePlan = (tenant: TenantScope, clientId: ClientId): Statement<PlanRow> => ({
  name: 'select_active_treatment_plan',
  text: `select ${planColumns} from casenote.treatment_plans p
    join casenote.treatment_plan_versions v on v.tenant_id = p.tenant_id and v.plan_id = p.plan_id
      and v.version = (select max(s.version) from casenote.treatment_plan_versions s
        where s.tenant_id = p.tenant_id and s.plan_id = p.plan_id and s.signed_at is not null)
    where p.tenant_id = $1 and p.client_id = $2 and p.status = 'active'`,
  values: [tenant.tenantId, clientId],
})

export const selectPlans = (
  tenant: TenantScope,
  clientId: ClientId,
  page: AskedPage,
): Statement<PlanRow> => ({
  ...namedForPage('select_treatment_plans', page),
  text: `select ${planColumns} from ${planTables} where p.tenant_id = $1 and p.client_id = $2
    order by p.seq limit ${page.size} offset $3`,
  values: [tenant.tenantId, clientId, skippedBefore(page)],
})

/** For the widget, which shows what is current: the active one, drafts, then what has ended, newest first. */
export const selectNewestPlans = (
  tenant: TenantScope,
  clientId: ClientId,
  most: number,
): Statement<PlanRow> => ({
  name: 'select_newest_treatment_plans',
  text: `select ${planColumns} from ${planTables} where p.tenant_id = $1 and p.client_id = $2
    order by array_position(array['active', 'draft', 'ended'], p.status), p.seq desc limit ${most}`,
  values: [tenant.tenantId, clientId],
})

export const countPlans = (tenant: TenantScope, clientId: ClientId): Statement<{ total: number }> => ({
  name: 'count_treatment_plans',
  text: 'select count(*) as total from casenote.treatment_plans where tenant_id = $1 and client_id = $2',
  values: [tenant.tenantId, clientId],
})

export const selectPlanVersions = (
  tenant: TenantScope,
  planId: PlanId,
  page: AskedPage,
): Statement<PlanVersionRow> => ({
  ...namedForPage('select_treatment_plan_versions', page),
  text: `select v.version_id as "versionId", v.created_at as "createdAt", ${versionColumns}
    from casenote.treatment_plan_versions v where v.tenant_id = $1 and v.plan_id = $2
    order by v.version limit ${page.size} offset $3`,
  values: [tenant.tenantId, planId, skippedBefore(page)],
})

export interface PlanHistoryRow {
  action: string
  fromStatus: PlanStatus | null
  toStatus: PlanStatus
  version: number
  changedAt: Date
}

/** At most one row for each version and for each of the three states. */
export const selectPlanHistory = (tenant: TenantScope, planId: PlanId): Statement<PlanHistoryRow> => ({
  text: `select action, from_status as "fromStatus", to_status as "toStatus", version, changed_at as "changedAt"
    from casenote.treatment_plan_status_history where tenant_id = $1 and plan_id = $2 order by seq`,
  values: [tenant.tenantId, planId],
})

export const insertPlan = (
  tenant: TenantScope,
  { planId, clientId }: { planId: PlanId; clientId: ClientId },
): Statement => ({
  name: 'insert_treatment_plan',
  text: `insert into casenote.treatment_plans (tenant_id, plan_id, client_id, status, version)
    values ($1, $2, $3, 'draft', 1)`,
  values: [tenant.tenantId, planId, clientId],
})

export const insertPlanVersion = (
  tenant: TenantScope,
  row: { planId: PlanId; version: number; versionId: string; sealedPlan: Buffer },
): Statement => ({
  name: 'insert_treatment_plan_version',
  text: `insert into casenote.treatment_plan_versions (tenant_id, plan_id, version, version_id, sealed_plan)
    values ($1, $2, $3, $4, $5)`,
  values: [tenant.tenantId, row.planId, row.version, row.versionId, row.sealedPlan],
})

/** Whoever changes it next waits. */
export const lockPlan = (tenant: TenantScope, planId: PlanId): Statement => ({
  name: 'lock_treatment_plan',
  text: 'select from casenote.treatment_plans where tenant_id = $1 and plan_id = $2 for update',
  values: [tenant.tenantId, planId],
})

export const updatePlanVersion = (tenant: TenantScope, planId: PlanId, version: number): Statement => ({
  name: 'update_treatment_plan_version',
  text: `update casenote.treatment_plans set version = $3, updated_at = now()
    where tenant_id = $1 and plan_id = $2 and version = $3 - 1 and status <> 'ended' returning plan_id`,
  values: [tenant.tenantId, planId, version],
})

/** Compare and set. */
export const updatePlanStatus = (
  tenant: TenantScope,
  planId: PlanId,
  { from, to }: { from: readonly PlanStatus[]; to: PlanStatus },
): Statement<{ fromStatus: PlanStatus }> => ({
  name: 'update_treatment_plan_status',
  text: `update casenote.treatment_plans p
    set status = $4, updated_at = now(), ended_at = case when $4 = 'ended' then now() end
    from (select status from casenote.treatment_plans where tenant_id = $1 and plan_id = $2 for update) old
    where p.tenant_id = $1 and p.plan_id = $2 and old.status = any($3) returning old.status as "fromStatus"`,
  values: [tenant.tenantId, planId, from, to],
})

export const insertPlanHistory = (
  tenant: TenantScope,
  planId: PlanId,
  row: { action: string; fromStatus: PlanStatus | null; toStatus: PlanStatus; version: number },
): Statement => ({
  name: 'insert_treatment_plan_history',
  text: `insert into casenote.treatment_plan_status_history (tenant_id, plan_id, action, from_status, to_status, version)
    values ($1, $2, $3, $4, $5, $6)`,
  values: [tenant.tenantId, planId, row.action, row.fromStatus, row.toStatus, row.version],
})

export const signPlanVersion = (
  tenant: TenantScope,
  row: { planId: PlanId; version: number; signer: Pick<NoteSigner, 'kind' | 'id'> },
): Statement => ({
  name: 'sign_treatment_plan_version',
  text: `update casenote.treatment_plan_versions set signed_by_kind = $4, signed_by_id = $5, signed_at = now()
    where tenant_id = $1 and plan_id = $2 and version = $3 and signed_at is null`,
  values: [tenant.tenantId, row.planId, row.version, row.signer.kind, row.signer.id],
})
