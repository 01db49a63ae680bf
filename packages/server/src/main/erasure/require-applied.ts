import type { Config } from '../../kernel/config.js'
import type { Database } from '../../kernel/db/database.js'
import { readClientKeys } from '../../kernel/key-store/index.js'
import { readDatabaseClock } from '../../kernel/read-database-clock.js'
import type { MasterKeys } from '../../kernel/secrets/master-keys.js'
import { listUnappliedErasures } from './erasure.sql.js'

/** Entries of one statement: 70,000, as many as a store holds, are looked at in some 300 ms. */
const lookedMost = 10_000

/** Named in the message; one is enough. */
const namedMost = 3

/**
 * A database that was restored by other means than `casenote restore` brings back who was erased since: nothing starts on it, for what is
 * shown, sent or exported of them cannot be taken back.
 */
export async function requireApplied(config: Config, db: Database, masterKeys: MasterKeys): Promise<void> {
  // Also of one from before there was a key store, which names none.
  const clientKeys =
    masterKeys.clientKeys ?? (await readClientKeys(config, masterKeys, await readDatabaseClock(db)))
  if (clientKeys === null) return
  const { erasures, storeId } = clientKeys
  const refused = new Set(
    erasures.flatMap(({ erasureId, isRefused }) => (isRefused === true ? [erasureId] : [])),
  )
  const listed = erasures.filter(({ erasureId }) => !refused.has(erasureId))
  for (let from = 0; from < listed.length; from += lookedMost) {
    const page = listed.slice(from, from + lookedMost)
    const unapplied = await db.throughDoor(listUnappliedErasures(page, namedMost))
    if (unapplied.length === 0) continue
    const named = unapplied.map(({ erasureId }) => erasureId).join(', ')
    throw new Error(
      `this database is older than the list of key store ${storeId}: what was erased since is in it again (erasure ${named}, perhaps ` +
        'more). Nothing starts on it before "casenote erase apply" has carried the list out',
    )
  }
}
