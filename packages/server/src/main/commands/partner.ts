import { InvalidArgumentError, Option, type Command } from 'commander'
import {
  createPartner,
  newPartnerSecrets,
  resumePartner,
  retireOlderSecrets,
  rotateKey,
  rotateSecret,
  selectAllTenants,
  selectAllUsage,
  selectTenant,
  setLimits,
  setNothingTwice,
  setNotReadyStatus,
  setOrigins,
  setSignIn,
  suspendPartner,
  type TenantRow,
} from '../../features/partners/index.js'
import { readCheckModes } from '../../features/signing-checks/index.js'
import type { Database } from '../../kernel/db/database.js'
import { isId, type TenantId } from '../../kernel/ids.js'
import { readTenantKeys } from '../../kernel/secrets/tenant-keys.js'
import type { Environment, TenantScope } from '../../kernel/tenant.js'
import { asOperator } from './operator-session.js'
import { parseName } from './parse-name.js'
import { addPartnerErasureCommand } from './partner-erasure.js'
import { addSetConsentCommand } from './set-consent.js'
import { addQuotaCommand, formatBytes } from './quotas.js'
import { addSigningChecksCommand } from './signing-checks.js'
import { formatFields, formatTable, print } from './print.js'

interface Json {
  json?: true
}

interface Now {
  now?: true
}

const tokensEnd =
  'So do every token and every widget session: the partner authenticates again, widgets ask their page for new tokens. What is being recorded goes on then.'

const awayHint =
  'this is the sandbox partner, which is not served where others than this machine can reach it: set CASENOTE_SANDBOX=on'

const jsonOption = ['--json', 'print JSON'] as const

export function addPartnerCommands(program: Command): void {
  const partner = program.command('partner').description('partners, their credentials and limits')
  addCreate(partner)
  addList(partner)
  addShow(partner)
  addSuspendAndResume(partner)
  addRotateSecret(partner)
  addRetireSecret(partner)
  addRotateKey(partner)
  addSetLimits(partner)
  addQuotaCommand(partner, getPartner)
  addSetOrigins(partner)
  addSetSignIn(partner)
  addSetNotReady(partner)
  addNothingTwiceCommand(partner)
  addSigningChecksCommand(partner, getPartner)
  addPartnerErasureCommand(partner, getPartner)
  addSetConsentCommand(partner, getPartner)
}

function addCreate(partner: Command): void {
  partner
    .command('create')
    .description('create a partner in one environment; its secrets are shown this once')
    .requiredOption('--name <name>', 'how the partner is called', parseName)
    .addOption(
      new Option('--environment <environment>', 'sandbox or production')
        .choices(['sandbox', 'production'])
        .makeOptionMandatory(),
    )
    .option(...jsonOption)
    .action(async ({ name, environment, json }: Json & { name: string; environment: Environment }) => {
      const secrets = newPartnerSecrets()
      const partners = await asOperator(async ({ owner, masterKeys }) => {
        await createPartner(owner, masterKeys, { ...secrets, name, environment })
        return owner.throughDoor(selectAllTenants())
      })
      const isBeside =
        environment === 'production' && partners.some((one) => one.homeOnly && one.suspendedAt === null)
      const lines = [
        ...formatFields({ ...secrets }),
        '',
        'The secrets are not shown again.',
        ...(isBeside ? ['The sandbox partner is served beside it; CASENOTE_SANDBOX=off ends that.'] : []),
      ]
      print(json === true, secrets, lines)
    })
}

function addList(partner: Command): void {
  partner
    .command('list')
    .description('all partners')
    .option(...jsonOption)
    .action(async ({ json }: Json) => {
      const { rows, usage } = await asOperator(async ({ owner }) => ({
        rows: await owner.throughDoor(selectAllTenants()),
        usage: await owner.throughDoor(selectAllUsage()),
      }))
      const storedBy = new Map(usage.map(({ tenantId, storedBytes }) => [tenantId, storedBytes]))
      const table = rows.map((row) => [
        row.tenantId,
        row.environment,
        row.suspendedAt ? (row.suspendedAs ?? 'suspended') : 'active',
        formatBytes(storedBy.get(row.tenantId) ?? 0),
        row.name,
      ])
      print(
        json === true,
        rows.map((row) => ({ ...describePartner(row), storedBytes: storedBy.get(row.tenantId) ?? 0 })),
        formatTable(['partner', 'environment', 'state', 'stored', 'name'], table),
      )
    })
}

