import type { Database } from '../db/database.js'
import type { TenantScope } from '../tenant.js'
import type { Bucket } from './bucket-share.js'
import { leaseTokens, type Lease, type LeaseAsk } from './lease-tokens.sql.js'
import { openBucket } from './open-bucket.sql.js'
import { relaxDurability } from '../db/relax-durability.sql.js'
import { returnTokens } from './return-tokens.sql.js'

/**
 * One tenant's bucket in the database. All of this writes, through `Database.read`: that is one implicit
 * transaction in one round trip, where `write` takes three and would keep the row locked between them.
 */
export class TenantBucket implements Bucket {
  readonly #db: Database
  readonly #tenant: TenantScope

  constructor(db: Database, tenant: TenantScope) {
    this.#db = db
    this.#tenant = tenant
  }

  async lease(ask: LeaseAsk): Promise<Lease> {
    const statement = leaseTokens(this.#tenant, ask)
    const [, leases] = await this.#db.read(this.#tenant, relaxDurability, statement)
    return leases[0] ?? this.#openAndLease(ask)
  }

  async giveBack(tokens: number, day: string): Promise<void> {
    await this.#db.read(this.#tenant, relaxDurability, returnTokens(this.#tenant, tokens, day))
  }

  async #openAndLease(ask: LeaseAsk): Promise<Lease> {
    const opening = openBucket(this.#tenant)
    const [, , leases] = await this.#db.read(
      this.#tenant,
      relaxDurability,
      opening,
      leaseTokens(this.#tenant, ask),
    )
    const [lease] = leases
    if (lease === undefined) throw new Error('a tenant without a row has no limits')
    return lease
  }
}
