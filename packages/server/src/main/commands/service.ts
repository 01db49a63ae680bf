import type { Command } from 'commander'
import { readConfig } from '../../kernel/config.js'
import { openDatabaseForCommand } from '../database-source.js'
import { openLog } from '../open-log.js'
import { withMigratedDatabase } from '../prepare-database.js'

/** The roles of the service, and what prepares its database. */
export function addServiceCommands(program: Command): void {
  const roles = [
    ['start', 'run everything in one process; starts the embedded PostgreSQL unless DATABASE_URL is set'],
    ['api', 'run the Partner API, the widget and the web pages'],
    ['worker', 'run the background work'],
    ['dispatcher', 'run the webhook dispatcher'],
  ] as const
  for (const [role, description] of roles) {
    program
      .command(role)
      .description(description)
      .action(async () => {
        const config = readConfig(process.env)
        // Only the service needs the web server: a command starts faster without it.
        const { runService } = await import('../service.js')
        await runService(config, role)
      })
  }
  program
    .command('migrate')
    .description('bring the database schema up to date, create the service logins, establish the master key')
    .action(migrateOnly)
}

async function migrateOnly(): Promise<void> {
  const config = readConfig(process.env)
  const log = openLog(config, 'migrate')
  const source = await openDatabaseForCommand(config, log)
  try {
    await withMigratedDatabase(config, source, log, async () => {})
    process.stdout.write('The schema is up to date; owners, grants, policies and roles are in place.\n')
  } finally {
    await source.close()
  }
}