function addShow(partner: Command): void {
  partner
    .command('show <partnerId>')
    .description('one partner, without its secrets')
    .option(...jsonOption)
    .action(async (partnerId: TenantId, { json }: Json) => {
      const row = await asOperator(({ owner }) => getPartner(owner, partnerId))
      const shown = describePartner(row)
      const fields = Object.entries(shown).map(([name, value]) => [name, formatValue(value)] as const)
      print(json === true, shown, formatFields(Object.fromEntries(fields)))
    })
}

function addSuspendAndResume(partner: Command): void {
  for (const { name, description, act, done } of [
    {
      name: 'suspend',
      description: 'stop its key, tokens and widgets',
      act: suspendPartner,
      done: 'suspended',
    },
    { name: 'resume', description: 'undo suspend', act: resumePartner, done: 'active again' },
  ]) {
    partner
      .command(`${name} <partnerId>`)
      .description(description)
      .option(...jsonOption)
      .action(async (partnerId: TenantId, { json }: Json) => {
        await asOperator(async ({ owner }) => {
          const { tenantId, suspendedAs } = await getPartner(owner, partnerId)
          if (name === 'resume' && suspendedAs === 'away') throw new Error(awayHint)
          await act(owner, { tenantId })
        })
        print(json === true, { partnerId, state: done }, [
          `${partnerId} is ${done}; every instance knows within 5 s.`,
        ])
      })
  }
}

function addRotateSecret(partner: Command): void {
  partner
    .command('rotate-secret <partnerId>')
    .description('a new clientSecret; the old one works for 24 more hours')
    .option('--now', 'the old one, every token and every widget session end within 5 s')
    .option(...jsonOption)
    .action(async (partnerId: TenantId, { now, json }: Json & Now) => {
      const clientSecret = await asOperator(async ({ owner, masterKeys }) => {
        const ring = await readTenantKeys(owner, masterKeys, await getTenant(owner, partnerId))
        return rotateSecret(owner, ring, now === true ? masterKeys : null)
      })
      const ending = now === true ? `stops working within 5 s. ${tokensEnd}` : 'works for 24 more hours.'
      const lines = [`clientSecret  ${clientSecret}`, '', `Not shown again. The old one ${ending}`]
      print(json === true, { partnerId, clientSecret }, lines)
    })
}

function addRetireSecret(partner: Command): void {
  partner
    .command('retire-secret <partnerId>')
    .description('end the clientSecret before the newest now, and not after its 24 hours')
    .option(...jsonOption)
    .action(async (partnerId: TenantId, { json }: Json) => {
      const ended = await asOperator(async ({ owner }) =>
        owner.write(await getTenant(owner, partnerId), (tx) => retireOlderSecrets(tx)),
      )
      const said = ended.length === 0 ? 'There is no older one.' : 'The older one stops working within 5 s.'
      print(json === true, { partnerId, retired: ended.length }, [said])
    })
}

function addRotateKey(partner: Command): void {
  partner
    .command('rotate-key <partnerId>')
    .description('a new apiKey; the old one stops within 5 s')
    .option('--now', 'so do every token and every widget session')
    .option(...jsonOption)
    .action(async (partnerId: TenantId, { now, json }: Json & Now) => {
      const apiKey = await asOperator(async ({ owner, masterKeys }) =>
        rotateKey(owner, await getTenant(owner, partnerId), now === true ? masterKeys : null),
      )
      const ending = `stops working within 5 s.${now === true ? ` ${tokensEnd}` : ''}`
      const lines = [`apiKey  ${apiKey}`, '', `Not shown again. The old one ${ending}`]
      print(json === true, { partnerId, apiKey }, lines)
    })
}

