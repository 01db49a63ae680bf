import { readConfig, type Config } from '../../kernel/config.js'
import type { Database } from '../../kernel/db/database.js'
import { requireSchemaVersion } from '../../kernel/db/migrate.js'
import type { MasterKeys } from '../../kernel/secrets/master-keys.js'
import { openDatabase, openDatabaseForCommand, operatorPoolSize } from '../database-source.js'
import { openMasterKeys } from '../master-key-source.js'
import { openLog } from '../open-log.js'
import { withMigratedDatabase } from '../prepare-database.js'

export interface OperatorSession {
  config: Config
  /** Connected as the owner: the operator works on every tenant. */
  owner: Database
  masterKeys: MasterKeys
}

/**
 * Runs one command as the owner, beside a running service or alone. Only the embedded server is migrated on the way. `isUnhurried`: its
 * statements take as long as they take, as those must that walk whole tables.
 */
export async function asOperator<T>(
  work: (session: OperatorSession) => Promise<T>,
  { isUnhurried = false } = {},
): Promise<T> {
  const config = readConfig(process.env)
  // A command prints its result; of the server it tells only what goes wrong.
  const log = openLog(config, 'command', 'error')
  const source = await openDatabaseForCommand(config, log)
  try {
    if (source.isEmbedded) {
      return await withMigratedDatabase(
        config,
        source,
        log,
        (owner, masterKeys) => work({ config, owner, masterKeys }),
        { isUnhurried },
      )
    }
    if (source.migrateUrl === null) throw new Error('CASENOTE_MIGRATE_URL must name the owner of the schema')
    const owner = openDatabase(source.migrateUrl, 'operator', operatorPoolSize, log, { isUnhurried })
    try {
      await requireSchemaVersion(owner)
      return await work({ config, owner, masterKeys: await openMasterKeys(config, owner) })
    } finally {
      await owner.end()
    }
  } finally {
    await source.close()
  }
}
