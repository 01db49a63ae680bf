import { InvalidArgumentError, type Command } from 'commander'
import {
  inviteConsoleUser,
  listConsoleUsers,
  removeConsoleUser,
  userNamePattern,
} from '../../features/console/index.js'
import type { Config } from '../../kernel/config.js'
import { operator } from '../../kernel/operator.js'
import { asOperator } from './operator-session.js'
import { getTenant } from './partner.js'
import { formatTable, print } from './print.js'

interface Flags {
  partner?: string
  host?: string
  json?: true
}

/** Who may use the console. What they see there and may do is in docs/console.md. */
export function addConsoleCommands(program: Command): void {
  const console = program.command('console').description('who may use the console: docs/console.md')
  const partnerOption = ['--partner <id>', "a partner's own user; else an operator"] as const
  const jsonOption = ['--json', 'print JSON'] as const

  console
    .command('invite')
    .argument('<name>', 'letters, digits and . _ @ -; also for somebody who lost their phone', parseUserName)
    .description('a link with which somebody sets how they sign in; good once, for 24 hours')
    .option(...partnerOption)
    .option(
      '--host <url>',
      'where they reach the console, if not at the public URL or the admin port',
      parseHost,
    )
    .option(...jsonOption)
    .action(async (name: string, { partner, host, json }: Flags) => {
      const link = await asOperator(async ({ owner, config }) => {
        const base = host ?? findHost(config, partner !== undefined)
        const tenant = partner === undefined ? null : await getTenant(owner, partner)
        const { token } = await inviteConsoleUser(owner, { name, tenant }, operator)
        return `${base}/console#link=${token}`
      })
      print(json === true, { name, partnerId: partner ?? null, link }, [
        link,
        '',
        'Good once, for 24 hours. Whoever has it becomes this user: send it to nobody else.',
      ])
    })

  console
    .command('list')
    .description('who may use the console')
    .option(...jsonOption)
    .action(async ({ json }: Flags) => {
      const users = (await asOperator(({ owner }) => listConsoleUsers(owner))).map((user) => ({
        name: user.name,
        partnerId: user.kind === 'operator' ? null : user.tenantId,
        hasPassword: user.hasPassword,
        passkeys: user.passkeys,
        seenAt: user.seenAt?.toISOString() ?? null,
      }))
      const rows = users.map(({ name, partnerId, hasPassword, passkeys, seenAt }) => [
        name,
        partnerId ?? 'operator',
        hasPassword ? 'yes' : 'no',
        String(passkeys),
        seenAt ?? '–',
      ])
      print(json === true, users, formatTable(['name', 'of', 'password', 'passkeys', 'last seen'], rows))
    })

  console
    .command('remove')
    .argument('<name>', 'of the user', parseUserName)
    .description('end their sessions, and let them in no more')
    .option(...partnerOption)
    .option(...jsonOption)
    .action(async (name: string, { partner, json }: Flags) => {
      await asOperator(async ({ owner }) => {
        const tenant = partner === undefined ? null : await getTenant(owner, partner)
        if (!(await removeConsoleUser(owner, { name, tenant }, operator)))
          throw new Error(`there is no console user ${name}${partner === undefined ? '' : ` of ${partner}`}`)
      })
      print(json === true, { name, partnerId: partner ?? null }, [`${name} is let in no more.`])
    })
}

function findHost({ publicUrl, adminPort }: Config, isPartner: boolean): string {
  if (isPartner) return publicUrl
  if (adminPort === null)
    throw new Error(
      'the operator’s console is on the admin port: set CASENOTE_ADMIN_PORT, here and for the service',
    )
  // By name: browsers make no passkeys for a bare address.
  return `http://localhost:${adminPort}`
}

function parseUserName(text: string): string {
  const name = text.trim().toLowerCase()
  if (!userNamePattern.test(name))
    throw new InvalidArgumentError(
      'It must have 1 to 64 letters, digits and . _ @ -, the first a letter or digit.',
    )
  return name
}

function parseHost(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !['http:', 'https:'].includes(url.protocol) || url.username !== '')
    throw new InvalidArgumentError('It must be an http or https URL.')
  return url.origin
}