function addSetLimits(partner: Command): void {
  partner
    .command('set-limits <partnerId>')
    .description('rate, burst and daily quota')
    .option('--rate <n>', 'requests per second', parseCount(2_000_000_000))
    .option('--burst <n>', 'requests at once', parseCount(2_000_000_000))
    .option('--per-day <n>', 'requests per UTC day', parseCount(Number.MAX_SAFE_INTEGER))
    .option(...jsonOption)
    .action(
      async (partnerId: TenantId, options: Json & { rate?: number; burst?: number; perDay?: number }) => {
        const { rate = null, burst = null, perDay = null, json } = options
        if (rate === null && burst === null && perDay === null) {
          throw new Error('name at least one of --rate, --burst, --per-day')
        }
        const row = await asOperator(async ({ owner }) => {
          const tenant = await getTenant(owner, partnerId)
          await setLimits(owner, tenant, { ratePerSecond: rate, burst, perDay })
          return getPartner(owner, partnerId)
        })
        const { limits } = describePartner(row)
        const lines = formatFields({
          ratePerSecond: String(limits.ratePerSecond),
          burst: String(limits.burst),
          perDay: String(limits.perDay),
        })
        print(json === true, { partnerId, limits }, lines)
      },
    )
}

function addSetOrigins(partner: Command): void {
  partner
    .command('set-origins <partnerId> [origins...]')
    .description('the pages that may embed the widget, as https://host[:port]; a sandbox may have --any')
    .option('--any', 'any page (sandbox only)')
    .option(...jsonOption)
    .action(async (partnerId: TenantId, given: string[], { any, json }: Json & { any?: true }) => {
      const origins = any === true ? null : given.map(parseOrigin)
      await asOperator(async ({ owner }) => {
        const { environment } = await getPartner(owner, partnerId)
        if (any === true && environment === 'production')
          throw new Error('--any is for sandbox partners only')
        await setOrigins(owner, await getTenant(owner, partnerId), origins)
      })
      print(json === true, { partnerId, origins }, [`origins: ${origins?.join(', ') ?? 'any'}`])
    })
}

function addSetSignIn(partner: Command): void {
  partner
    .command('set-sign-in <partnerId> [origins...]')
    .description(
      'the pages on which the widget signs clinicians in by a code that it mails them, as https://host[:port]; off by default',
    )
    .option('--off', 'on no page')
    .option(...jsonOption)
    .action(async (partnerId: TenantId, given: string[], { off, json }: Json & { off?: true }) => {
      if ((off === true) === given.length > 0) throw new Error('name the pages, or give --off')
      const origins = off === true ? null : given.map(parseOrigin)
      await asOperator(async ({ owner }) => {
        const { embeddingOrigins } = await getPartner(owner, partnerId)
        const stray = origins?.find((origin) => embeddingOrigins?.includes(origin) === false)
        if (stray !== undefined)
          throw new Error(`${stray} may not embed the widget: name it with set-origins first`)
        await setSignIn(owner, await getTenant(owner, partnerId), origins)
      })
      const lines = [`sign-in by mailed code: ${origins?.join(', ') ?? 'off'}`]
      const needsMail = 'Codes are mailed by services that have CASENOTE_SMTP_URL and CASENOTE_MAIL_FROM.'
      print(
        json === true,
        { partnerId, signInOrigins: origins },
        origins === null ? lines : [...lines, needsMail],
      )
    })
}

function addSetNotReady(partner: Command): void {
  partner
    .command('set-not-ready <partnerId>')
    .description('how a transcript, mdm or summary that does not exist yet is answered')
    .addOption(
      new Option('--status <status>', '200 with an error body, as today, or 404, as announced')
        .choices(['200', '404'])
        .makeOptionMandatory(),
    )
    .option(...jsonOption)
    .action(async (partnerId: TenantId, { status, json }: Json & { status: '200' | '404' }) => {
      const notReadyStatus = status === '404' ? 404 : 200
      await asOperator(async ({ owner }) =>
        setNotReadyStatus(owner, await getTenant(owner, partnerId), notReadyStatus),
      )
      print(json === true, { partnerId, notReadyStatus }, [
        `not ready: ${status}; every instance knows within 5 s.`,
      ])
    })
}

