import type { Command } from 'commander'
import { createPartner, newPartnerSecrets } from '../../features/partners/index.js'
import type { Database } from '../../kernel/db/database.js'
import { selectDirectoryVersion } from '../../kernel/directory-version.sql.js'
import { resetSandbox } from '../reset-sandbox.js'
import { provisionPractices, type SandboxIds } from '../sandbox-practices.js'
import { credentialsFile, findSandboxPartner, keepSandboxIds } from '../sandbox.js'
import { ProgressBar } from '../terminal/progress-bar.js'
import { asOperator, type OperatorSession } from './operator-session.js'
import { parseName } from './parse-name.js'
import { getPartner } from './partner.js'
import { formatFields, print } from './print.js'

interface Json {
  json?: true
}

/** Sandboxes to try everything with: only where they are at home (decision 0021). */
export function addSandboxCommands(program: Command): void {
  const sandbox = program.command('sandbox').description('sandboxes to try everything with')
  sandbox
    .command('create')
    .description('a further sandbox partner, filled as the first one is; its secrets are shown this once')
    .requiredOption('--name <name>', 'how the partner is called', parseName)
    .option('--json', 'print JSON')
    .action(async ({ name, json }: Json & { name: string }) => {
      const made = await asOperator((session) => createSandbox(session, name))
      print(json === true, made, [
        ...formatFields({ ...made, clientIds: made.clientIds.join(' ') }),
        '',
        'The secrets are not shown again.',
      ])
    })
  sandbox
    .command('reset')
    .description('delete all that a sandbox partner holds and fill it anew; its credentials stay')
    .option('--partner <id>', 'another one than the one that the start made')
    .option('--json', 'print JSON')
    .action(async ({ partner, json }: Json & { partner?: string }) => {
      const { partnerId, ids } = await asOperator((session) => reset(session, partner ?? null))
      print(
        json === true,
        { partnerId, ...ids },
        formatFields({ partnerId, ...ids, clientIds: ids.clientIds.join(' ') }),
      )
    })
}

async function createSandbox({ owner, masterKeys, config }: OperatorSession, name: string) {
  await requireHome(owner)
  const secrets = newPartnerSecrets()
  const bar = new ProgressBar(process.stderr, process.env)
  bar.show('Filling', 0)
  let ids: SandboxIds | null = null
  const partner = { ...secrets, name, environment: 'sandbox', homeOnly: true } as const
  await createPartner(owner, masterKeys, partner, async (tx) => {
    ids = await provisionPractices(tx)
  })
  bar.show('Filling', 1)
  bar.end()
  if (ids === null) throw new Error('the sandbox was not filled')
  return { baseUrl: `${config.publicUrl}/v2`, ...secrets, ...(ids as SandboxIds) }
}

async function reset({ owner, config }: OperatorSession, given: string | null) {
  await requireHome(owner)
  const { tenantId, environment } = await getPartner(owner, given ?? getFirstSandbox(config.dataDir))
  if (environment !== 'sandbox')
    throw new Error(`${tenantId} is a production partner: nothing of it is deleted`)
  const bar = new ProgressBar(process.stderr, process.env)
  const ids = await resetSandbox(
    owner,
    { tenantId },
    {
      report: (fraction) => bar.show('Deleting', fraction),
      keep: (made) => keepSandboxIds(config.dataDir, tenantId, made),
    },
  )
  bar.end()
  return { partnerId: tenantId, ids }
}

async function requireHome(owner: Database): Promise<void> {
  const [row] = await owner.throughDoor(selectDirectoryVersion())
  if (row?.isSandboxHome !== true)
    throw new Error(
      'the sandbox is not at home here: listen on localhost, or set CASENOTE_SANDBOX=on, and start the service',
    )
}

/** The one that the start made is in its file. Without that nothing tells which is meant, and deleting another cannot be undone. */
function getFirstSandbox(dataDir: string): string {
  const partnerId = findSandboxPartner(dataDir)
  if (partnerId === null)
    throw new Error(`${credentialsFile(dataDir)} is not there: name the sandbox with --partner`)
  return partnerId
}
