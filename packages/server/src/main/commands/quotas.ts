import { InvalidArgumentError, type Command } from 'commander'
import {
  selectAllUsage,
  selectMostUsing,
  setQuotas,
  type ClinicianUsage,
  type Quotas,
  type TenantRow,
} from '../../features/partners/index.js'
import type { Database } from '../../kernel/db/database.js'
import type { TenantId } from '../../kernel/ids.js'
import { asOperator } from './operator-session.js'
import { formatFields, formatTable, print } from './print.js'

/** Those who use the most are shown; who uses little is in nobody's way. */
const shownMost = 10

interface Options extends Partial<Quotas> {
  json?: true
}

/** Without any quota it shows them, and what is used of them. */
export function addQuotaCommand(
  partner: Command,
  getPartner: (owner: Database, partnerId: TenantId) => Promise<TenantRow>,
): void {
  partner
    .command('set-quotas <partnerId>')
    .description('what may be stored and on its way, and what is; without options it only shows')
    .option('--stored-bytes <size>', 'recordings of the partner, as 500GiB or a number of bytes', parseBytes)
    .option('--clinician-stored-bytes <size>', 'recordings of one clinician', parseBytes)
    .option('--open-uploads <n>', 'uploads begun and not ended', parseUploads)
    .option('--clinician-open-uploads <n>', 'the same of one clinician', parseUploads)
    .option('--json', 'print JSON')
    .action(async (partnerId: TenantId, { json, ...quotas }: Options) => {
      const shown = await asOperator(async ({ owner }) => {
        const found = await getPartner(owner, partnerId)
        const tenant = { tenantId: found.tenantId }
        if (Object.keys(quotas).length > 0) {
          requireShares({ ...found.quotas, ...quotas })
          await setQuotas(owner, tenant, quotas)
        }
        const usage = await owner.throughDoor(selectAllUsage())
        const used = usage.find(({ tenantId }) => tenantId === partnerId)
        return {
          partnerId,
          quotas: (await getPartner(owner, partnerId)).quotas,
          used: { storedBytes: used?.storedBytes ?? 0, openUploads: used?.openUploads ?? 0 },
          clinicians: await owner.read(tenant, selectMostUsing(tenant, shownMost)),
        }
      })
      print(json === true, shown, describe(shown))
    })
}

/** A clinician's share that is more than the whole bounds nobody: one of them could keep all others from recording. */
function requireShares({
  storedBytes,
  clinicianStoredBytes,
  openUploads,
  clinicianOpenUploads,
}: Quotas): void {
  if (clinicianStoredBytes > storedBytes)
    throw new Error(
      `one clinician may store ${formatBytes(clinicianStoredBytes)}, and the whole partner ${formatBytes(storedBytes)}: name --clinician-stored-bytes, too`,
    )
  if (clinicianOpenUploads > openUploads)
    throw new Error(
      `one clinician may have ${clinicianOpenUploads} open uploads, and the whole partner ${openUploads}: name --clinician-open-uploads, too`,
    )
}

function describe(shown: {
  quotas: Quotas
  used: { storedBytes: number; openUploads: number }
  clinicians: ClinicianUsage[]
}): string[] {
  const { quotas, used, clinicians } = shown
  const rows = clinicians.map((one) => [
    one.clinicianId,
    formatBytes(one.storedBytes),
    String(one.openUploads),
  ])
  return [
    ...formatFields({
      storedBytes: `${formatBytes(used.storedBytes)} of ${formatBytes(quotas.storedBytes)}`,
      openUploads: `${used.openUploads} of ${quotas.openUploads}`,
      'of one clinician': `${formatBytes(quotas.clinicianStoredBytes)}, ${quotas.clinicianOpenUploads} open uploads`,
    }),
    ...(rows.length === 0 ? [] : ['', ...formatTable(['clinician', 'stored', 'open uploads'], rows)]),
  ]
}

const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const

export function formatBytes(bytes: number): string {
  const step = bytes < 1_024 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10))
  const count = bytes / 1_024 ** step
  return `${step === 0 || count >= 100 ? Math.round(count) : count.toFixed(1)} ${units[step]}`
}

function parseBytes(text: string): number {
  const [, count = '', unit = 'B'] = /^(\d{1,16})(B|KiB|MiB|GiB|TiB|PiB)?$/.exec(text) ?? []
  const bytes = Number(count) * 1_024 ** units.indexOf(unit as (typeof units)[number])
  if (count === '' || bytes < 1 || bytes > Number.MAX_SAFE_INTEGER)
    throw new InvalidArgumentError(
      'It must be a whole number of bytes, or of KiB, MiB, GiB, TiB or PiB as in 500GiB.',
    )
  return bytes
}

function parseUploads(text: string): number {
  const count = Number(text)
  if (!/^\d{1,10}$/.test(text) || count < 1 || count > 2_000_000_000)
    throw new InvalidArgumentError('It must be a whole number from 1 to 2000000000.')
  return count
}
