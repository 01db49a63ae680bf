import { AddressLimits } from '../../http/address-limits.js'
import { observeGuess } from '../../http/metrics.js'
import type { Clock } from '../../kernel/clock.js'
import type { Database } from '../../kernel/db/database.js'
import { DirectoryCache, type DirectoryWatch } from '../../kernel/directory-cache.js'
import type { TenantId } from '../../kernel/ids.js'
import { digestOf } from './partner-credentials.js'
import { listKeyMarks } from './partners.sql.js'

/** Some 10 MB. An installation with more keys looks every guess up. */
const marksMost = 100_000

/** Beginnings of key hashes, as `list_key_marks` cuts them: 64 bits, so that a guess is among them by chance never. */
const markOf = (apiKey: string): string => digestOf(apiKey).subarray(0, 8).toString('hex')

/** Null: there are too many to list. */
interface Known {
  marks: ReadonlySet<string> | null
  tenantIds: ReadonlySet<TenantId> | null
}

type Load<Result> = () => Promise<Result | null>

/**
 * What an address may look up that does not exist. One that has used its tries up is answered from a list of what there is,
 * read once for each version of the directory: so guessing costs the database nothing, and whoever shares the address with
 * it and has a good key is looked up as ever. Only a key that was made within the last second, and is used from such an
 * address, is not known yet.
 */
export interface Guesses {
  guardKey<Result>(address: string, apiKey: string, load: Load<Result>): Promise<Result | null>
  guardTenant<Result>(address: string, tenantId: TenantId, load: Load<Result>): Promise<Result | null>
}

export function makeGuesses(parts: { db: Database; watch: DirectoryWatch; clock: Clock }): Guesses {
  const limits = new AddressLimits(parts.clock)
  const cache = new DirectoryCache<Known>(parts.watch)
  const guard = async <Result>(
    address: string,
    load: Load<Result>,
    isListed: (known: Known) => boolean,
  ): Promise<Result | null> => {
    const { result, waitSeconds } = await limits.attempt(address, load)
    if (waitSeconds === null) {
      if (result === null) observeGuess('looked_up')
      return result
    }
    const known = await cache.get('all', () => listKnown(parts.db))
    if (known === null || isListed(known)) return load()
    observeGuess('not_looked_up')
    return null
  }
  return {
    guardKey: (address, apiKey, load) =>
      guard(address, load, ({ marks }) => marks?.has(markOf(apiKey)) ?? true),
    guardTenant: (address, tenantId, load) =>
      guard(address, load, ({ tenantIds }) => tenantIds?.has(tenantId) ?? true),
  }
}

async function listKnown(db: Database): Promise<Known> {
  const rows = await db.throughDoor(listKeyMarks(marksMost))
  if (rows.length === marksMost) return { marks: null, tenantIds: null }
  return {
    marks: new Set(rows.map(({ mark }) => mark)),
    tenantIds: new Set(rows.map(({ tenantId }) => tenantId)),
  }
}