type Switch = 'on' | 'off'

/** Undefined: left as it is. */
const isOn = (given: Switch | undefined): boolean | undefined =>
  given === undefined ? undefined : given === 'on'

function addNothingTwiceCommand(partner: Command): void {
  const switchOption = (flags: string, description: string): Option =>
    new Option(`${flags} <on|off>`, description).choices(['on', 'off'])
  partner
    .command('set-nothing-twice <partnerId>')
    .description('what is refused or answered again instead of being done twice; off by default')
    .addOption(switchOption('--idempotency', 'a POST with an Idempotency-Key is done once in 24 hours'))
    .addOption(
      switchOption('--unique-external-ids', 'externalId and sessionExternalId that are taken are refused'),
    )
    .option('--json', 'print JSON')
    .action(
      async (
        partnerId: TenantId,
        given: Json & { idempotency?: Switch; uniqueExternalIds?: Switch },
      ): Promise<void> => {
        if (given.idempotency === undefined && given.uniqueExternalIds === undefined)
          throw new Error('name at least one of --idempotency, --unique-external-ids')
        const row = await asOperator(async ({ owner }) => {
          await setNothingTwice(owner, await getTenant(owner, partnerId), {
            idempotency: isOn(given.idempotency),
            uniqueExternalIds: isOn(given.uniqueExternalIds),
          })
          return getPartner(owner, partnerId)
        })
        const { idempotency, uniqueExternalIds } = row
        print(given.json === true, { partnerId, idempotency, uniqueExternalIds }, [
          ...formatFields({
            idempotency: idempotency ? 'on' : 'off',
            'unique external ids': uniqueExternalIds ? 'on' : 'off',
          }),
          '',
          'Every instance knows within 5 s.',
        ])
      },
    )
}

export async function getPartner(owner: Database, partnerId: TenantId): Promise<TenantRow> {
  const rows = isId(partnerId)
    ? await owner.read({ tenantId: partnerId }, selectTenant({ tenantId: partnerId }))
    : []
  if (rows[0] === undefined) throw new Error(`there is no partner ${partnerId}`)
  return rows[0]
}

export async function getTenant(owner: Database, partnerId: TenantId): Promise<TenantScope> {
  const { tenantId } = await getPartner(owner, partnerId)
  return { tenantId }
}

function describePartner(row: TenantRow) {
  return {
    partnerId: row.tenantId,
    name: row.name,
    environment: row.environment,
    clientId: row.clientId,
    limits: { ratePerSecond: row.ratePerSecond, burst: row.burst, perDay: row.perDay },
    origins: row.embeddingOrigins,
    notReadyStatus: row.notReadyStatus,
    idempotency: row.idempotency,
    uniqueExternalIds: row.uniqueExternalIds,
    signingChecks: readCheckModes(row.signingChecks),
    partnerErasure: row.partnerErasure,
    requiresRecordingConsent: row.requiresConsent,
    quotas: row.quotas,
    suspendedAt: row.suspendedAt?.toISOString() ?? null,
    suspendedAs: row.suspendedAs,
    createdAt: row.createdAt.toISOString(),
  }
}

function formatValue(value: unknown): string {
  if (value === null) return '–'
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function parseCount(most: number): (text: string) => number {
  return (text) => {
    const count = Number(text)
    if (!/^\d+$/.test(text) || count < 1 || count > most) {
      throw new InvalidArgumentError(`It must be a whole number from 1 to ${most}.`)
    }
    return count
  }
}

function parseOrigin(text: string): string {
  const origin = URL.canParse(text) ? new URL(text).origin : 'null'
  if (origin === 'null' || !/^https?:/.test(origin) || origin !== text.replace(/\/$/, '')) {
    throw new Error(`${text} is no origin: write it as https://host or https://host:port`)
  }
  return origin
}
