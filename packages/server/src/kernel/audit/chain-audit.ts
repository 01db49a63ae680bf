import type { Clock } from '../clock.js'
import type { Database } from '../db/database.js'
import type { TenantId } from '../ids.js'
import type { TenantKeys } from '../secrets/tenant-keys.js'
import type { TenantScope } from '../tenant.js'
import type { Anchor, Anchors } from './audit-anchors.js'
import { newestAuditKey } from './audit-keys.js'
import { listUnchainedTenants } from './audit.sql.js'
import { chainTenant, type Chained } from './chain-tenant.js'

interface ChainParts {
  db: Database
  keys: TenantKeys
  clock: Clock
  /** The worker's own: one per process. */
  writerId: string
  /** What this worker keeps outside the database; null: nothing yet. */
  anchors: Anchors | null
}

export interface ChainReport {
  changes: number
  checkpoints: number
  /** For `writeAnchors`: the newest checkpoint of every tenant that got one. */
  anchors: Anchors
  /**
   * Tenants whose checkpoints no longer contain the anchored one: the log was cut, or the database restored from a
   * backup. Their anchor is not moved on, so that `verifyAudit` goes on telling.
   */
  diverged: readonly string[]
  /** The other tenants were chained all the same; the next pass tries these again. */
  failures: readonly { tenantId: TenantId; error: unknown }[]
}

const beforeAllTenants = '00000000-0000-0000-0000-000000000000'
const tenantPageMax = 1_000

/** Tenants at a time: most of a tenant's few milliseconds is waiting for the commit. */
const lanes = 4

/**
 * One pass over all tenants that need it: chains the changes, then signs the heads that moved, whoever moved them.
 * Each tenant is one transaction, so that a kill leaves nothing half done, and several workers may pass at once. Decision 0005.
 */
export async function chainAudit(parts: ChainParts): Promise<ChainReport> {
  const pass = new ChainPass(parts)
  let after = beforeAllTenants
  let page: { tenantId: TenantId }[]
  do {
    page = await parts.db.throughDoor(listUnchainedTenants(after, tenantPageMax))
    const next = page.values()
    const workThrough = async (): Promise<void> => {
      for (const tenant of next) await pass.chain(tenant)
    }
    await Promise.all(Array.from({ length: Math.min(lanes, page.length) }, workThrough))
    after = page.at(-1)?.tenantId ?? after
  } while (page.length === tenantPageMax)
  return pass
}

class ChainPass implements ChainReport {
  readonly #parts: ChainParts
  readonly anchors = new Map<string, Anchor>()
  readonly diverged: string[] = []
  readonly failures: { tenantId: TenantId; error: unknown }[] = []
  changes = 0
  checkpoints = 0

  constructor(parts: ChainParts) {
    this.#parts = parts
  }

  async chain(tenant: TenantScope): Promise<void> {
    try {
      let chained: Chained | null
      do {
        chained = await this.#chainOnce(tenant)
        if (chained !== null) this.#count(tenant, chained)
      } while (chained?.hasMoreChanges === true)
    } catch (error) {
      this.failures.push({ tenantId: tenant.tenantId, error })
    }
  }

  async #chainOnce(tenant: TenantScope): Promise<Chained | null> {
    const { db, keys, clock, writerId, anchors } = this.#parts
    // Before the transaction: to ask for keys while one has a connection could empty the pool.
    const key = newestAuditKey(await keys.get(tenant))
    const anchor = this.anchors.get(tenant.tenantId) ?? anchors?.get(tenant.tenantId) ?? null
    return db.write(tenant, (tx) => chainTenant(tx, { key, writerId, nowMs: clock.nowMs(), anchor }))
  }

  #count({ tenantId }: TenantScope, { changes, anchor, hasDiverged }: Chained): void {
    this.changes += changes
    if (anchor === null) return
    this.checkpoints += 1
    if (!hasDiverged) this.anchors.set(tenantId, anchor)
    else if (!this.diverged.includes(tenantId)) this.diverged.push(tenantId)
  }
}
