import type { Database } from '../db/database.js'
import { onlyRow } from '../db/only-row.js'
import { relaxDurability } from '../db/relax-durability.sql.js'
import type { ClinicianId } from '../ids.js'
import type { TenantScope } from '../tenant.js'
import type { Bucket } from './bucket-share.js'
import { leaseClinicianTokens } from './lease-clinician-tokens.sql.js'
import type { Lease, LeaseAsk } from './lease-tokens.sql.js'
import type { TenantLimits } from './verdict.js'

/**
 * A screen asks for five things at once, a recording that catches up over a fast line sends some 30 parts of a
 * megabyte a second, and a clinician may have several browsers: nobody's widget comes near this, only what got hold of
 * a token does.
 */
export const clinicianLimits: TenantLimits = { ratePerSecond: 50, burst: 500, perDay: Infinity }

/** Ahead of what waits: a screen's requests cost one statement. What is not spent fills up again in half a second. */
const sharedAhead = 25

/** One clinician's bucket in the database. Written through `Database.read`, as a tenant's. */
export class ClinicianBucket implements Bucket {
  readonly #db: Database
  readonly #tenant: TenantScope
  readonly #clinicianId: ClinicianId

  constructor(db: Database, tenant: TenantScope, clinicianId: ClinicianId) {
    this.#db = db
    this.#tenant = tenant
    this.#clinicianId = clinicianId
  }

  async lease({ waiting, inHand }: LeaseAsk): Promise<Lease> {
    const asked = waiting + Math.max(0, sharedAhead - inHand)
    const statement = leaseClinicianTokens(this.#tenant, {
      clinicianId: this.#clinicianId,
      asked,
      ...clinicianLimits,
    })
    const [, leases] = await this.#db.read(this.#tenant, relaxDurability, statement)
    return { ...onlyRow(leases), shareMost: sharedAhead, dayLeft: Infinity, day: '', dayEndsInMs: 0 }
  }

  /** Not worth a statement: the bucket is full again before it has run. */
  async giveBack(): Promise<void> {}
}
