import { userInfo } from 'node:os'
import { Command, CommanderError } from 'commander'
import { ConfigError, readConfig } from '../kernel/config.js'
import { DatabaseFault } from '../kernel/db/db-errors.js'
import { describeFault, makeLog } from '../kernel/log.js'
import { nameOperator } from '../kernel/operator.js'
import { addAuditCommands } from './commands/audit.js'
import { addBackupCommands } from './commands/backup.js'
import { addClientCommands } from './commands/client.js'
import { addClinicianCommands } from './commands/clinician.js'
import { addConsentCommands } from './commands/consent.js'
import { addConsoleCommands } from './commands/console.js'
import { addErasureCommands } from './commands/erase.js'
import { addInstrumentCommands } from './commands/instrument.js'
import { addTemplateCommands } from './commands/template.js'
import { addKeyCommands } from './commands/keys.js'
import { addKeyStoreCommands } from './commands/key-store.js'
import { addModelCommands } from './commands/model.js'
import { addOrganizationCommands } from './commands/organization.js'
import { addPartnerCommands, parseName } from './commands/partner.js'
import { addProveCommand } from './commands/prove.js'
import { addRetentionCommands } from './commands/retention.js'
import { addSandboxCommands } from './commands/sandbox.js'
import { addSessionCommands } from './commands/session.js'
import { addTourCommand } from './commands/tour.js'
import { addWebhookCommands } from './commands/webhook.js'
import { openDatabaseForCommand } from './database-source.js'
import { EmbeddedPostgresProblem } from './embedded-postgres/index.js'
import { withMigratedDatabase } from './prepare-database.js'

/** The whole program: the service's roles and the operator's commands. Sets the exit code, never throws. */
export async function runCommandLine(argv: readonly string[]): Promise<void> {
  try {
    await makeProgram().parseAsync(argv)
  } catch (error) {
    process.exitCode = reportFailure(error)
  }
}

/** Every command, for the command line and for the test that looks at each. */
export function makeProgram(): Command {
  const program = new Command('casenote')
    .description(
      'Clinical documentation service. Configuration by environment variables: docs/configuration.md',
    )
    .exitOverride()
    .configureHelp({ showGlobalOptions: true })
    .option('--as <name>', 'who you are, for the audit log, where several people share a user', parseName)
    .hook('preAction', (_program, command) =>
      nameOperator(findSystemUser(), command.optsWithGlobals<{ as?: string }>().as ?? null),
    )
  addServiceCommands(program)
  addPartnerCommands(program)
  addOrganizationCommands(program)
  addClinicianCommands(program)
  addClientCommands(program)
  addInstrumentCommands(program)
  addTemplateCommands(program)
  addKeyCommands(program)
  addAuditCommands(program)
  addBackupCommands(program)
  addSandboxCommands(program)
  addConsoleCommands(program)
  addSessionCommands(program)
  addWebhookCommands(program)
  addModelCommands(program)
  addTourCommand(program)
  addProveCommand(program)
  addErasureCommands(program)
  addKeyStoreCommands(program)
  addRetentionCommands(program)
  addConsentCommands(program)
  return program
}

/** A container may run as a number that no user of the system has. */
function findSystemUser(): string {
  try {
    return userInfo().username
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`
  }
}

function addServiceCommands(program: Command): void {
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
        const { runService } = await import('./service.js')
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
  const log = makeLog(config.logLevel, 'migrate')
  const source = await openDatabaseForCommand(config, log)
  try {
    await withMigratedDatabase(config, source, log, async () => {})
    process.stdout.write('The schema is up to date; owners, grants, policies and roles are in place.\n')
  } finally {
    await source.close()
  }
}

/** One sentence for what the operator can act on. Faults show their place and code: that is what a report needs. */
function reportFailure(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode // It has printed its message itself.
  if (error instanceof ConfigError) {
    for (const problem of error.problems) process.stderr.write(`casenote: ${problem}\n`)
    return 1
  }
  const message = error instanceof Error ? error.message : String(error)
  process.stderr.write(`casenote: ${message}\n`)
  const isForPeople = error instanceof EmbeddedPostgresProblem
  const hasCause = error instanceof Error && error.cause !== undefined
  if (!isForPeople && (hasCause || error instanceof DatabaseFault)) {
    process.stderr.write(`${JSON.stringify(describeFault(error))}\n`)
  }
  return 1
}
