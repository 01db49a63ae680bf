import type { Config } from '../kernel/config.js'
import { isInTheOpen } from '../kernel/db/connection-tls.js'
import { Database } from '../kernel/db/database.js'
import type { Log } from '../kernel/log.js'
import {
  findEmbeddedPostgres,
  lockDataFolder,
  startEmbeddedPostgres,
  type DataFolderLock,
} from './embedded-postgres/index.js'
import { refuseUnfinishedRestore } from './backup/unfinished-restore.js'

/** An erasure takes one for the key store while a row is locked, and one for its lease, which may wait for that row. */
export const operatorPoolSize = 3

export interface DatabaseUrls {
  databaseUrl: string
  dispatcherUrl: string
  /** Null: on an external server whose owner this process does not know. */
  migrateUrl: string | null
}

export interface DatabaseSource extends DatabaseUrls {
  isEmbedded: boolean
  /** Address of the embedded server for its superuser; null on one that is not ours. */
  superuserUrl: string | null
  close(): Promise<void>
}

/** For the service: the server of DATABASE_URL, or the embedded one, started and guarded by this process. */
export async function openDatabaseForService(config: Config, log: Log): Promise<DatabaseSource> {
  await refuseUnfinishedRestore(config.dataDir)
  const external = findExternal(config)
  if (external !== null) {
    const { databaseUrl, dispatcherUrl, migrateUrl } = external
    const open = Object.entries({
      DATABASE_URL: databaseUrl,
      CASENOTE_DISPATCHER_URL: dispatcherUrl,
      CASENOTE_MIGRATE_URL: migrateUrl,
    }).flatMap(([variable, url]) => (url !== null && isInTheOpen(url) ? [variable] : []))
    if (open.length > 0)
      log.warn(
        { variables: open },
        'connections to the database are not encrypted: see sslmode in docs/configuration.md',
      )
    return external
  }
  const lock = await lockDataFolder(config.dataDir, { command: 'start', url: config.publicUrl })
  return startGuarded(config, log, lock)
}

/** For a command: beside a running service it uses that service's server; alone it starts one for itself. */
export async function openDatabaseForCommand(config: Config, log: Log): Promise<DatabaseSource> {
  await refuseUnfinishedRestore(config.dataDir)
  const external = findExternal(config)
  if (external !== null) return external
  const running = await findEmbeddedPostgres(config.dataDir)
  if (running !== null) return { ...running, isEmbedded: true, close: async () => {} }
  const lock = await lockDataFolder(config.dataDir, { command: 'command' })
  return startGuarded(config, log, lock)
}

function findExternal({ databaseUrl, dispatcherUrl, migrateUrl }: Config): DatabaseSource | null {
  const url = databaseUrl ?? migrateUrl
  if (url === null) return null
  return {
    databaseUrl: url,
    dispatcherUrl: dispatcherUrl ?? url,
    migrateUrl,
    isEmbedded: false,
    superuserUrl: null,
    close: async () => {},
  }
}

async function startGuarded(config: Config, log: Log, lock: DataFolderLock): Promise<DatabaseSource> {
  try {
    const server = await startEmbeddedPostgres({
      dataDir: config.dataDir,
      log: { info: (line) => log.info(line), warn: (line) => log.warn(line) },
    })
    const { databaseUrl, dispatcherUrl, migrateUrl, superuserUrl } = server
    const close = async (): Promise<void> => {
      await server.stop()
      await lock.release()
    }
    return { databaseUrl, dispatcherUrl, migrateUrl, superuserUrl, isEmbedded: true, close }
  } catch (error) {
    await lock.release()
    throw error
  }
}

export function openDatabase(
  url: string,
  role: string,
  poolSize: number,
  log: Log,
  { isUnhurried = false } = {},
): Database {
  return new Database({
    url,
    poolSize,
    applicationName: `casenote ${role}`,
    isUnhurried,
    onConnectionError: (error) => log.warn({ err: error }, 'a database connection broke'),
  })
}
