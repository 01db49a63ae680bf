import { DatabaseClock, type Clock } from '../kernel/clock.js'
import type { Config } from '../kernel/config.js'
import type { Database } from '../kernel/db/database.js'
import { requireSchemaVersion } from '../kernel/db/migrate.js'
import { endPulse, tellPulse } from '../kernel/db/pulses.sql.js'
import { requireServiceRole } from '../kernel/db/roles.js'
import { observeClock } from '../http/metrics.js'
import { observePool } from '../http/process-metrics.js'
import { DirectoryWatch } from '../kernel/directory-cache.js'
import { newId } from '../kernel/ids.js'
import { watchLag } from '../kernel/event-loop-lag.js'
import { tolerateFailure, type Log } from '../kernel/log.js'
import { readOwnVersion } from '../kernel/own-files.js'
import { Pulse } from '../kernel/pulse.js'
import { hearDatabaseClock } from '../kernel/read-database-clock.js'
import type { MasterKeys } from '../kernel/secrets/master-keys.js'
import { makeTenantKeys, type TenantKeys } from '../kernel/secrets/tenant-keys.js'
import { Vital } from '../kernel/vital.js'
import { openDatabase, type DatabaseUrls } from './database-source.js'
import { openMasterKeys } from './master-key-source.js'
import { requireApplied } from './erasure/require-applied.js'
import { watchKeyStore } from './watch-key-store.js'
import { watchMasterKeys } from './watch-master-keys.js'
import { keepTellingSandbox, settleHome, tellSandbox } from './sandbox-home.js'

/** What every role of the service is built from. */
export interface ServiceParts {
  config: Config
  log: Log
  clock: Clock
  db: Database
  watch: DirectoryWatch
  keys: TenantKeys
  /** For a connection that hears announcements. */
  listenUrl: string
  close(): Promise<void>
}

/** With what tells how the database is. */
export interface OpenedParts extends ServiceParts {
  masterKeys: MasterKeys
  /** When it last answered, and when it last took a change. */
  vitals: readonly Vital[]
}

const pulseEveryMs = 2_000

/** Two beats late. */
const goneAfterMs = 5_000

/** Nothing fails with it, for the database's clock is used; but logs and what this machine writes elsewhere are wrong. */
function openClock(log: Log): DatabaseClock {
  return new DatabaseClock((machineAheadMs, turned) => {
    observeClock(machineAheadMs)
    const machineAheadSeconds = Math.round(machineAheadMs / 1_000)
    if (turned === 'wrong')
      log.error({ machineAheadSeconds }, "this machine's clock is wrong: the database's is used")
    if (turned === 'right') log.info({ machineAheadSeconds }, "this machine's clock is right again")
  })
}

const roleGroups = { api: 'casenote_app', worker: 'casenote_app', dispatcher: 'casenote_dispatcher' } as const
export type Role = keyof typeof roleGroups

/** One set for all roles of a process, which open one after another: what its log says of the key is then true of each. */
export interface SharedKeys {
  masterKeys: MasterKeys | null
}

/**
 * Connects a role, after proving that row security binds it, the schema fits and the master key is the right one.
 * `listens`: whether the process serves the API, with this role or another of its own.
 */
export async function openServiceParts(
  config: Config,
  role: Role,
  urls: DatabaseUrls,
  { log, listens, shared }: { log: Log; listens: boolean; shared: SharedKeys },
): Promise<OpenedParts> {
  const [url, variable] =
    role === 'dispatcher'
      ? [urls.dispatcherUrl, 'CASENOTE_DISPATCHER_URL']
      : [urls.databaseUrl, 'DATABASE_URL']
  await requireServiceRole(url, roleGroups[role], variable)
  const db = openDatabase(url, role, config.databasePoolSize, log)
  try {
    await requireSchemaVersion(db)
    const isFirst = shared.masterKeys === null
    const clock = openClock(log)
    await hearDatabaseClock(db, clock)
    const masterKeys = (shared.masterKeys ??= await openMasterKeys(config, db, clock))
    if (isFirst) await requireApplied(config, db, masterKeys)
    // The worker of a process that listens, too, for it begins first; its role may not, if it runs for itself.
    if (listens && role === 'worker') await settleHome({ config, db })
    if (role === 'api') await tellSandbox({ config, db, log })
    const watch = new DirectoryWatch(db, log, clock)
    await watch.start()
    if (role === 'api') keepTellingSandbox(watch, { config, db, log })
    const writing = new Vital('database')
    const processId = newId()
    const version = readOwnVersion()
    const lag = watchLag()
    const beat = async (): Promise<void> =>
      void (await db.throughDoor(tellPulse({ processId, role, version, lagMs: lag.take() })))
    const pulse = new Pulse(writing, { log, everyMs: pulseEveryMs, beat })
    pulse.start()
    const forgetPool = observePool(role, () => db.describePool())
    const keyWatch = isFirst ? watchMasterKeys(masterKeys, { config, log }) : null
    const storeWatch = isFirst ? watchKeyStore(masterKeys, log) : null
    const close = async (): Promise<void> => {
      keyWatch?.stop()
      forgetPool()
      storeWatch?.stop()
      await pulse.stop()
      lag.stop()
      // Without a database that answers there is nobody to tell, and no time to wait for it.
      if (writing.ageMs() < goneAfterMs)
        await tolerateFailure(log, 'a silent process is told from an ended one by this', async () => {
          await db.throughDoor(endPulse(processId))
        })
      await watch.stop()
      await db.end()
    }
    return {
      config,
      log,
      clock,
      db,
      watch,
      keys: makeTenantKeys(db, masterKeys, watch),
      masterKeys,
      listenUrl: url,
      vitals: [watch.vital, writing],
      close,
    }
  } catch (error) {
    await db.end()
    throw error
  }
}
