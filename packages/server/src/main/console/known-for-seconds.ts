import { dropOldest } from '../../kernel/drop-oldest.js'
import type { TenantId } from '../../kernel/ids.js'

interface Known<Value> {
  value: Promise<Value>
  sinceMs: number
}

/** Beyond so many tenants the one that was asked for longest ago is counted again. */
const tenantsMax = 1_000

/** A little less than a screen waits before it asks again: it never sees the same count twice. */
export const screenSeconds = 4

/** What is dear to count, counted once for all who look at a tenant within some seconds. */
export class KnownForSeconds<Value> {
  readonly #goodMs: number
  /** In the order of their counting. */
  readonly #known = new Map<string, Known<Value>>()

  constructor(seconds: number) {
    this.#goodMs = seconds * 1_000
  }

  get(tenantId: TenantId, count: () => Promise<Value>): Promise<Value> {
    const nowMs = performance.now()
    const before = this.#known.get(tenantId)
    if (before !== undefined && nowMs - before.sinceMs < this.#goodMs) return before.value
    const known = { value: count(), sinceMs: nowMs }
    this.#known.delete(tenantId)
    this.#known.set(tenantId, known)
    if (this.#known.size > tenantsMax) dropOldest(this.#known)
    // A failure is told to those who wait for it, and not kept.
    known.value.catch(() => this.#known.get(tenantId) === known && this.#known.delete(tenantId))
    return known.value
  }
}
