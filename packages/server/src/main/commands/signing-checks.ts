import {
  CHECK_MODES,
  SIGNING_CHECKS,
  type CheckMode,
  type CheckModes,
  type SigningCheckCode,
} from '@casenote/contract'
import type { Command } from 'commander'
import { setSigningChecks, type TenantRow } from '../../features/partners/index.js'
import { readCheckModes } from '../../features/signing-checks/index.js'
import type { Database } from '../../kernel/db/database.js'
import type { TenantId } from '../../kernel/ids.js'
import { asOperator } from './operator-session.js'
import { formatFields, print } from './print.js'

/** `getPartner` is handed in, because the partners' commands know these. */
export function addSigningChecksCommand(
  partner: Command,
  getPartner: (owner: Database, partnerId: TenantId) => Promise<TenantRow>,
): void {
  partner
    .command('set-signing-checks <partnerId> <check=mode...>')
    .description(
      `what is checked before a note is signed (${SIGNING_CHECKS.join(', ')}), each ${CHECK_MODES.join(', ')}; by default all warn`,
    )
    .option('--json', 'print JSON')
    .action(async (partnerId: TenantId, given: string[], { json }: { json?: true }) => {
      const wanted = Object.fromEntries(given.map(parseCheck)) as Partial<CheckModes>
      const row = await asOperator(async ({ owner }) => {
        const { tenantId } = await getPartner(owner, partnerId)
        await setSigningChecks(owner, { tenantId }, wanted)
        return getPartner(owner, partnerId)
      })
      const signingChecks = readCheckModes(row.signingChecks)
      print(json === true, { partnerId, signingChecks }, [
        ...formatFields({ ...signingChecks }),
        '',
        'It holds from the next signature on.',
      ])
    })
}

function parseCheck(text: string): [SigningCheckCode, CheckMode] {
  const [name, wanted, ...rest] = text.split('=')
  const code = SIGNING_CHECKS.find((one) => one === name)
  const mode = CHECK_MODES.find((one) => one === wanted)
  if (code === undefined || mode === undefined || rest.length > 0)
    throw new Error(
      `${text} is no check: write CHECK=MODE, where CHECK is one of ${SIGNING_CHECKS.join(', ')} and MODE one of ${CHECK_MODES.join(', ')}`,
    )
  return [code, mode]
}
