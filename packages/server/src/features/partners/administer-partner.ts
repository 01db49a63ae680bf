import type { CheckModes } from '@casenote/contract'
import { recordChange } from '../../kernel/audit/index.js'
import type { Database, Statement } from '../../kernel/db/database.js'
import { refuse } from '../../kernel/refuse.js'
import type { TenantScope } from '../../kernel/tenant.js'
import { operator } from '../../kernel/operator.js'
import {
  updateEmbeddingOrigins,
  updateLimits,
  updateNothingTwice,
  updateNotReadyStatus,
  updatePartnerErasure,
  updateQuotas,
  updateRequiresConsent,
  updateSigningChecks,
  updateSignInOrigins,
  updateSuspension,
  type NothingTwice,
  type Quotas,
} from './partners.sql.js'

/** A suspended partner's key, tokens and widgets stop working; its data stays. */
export const suspendPartner = (db: Database, tenant: TenantScope): Promise<void> =>
  change(db, tenant, 'partner.suspend', updateSuspension(tenant, true))

export const resumePartner = (db: Database, tenant: TenantScope): Promise<void> =>
  change(db, tenant, 'partner.resume', updateSuspension(tenant, false))

export const setLimits = (
  db: Database,
  tenant: TenantScope,
  limits: { ratePerSecond: number | null; burst: number | null; perDay: number | null },
): Promise<void> => change(db, tenant, 'partner.setLimits', updateLimits(tenant, limits))

/** What is stored beyond a quota that was lowered stays; nothing more is taken until there is room. */
export const setQuotas = (db: Database, tenant: TenantScope, quotas: Partial<Quotas>): Promise<void> =>
  change(db, tenant, 'partner.setQuotas', updateQuotas(tenant, quotas))

/** Null: any origin, which the database allows for a sandbox only. */
export const setOrigins = (db: Database, tenant: TenantScope, origins: string[] | null): Promise<void> =>
  change(db, tenant, 'partner.setOrigins', updateEmbeddingOrigins(tenant, origins))

/** The pages on which the widget signs clinicians in by itself, each by name; null: none (decision 0030). */
export const setSignIn = (db: Database, tenant: TenantScope, origins: string[] | null): Promise<void> =>
  change(db, tenant, 'partner.setSignIn', updateSignInOrigins(tenant, origins))

/** 404 is what the contract announces for an artifact that has not been made yet; 200 what it does today. */
export const setNotReadyStatus = (db: Database, tenant: TenantScope, status: 200 | 404): Promise<void> =>
  change(db, tenant, 'partner.setNotReadyStatus', updateNotReadyStatus(tenant, status))

/** Each off by default, as the contract has it (decision 0034). What exists twice when it is switched on stays. */
export const setNothingTwice = (db: Database, tenant: TenantScope, wanted: NothingTwice): Promise<void> =>
  change(db, tenant, 'partner.setNothingTwice', updateNothingTwice(tenant, wanted))

/** Sets what each check before signing does. By default all warn in the widget and none blocks (decision 0041). */
export const setSigningChecks = (
  db: Database,
  tenant: TenantScope,
  modes: Partial<CheckModes>,
): Promise<void> => change(db, tenant, 'partner.setSigningChecks', updateSigningChecks(tenant, modes))

/** Off by default: only the operator erases (decision 0042). */
export const setPartnerErasure = (db: Database, tenant: TenantScope, isAllowed: boolean): Promise<void> =>
  change(db, tenant, 'partner.setErasure', updatePartnerErasure(tenant, isAllowed))

/** Whether recordings need the client's consent, however they come (decision 0048). */
export const setRequiresConsent = (db: Database, tenant: TenantScope, isRequired: boolean): Promise<void> =>
  change(db, tenant, 'partner.setConsent', updateRequiresConsent(tenant, isRequired))

async function change(
  db: Database,
  tenant: TenantScope,
  operation: string,
  statement: Statement,
): Promise<void> {
  await db.write(tenant, async (tx) => {
    if ((await tx.run(statement)).length === 0) throw refuse.notFound()
    await recordChange(tx, { ...operator, operation, subjects: [tenant.tenantId] })
  })
}
