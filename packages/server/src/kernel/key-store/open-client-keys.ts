import type { Clock } from '../clock.js'
import type { Config } from '../config.js'
import type { Database } from '../db/database.js'
import { readDatabaseClock } from '../read-database-clock.js'
import type { MasterKeys } from '../secrets/master-keys.js'
import { ClientKeys } from './client-keys.js'
import { newDocument, readDocument, writeDocument } from './key-store-document.js'
import { lockKeyStore, selectKeyStoreId, updateKeyStoreId } from './key-store.sql.js'
import { openKeyStore } from './open-key-store.js'

const noTenant = { tenantId: '00000000-0000-0000-0000-000000000000' }

async function findKeyStoreId(db: Database): Promise<string | null> {
  const [row] = await db.throughDoor(selectKeyStoreId())
  return row?.keyStoreId ?? null
}

/** The store that the configuration names, whatever the database says. Null: none is configured, or nothing lies there. */
export async function readClientKeys(
  config: Pick<Config, 'keyStore' | 's3'>,
  masterKeys: MasterKeys,
  clock: Clock,
): Promise<ClientKeys | null> {
  const store = openKeyStore(config, clock)
  const bytes = (await store?.read()) ?? null
  if (store === null || bytes === null) return null
  return new ClientKeys(store, masterKeys, await readDocument(bytes, store.name, masterKeys))
}

/**
 * Proved to be the one that the database needs. Null: it needs none. A wrong one stops the start: nobody could read what is written next.
 * `given`: the clock of a process that runs for months, and asks the database again and again.
 */
export async function openClientKeys(
  config: Pick<Config, 'keyStore' | 's3'>,
  db: Database,
  masterKeys: MasterKeys,
  given?: Clock,
): Promise<ClientKeys | null> {
  const neededId = await findKeyStoreId(db)
  if (neededId === null) return null
  const found = await readClientKeys(config, masterKeys, given ?? (await readDatabaseClock(db)))
  if (found?.storeId === neededId) return found
  const is = found === null ? 'there is none' : 'another one is there'
  throw new Error(
    `this database needs key store ${neededId}, and ${is} (CASENOTE_KEY_STORE, else the folder key-store in the data folder): ` +
      'without it nothing of a client can be read. Bring it back from its own copy',
  )
}

/** For the owner: makes the store where one is configured and there is none yet, and records which one it is. */
export async function establishClientKeys(
  config: Pick<Config, 'keyStore' | 's3'>,
  owner: Database,
  masterKeys: MasterKeys,
): Promise<ClientKeys | null> {
  const store = openKeyStore(config, await readDatabaseClock(owner))
  if (store !== null && (await findKeyStoreId(owner)) === null)
    await owner.write(noTenant, async (tx) => {
      await tx.run(lockKeyStore())
      const bytes = await store.read()
      // One that lies there is of a start that was cut short, or of the installation that a backup is of.
      const document = bytes === null ? newDocument() : await readDocument(bytes, store.name, masterKeys)
      if (bytes === null) {
        // As for every change: whoever writes still has the lock.
        await tx.run(lockKeyStore())
        await store.write(writeDocument(document, masterKeys))
      }
      await tx.run(updateKeyStoreId(document.storeId))
    })
  return openClientKeys(config, owner, masterKeys)
}
