import type { Config } from '../kernel/config.js'
import type { Database } from '../kernel/db/database.js'
import { migrate } from '../kernel/db/migrate.js'
import { requireRights } from '../kernel/db/rights.js'
import type { Log } from '../kernel/log.js'
import type { MasterKeys } from '../kernel/secrets/master-keys.js'
import { openDatabase, operatorPoolSize, type DatabaseSource } from './database-source.js'
import { establishMasterKeys } from './master-key-source.js'
import { provisionSandbox } from './sandbox.js'

/**
 * Migrates, establishes the master key and, at home on a database without any partner, provisions the sandbox. On an external
 * server whose owner is not known here this was `casenote migrate`'s work.
 */
export async function prepareDatabase(config: Config, source: DatabaseSource, log: Log): Promise<void> {
  if (source.migrateUrl === null) return
  await withMigratedDatabase(config, source, log, async (owner, masterKeys) => {
    if (!config.isSandboxHome) return
    if (await provisionSandbox(config, owner, masterKeys)) log.info('provisioned the sandbox partner')
  })
}

/** As the owner: the schema is current and the master key proved before `work` runs. */
export async function withMigratedDatabase<T>(
  config: Config,
  { migrateUrl, databaseUrl, dispatcherUrl }: DatabaseSource,
  log: Log,
  work: (owner: Database, masterKeys: MasterKeys) => Promise<T>,
  { isUnhurried = false } = {},
): Promise<T> {
  if (migrateUrl === null) {
    throw new Error('CASENOTE_MIGRATE_URL must name the owner of the schema for this command')
  }
  const isLogin = (url: string): string | null => (url === migrateUrl ? null : url)
  const report = (line: string): void => log.info(line)
  await migrate({
    migrateUrl,
    databaseUrl: isLogin(databaseUrl),
    dispatcherUrl: isLogin(dispatcherUrl),
    report,
  })
  const owner = openDatabase(migrateUrl, 'operator', operatorPoolSize, log, { isUnhurried })
  try {
    await requireRights(owner)
    return await work(owner, await establishMasterKeys(config, owner))
  } finally {
    await owner.end()
  }
}
