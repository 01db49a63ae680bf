import type { Partner } from '@casenote/contract'
import type { Database } from '../../kernel/db/database.js'
import type { TenantScope } from '../../kernel/tenant.js'
import { readCheckModes } from '../signing-checks/index.js'
import { selectPrimaryUrl } from '../webhooks/index.js'
import { selectTenant } from './partners.sql.js'

export async function readPartner(db: Database, tenant: TenantScope): Promise<Partner> {
  const [tenants, endpoints] = await db.read(tenant, selectTenant(tenant), selectPrimaryUrl(tenant))
  const row = tenants[0]
  if (row === undefined) throw new Error('a partner that was let in is gone')
  return {
    id: row.tenantId,
    name: row.name,
    environment: row.environment,
    callbackUrl: endpoints[0]?.url ?? null,
    limits: { ratePerSecond: row.ratePerSecond, burst: row.burst, perDay: row.perDay },
    idempotency: row.idempotency,
    uniqueExternalIds: row.uniqueExternalIds,
    signingChecks: readCheckModes(row.signingChecks),
    partnerErasure: row.partnerErasure,
    requiresRecordingConsent: row.requiresConsent,
    createdAt: row.createdAt.toISOString(),
  }
}
