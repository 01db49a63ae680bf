import { mkdirSync, readFileSync } from 'node:fs'
import type { Clock } from '../kernel/clock.js'
import type { Config } from '../kernel/config.js'
import type { Database } from '../kernel/db/database.js'
import { establishClientKeys, openClientKeys } from '../kernel/key-store/index.js'
import {
  insertInstallation,
  listMasterKeyIds,
  selectInstallation,
} from '../kernel/secrets/installation.sql.js'
import {
  addMasterKeyToFile,
  MasterKeys,
  parseMasterKeys,
  readMasterKeyFile,
} from '../kernel/secrets/master-keys.js'
import { runKeyCommand } from './run-key-command.js'

/**
 * The master key from wherever it is configured, proved to be the one that this database needs.
 * A wrong key stops the start: going on would write what the right key cannot open. `clock`: see `openClientKeys`.
 */
export async function openMasterKeys(config: Config, db: Database, clock?: Clock): Promise<MasterKeys> {
  const [installation] = await db.throughDoor(selectInstallation())
  const keys = await findMasterKeys(config)
  if (keys === null) {
    throw new Error(
      `no master key: set CASENOTE_MASTER_KEY, CASENOTE_MASTER_KEY_FILE or CASENOTE_MASTER_KEY_COMMAND, or restore the file master.key to ${config.dataDir}` +
        (installation === undefined ? ', or run "casenote migrate" first' : ''),
    )
  }
  requireKeys(keys, await listNeededKeys(db), 'this database')
  keys.require(() => listNeededKeys(db))
  keys.clientKeys = await openClientKeys(config, db, keys, clock)
  return keys
}

/** Which master keys wrapped what the database holds. */
export async function listNeededKeys(db: Database): Promise<string[]> {
  const [installation] = await db.throughDoor(selectInstallation())
  const used = (await db.throughDoor(listMasterKeyIds())).map(({ id }) => id)
  return used.length > 0 || installation === undefined ? used : [installation.masterKeyId]
}

export function requireKeys(keys: MasterKeys, needed: readonly string[], by: string): void {
  if (needed.every((id) => keys.has(id))) return
  throw new Error(
    `wrong master key: ${by} needs key ${needed.join(' and ')}, but key ${keys.currentId} is configured ` +
      '(CASENOTE_MASTER_KEY…, or the file master.key)',
  )
}

/** For the owner, on the first migration: makes the key if there is none yet, and records which one it is. */
export async function establishMasterKeys(config: Config, owner: Database): Promise<MasterKeys> {
  const [installation] = await owner.throughDoor(selectInstallation())
  if (installation === undefined) {
    if ((await findMasterKeys(config)) === null) {
      mkdirSync(config.dataDir, { recursive: true, mode: 0o700 })
      await addMasterKeyToFile(config.dataDir)
    }
    const keys = (await findMasterKeys(config)) as MasterKeys
    await owner.throughDoor(insertInstallation(keys.currentId))
  }
  const keys = await openMasterKeys(config, owner)
  keys.clientKeys ??= await establishClientKeys(config, owner, keys)
  return keys
}

/** Null: there is none in the data folder, and none is configured. */
export async function findMasterKeys({ masterKey, dataDir }: Config): Promise<MasterKeys | null> {
  switch (masterKey.from) {
    case 'environment':
      return new MasterKeys(() => [...masterKey.keys])
    case 'files':
      return new MasterKeys(() => masterKey.paths.flatMap(readKeys))
    case 'command': {
      let known = await runKeyCommand(masterKey)
      return new MasterKeys(
        () => known,
        async () => (known = await runKeyCommand(masterKey)),
      )
    }
    default:
      return readMasterKeyFile(dataDir) === null
        ? null
        : new MasterKeys(() => readMasterKeyFile(dataDir) ?? [])
  }
}

/** The second file of a rotation may be gone when it is over; the first may not. */
function readKeys(path: string, index: number): Buffer[] {
  try {
    const keys = parseMasterKeys(readFileSync(path, 'utf8'))
    if (keys !== null) return keys
  } catch (error) {
    if (index === 0) throw new Error('the file with the master key cannot be read', { cause: error })
    return []
  }
  throw new Error('a file with a master key holds something else')
}
