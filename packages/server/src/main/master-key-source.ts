import { mkdirSync } from 'node:fs'
import type { Config } from '../kernel/config.js'
import type { Database } from '../kernel/db/database.js'
import {
  insertInstallation,
  listMasterKeyIds,
  selectInstallation,
} from '../kernel/secrets/installation.sql.js'
import { addMasterKeyToFile, MasterKeys, readMasterKeyFile } from '../kernel/secrets/master-keys.js'

/**
 * The master key from the environment or from the data folder, proved to be the one that this database needs.
 * A wrong key stops the start: going on would write what the right key cannot open.
 */
export async function openMasterKeys(config: Config, db: Database): Promise<MasterKeys> {
  const [installation] = await db.throughDoor<{ masterKeyId: string }>(selectInstallation())
  const keys = findMasterKeys(config)
  if (keys === null) {
    throw new Error(
      `no master key: set CASENOTE_MASTER_KEY, or restore the file master.key to ${config.dataDir}` +
        (installation === undefined ? ', or run "casenote migrate" first' : ''),
    )
  }
  requireKeys(keys, await listNeededKeys(db), 'this database')
  return keys
}

/** Which master keys wrapped what the database holds. */
export async function listNeededKeys(db: Database): Promise<string[]> {
  const [installation] = await db.throughDoor<{ masterKeyId: string }>(selectInstallation())
  const used = (await db.throughDoor<{ id: string }>(listMasterKeyIds())).map(({ id }) => id)
  return used.length > 0 || installation === undefined ? used : [installation.masterKeyId]
}

export function requireKeys(keys: MasterKeys, needed: readonly string[], by: string): void {
  if (needed.every((id) => keys.has(id))) return
  throw new Error(
    `wrong master key: ${by} needs key ${needed.join(' and ')}, but key ${keys.currentId} is configured ` +
      '(CASENOTE_MASTER_KEY, CASENOTE_MASTER_KEY_PREVIOUS or the file master.key)',
  )
}

/** For the owner, on the first migration: makes the key if there is none yet, and records which one it is. */
export async function establishMasterKeys(config: Config, owner: Database): Promise<MasterKeys> {
  const [installation] = await owner.throughDoor<{ masterKeyId: string }>(selectInstallation())
  if (installation === undefined) {
    if (findMasterKeys(config) === null) {
      mkdirSync(config.dataDir, { recursive: true, mode: 0o700 })
      await addMasterKeyToFile(config.dataDir)
    }
    const keys = findMasterKeys(config) as MasterKeys
    await owner.throughDoor(insertInstallation(keys.currentId))
  }
  return openMasterKeys(config, owner)
}

/** Null: neither the environment nor the data folder has one. */
export function findMasterKeys(config: Config): MasterKeys | null {
  const { masterKey, previousMasterKey, dataDir } = config
  if (masterKey !== null) {
    const keys = previousMasterKey === null ? [masterKey] : [masterKey, previousMasterKey]
    return new MasterKeys(() => keys)
  }
  return readMasterKeyFile(dataDir) === null ? null : new MasterKeys(() => readMasterKeyFile(dataDir) ?? [])
}
