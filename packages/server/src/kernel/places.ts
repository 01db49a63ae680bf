import type { TenantId } from './ids.js'

/** Who asks for a place. */
export interface PlaceTaker {
  tenantId: TenantId
  /** The tenant whose place it is. */
  owner: string
}

/**
 * So many at once and no more, and so many for one owner; whoever finds none is told, and does not wait in memory. A tenant has
 * as many as it leaves free, so the first takes half of them, the next half of the rest, and one that has none finds one.
 */
export class Places {
  readonly #most: number
  readonly #ofOwnerMost: number
  /** Owners and tenants that hold any. */
  readonly #owners = new Map<string, number>()
  readonly #tenants = new Map<TenantId, number>()
  #taken = 0

  constructor(most: number, ofOwnerMost: number) {
    this.#most = most
    this.#ofOwnerMost = ofOwnerMost
  }

  /** Null: none is left, or none for them. Else what gives the place back, once. */
  take(taker: PlaceTaker): (() => void) | null {
    const ofTenant = this.#tenants.get(taker.tenantId) ?? 0
    if (ofTenant >= this.#most - this.#taken || this.hasAll(taker)) return null
    this.#add(taker, 1)
    let isTaken = true
    return () => {
      if (isTaken) this.#add(taker, -1)
      isTaken = false
    }
  }

  /** Whether the owner has as many as one may have. */
  hasAll({ owner }: PlaceTaker): boolean {
    return (this.#owners.get(owner) ?? 0) >= this.#ofOwnerMost
  }

  #add({ owner, tenantId }: PlaceTaker, change: 1 | -1): void {
    this.#taken += change
    addTo(this.#owners, owner, change)
    addTo(this.#tenants, tenantId, change)
  }
}

function addTo(counts: Map<string, number>, key: string, change: 1 | -1): void {
  const taken = (counts.get(key) ?? 0) + change
  if (taken === 0) counts.delete(key)
  else counts.set(key, taken)
}
