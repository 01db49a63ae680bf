import type { Command } from 'commander'
import { setRequiresConsent, type TenantRow } from '../../features/partners/index.js'
import type { Database } from '../../kernel/db/database.js'
import type { TenantId } from '../../kernel/ids.js'
import { asOperator } from './operator-session.js'
import { print } from './print.js'

/** `getPartner` is handed in, because the partners' commands know this one. */
export function addSetConsentCommand(
  partner: Command,
  getPartner: (owner: Database, partnerId: TenantId) => Promise<TenantRow>,
): void {
  partner
    .command('set-consent <partnerId>')
    .description(
      'whether a recording by fileUrl needs the client’s consent, as one of the widget always does',
    )
    .option('--require', 'without it a session from fileUrl is refused')
    .option('--no-require', 'as by default: fileUrl is the partner’s to answer for')
    .option('--json', 'print JSON')
    .action(async (partnerId: TenantId, { require, json }: { require?: boolean; json?: true }) => {
      if (require === undefined) throw new Error('give --require or --no-require')
      await asOperator(async ({ owner }) => {
        const { tenantId } = await getPartner(owner, partnerId)
        await setRequiresConsent(owner, { tenantId }, require)
      })
      print(json === true, { partnerId, requiresRecordingConsent: require }, [
        `consent for recordings by fileUrl: ${require ? 'required' : 'not required'}, from the next session on`,
      ])
    })
}
