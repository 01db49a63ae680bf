import type { Clock } from '../clock.js'
import type { Database } from '../db/database.js'
import type { TenantKeys } from '../secrets/tenant-keys.js'
import type { TenantScope } from '../tenant.js'
import type { Anchor, Anchors } from './audit-anchors.js'
import { newestAuditKey } from './audit-keys.js'
import { listUnsealedTenants } from './audit.sql.js'
import { sealTenant, type Sealed } from './seal-tenant.js'

interface SealParts {
  db: Database
  keys: TenantKeys
  clock: Clock
  /** The worker's own: one per process. */
  writerId: string
  /** What this worker keeps outside the database; null: nothing yet. */
  anchors: Anchors | null
}

export interface SealReport {
  changes: number
  checkpoints: number
  /** For `writeAnchors`: the newest checkpoint of every tenant that got one. */
  anchors: Anchors
  /**
   * Tenants whose checkpoints no longer contain the anchored one: the log was cut, or the database restored from a
   * backup. Their anchor is not moved on, so that `verifyAudit` goes on telling.
   */
  diverged: readonly string[]
  /** The other tenants were sealed all the same; the next pass tries these again. */
  failures: readonly { tenantId: string; error: unknown }[]
}

const beforeAllTenants = '00000000-0000-0000-0000-000000000000'
const tenantPageMax = 1_000

/** Tenants at a time: most of a tenant's few milliseconds is waiting for the commit. */
const lanes = 4

/**
 * One pass over all tenants that need it: chains the changes, then signs the heads that moved, whoever moved them.
 * Each tenant is one transaction, so that a kill leaves nothing half done, and several workers may pass at once.
 */
export async function sealAudit(parts: SealParts): Promise<SealReport> {
  const pass = new SealPass(parts)
  let after = beforeAllTenants
  let page: { tenantId: string }[]
  do {
    page = await parts.db.throughDoor(listUnsealedTenants(after, tenantPageMax))
    const next = page.values()
    const workThrough = async (): Promise<void> => {
      for (const tenant of next) await pass.seal(tenant)
    }
    await Promise.all(Array.from({ length: Math.min(lanes, page.length) }, workThrough))
    after = page.at(-1)?.tenantId ?? after
  } while (page.length === tenantPageMax)
  return pass
}

class SealPass implements SealReport {
  readonly #parts: SealParts
  readonly anchors = new Map<string, Anchor>()
  readonly diverged: string[] = []
  readonly failures: { tenantId: string; error: unknown }[] = []
  changes = 0
  checkpoints = 0

  constructor(parts: SealParts) {
    this.#parts = parts
  }

  async seal(tenant: TenantScope): Promise<void> {
    try {
      let sealed: Sealed | null
      do {
        sealed = await this.#sealOnce(tenant)
        if (sealed !== null) this.#count(tenant, sealed)
      } while (sealed?.hasMoreChanges === true)
    } catch (error) {
      this.failures.push({ tenantId: tenant.tenantId, error })
    }
  }

  async #sealOnce(tenant: TenantScope): Promise<Sealed | null> {
    const { db, keys, clock, writerId, anchors } = this.#parts
    // Before the transaction: to ask for keys while holding a connection could empty the pool.
    const key = newestAuditKey(await keys.get(tenant))
    const anchor = this.anchors.get(tenant.tenantId) ?? anchors?.get(tenant.tenantId) ?? null
    return db.write(tenant, (tx) => sealTenant(tx, { key, writerId, nowMs: clock.nowMs(), anchor }))
  }

  #count({ tenantId }: TenantScope, { changes, anchor, hasDiverged }: Sealed): void {
    this.changes += changes
    if (anchor === null) return
    this.checkpoints += 1
    if (!hasDiverged) this.anchors.set(tenantId, anchor)
    else if (!this.diverged.includes(tenantId)) this.diverged.push(tenantId)
  }
}
