import { Argument, type Command } from 'commander'
import { setPartnerErasure, type TenantRow } from '../../features/partners/index.js'
import type { Database } from '../../kernel/db/database.js'
import type { TenantId } from '../../kernel/ids.js'
import { asOperator } from './operator-session.js'
import { print } from './print.js'

/** `getPartner` is handed in, because the partners' commands know these. */
export function addPartnerErasureCommand(
  partner: Command,
  getPartner: (owner: Database, partnerId: TenantId) => Promise<TenantRow>,
): void {
  partner
    .command('set-erasure <partnerId>')
    .description(
      'whether the partner may erase clients and what is theirs over the Partner API; off by default',
    )
    .addArgument(new Argument('<on|off>').choices(['on', 'off']))
    .option('--json', 'print JSON')
    .action(async (partnerId: TenantId, given: 'on' | 'off', { json }: { json?: true }) => {
      const { partnerErasure } = await asOperator(async ({ owner, masterKeys }) => {
        const { tenantId } = await getPartner(owner, partnerId)
        if (given === 'on' && masterKeys.clientKeys === null)
          throw new Error(
            'there is no key store, without which a backup would bring back what is erased: set CASENOTE_KEY_STORE on every ' +
              'instance, run "casenote migrate" and start them again',
          )
        await setPartnerErasure(owner, { tenantId }, given === 'on')
        return getPartner(owner, partnerId)
      })
      print(json === true, { partnerId, partnerErasure }, [
        partnerErasure
          ? 'The partner may erase from now on. A legal hold still refuses it, and signed notes need a confirmation of their own.'
          : 'Only the operator erases from now on. What was asked for before is still done.',
      ])
    })
}
