import type { TenantScope } from './tenant.js'

/** How long a find is good, which is as long as the directory of tenants may be behind (ARCHITECTURE.md, invariant 6). */
const goodForMs = 4_000

/** Some megabytes at most; what is dropped is read again. */
const entriesMax = 10_000

/**
 * Remembers for a moment whose an id is, for the parents of lists and creates: clinics and clinicians never move and
 * are never removed, so only what is fixed about them belongs here. It saves every list and create one of its two
 * round trips. What was not found is not remembered: it may be created in the next moment.
 */
export class RecentFinds<Found> {
  readonly #nowMs: () => number
  readonly #entries = new Map<string, { found: Found; untilMs: number }>()

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs
  }

  async find(tenant: TenantScope, id: string, read: () => Promise<Found | null>): Promise<Found | null> {
    const key = `${tenant.tenantId} ${id}`
    const entry = this.#entries.get(key)
    if (entry !== undefined && entry.untilMs > this.#nowMs()) return entry.found
    const found = await read()
    if (found === null) return null
    if (this.#entries.size >= entriesMax) this.#entries.clear()
    this.#entries.set(key, { found, untilMs: this.#nowMs() + goodForMs })
    return found
  }
}
