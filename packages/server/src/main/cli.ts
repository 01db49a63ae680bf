import { userInfo } from 'node:os'
import { Command, CommanderError } from 'commander'
import { ConfigError } from '../kernel/config.js'
import { DatabaseFault } from '../kernel/db/db-errors.js'
import { endDespiteHangingFiles } from '../kernel/end-process.js'
import { describeFault } from '../kernel/log.js'
import { nameOperator } from '../kernel/operator.js'
import { parseName } from './commands/parse-name.js'
import { EmbeddedPostgresProblem } from './embedded-postgres/index.js'

interface CommandGroup {
  /** What its commands begin with. */
  words: readonly string[]
  load: () => Promise<(program: Command) => void>
}

/** Each is loaded for its own words alone: all of them took half a second of processor time before any command began. */
const groups: readonly CommandGroup[] = [
  {
    words: ['start', 'api', 'worker', 'dispatcher', 'migrate'],
    load: async () => (await import('./commands/service.js')).addServiceCommands,
  },
  { words: ['partner'], load: async () => (await import('./commands/partner.js')).addPartnerCommands },
  {
    words: ['organization', 'clinic', 'program'],
    load: async () => (await import('./commands/organization.js')).addOrganizationCommands,
  },
  { words: ['clinician'], load: async () => (await import('./commands/clinician.js')).addClinicianCommands },
  { words: ['client'], load: async () => (await import('./commands/client.js')).addClientCommands },
  {
    words: ['instrument'],
    load: async () => (await import('./commands/instrument.js')).addInstrumentCommands,
  },
  { words: ['template'], load: async () => (await import('./commands/template.js')).addTemplateCommands },
  { words: ['keys'], load: async () => (await import('./commands/keys.js')).addKeyCommands },
  { words: ['audit'], load: async () => (await import('./commands/audit.js')).addAuditCommands },
  {
    words: ['backup', 'restore'],
    load: async () => (await import('./commands/backup.js')).addBackupCommands,
  },
  { words: ['sandbox'], load: async () => (await import('./commands/sandbox.js')).addSandboxCommands },
  { words: ['console'], load: async () => (await import('./commands/console.js')).addConsoleCommands },
  { words: ['session'], load: async () => (await import('./commands/session.js')).addSessionCommands },
  { words: ['webhook'], load: async () => (await import('./commands/webhook.js')).addWebhookCommands },
  { words: ['model'], load: async () => (await import('./commands/model.js')).addModelCommands },
  { words: ['tour'], load: async () => (await import('./commands/tour.js')).addTourCommand },
  { words: ['prove'], load: async () => (await import('./commands/prove.js')).addProveCommand },
  {
    words: ['erase', 'legal-hold'],
    load: async () => (await import('./commands/erase.js')).addErasureCommands,
  },
  { words: ['key-store'], load: async () => (await import('./commands/key-store.js')).addKeyStoreCommands },
  { words: ['retention'], load: async () => (await import('./commands/retention.js')).addRetentionCommands },
  { words: ['consent'], load: async () => (await import('./commands/consent.js')).addConsentCommands },
]

/** The whole program: the service's roles and the operator's commands. Sets the exit code, never throws. */
export async function runCommandLine(argv: readonly string[]): Promise<void> {
  try {
    const program = await makeProgram(argv.slice(2))
    await program.parseAsync(argv)
  } catch (error) {
    process.exitCode = reportFailure(error)
  }
  await endDespiteHangingFiles(process.exitCode)
}

/**
 * The commands that these words may mean, wherever among them they stand; every command where the first of them means none, as for the
 * help, for what was mistyped and for the test that looks at each.
 */
export async function makeProgram(words: readonly string[] = []): Promise<Command> {
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
  const findMeant = (given: readonly string[]): readonly CommandGroup[] =>
    groups.filter((group) => group.words.some((word) => given.includes(word)))
  const first = words.find((word, at) => !word.startsWith('-') && words[at - 1] !== '--as')
  const isKnown = first !== undefined && findMeant([first]).length > 0
  for (const { load } of isKnown ? findMeant(words) : groups) (await load())(program)
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
