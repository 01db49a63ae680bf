import type { Command } from 'commander'
import { findClinicianAnywhere } from '../../features/clinicians/index.js'
import { deactivateClinician, endWidgetSessions, reactivateClinician } from '../../features/widget/index.js'
import type { ClinicianId } from '../../kernel/ids.js'
import { operator } from '../../kernel/operator.js'
import { asOperator } from './operator-session.js'
import { getTenantBy } from './organization.js'
import { print } from './print.js'

/** Cutting a clinician off, and ending what they have open, as the partner can by the API. */
export function addClinicianCommands(program: Command): void {
  const clinician = program.command('clinician').description('clinicians and their access')
  for (const { name, description, act, active, done } of [
    {
      name: 'deactivate',
      description:
        'end all widget sessions, and let none begin; what had arrived of a recording becomes a note',
      act: deactivateClinician,
      active: false,
      done: 'deactivated: their widget sessions, streams and uploads end within 5 s.',
    },
    {
      name: 'reactivate',
      description: 'undo deactivate; sessions that ended stay ended',
      act: reactivateClinician,
      active: true,
      done: 'active again: the partner can mint tokens for them.',
    },
    {
      name: 'end-widget-sessions',
      description: 'end all widget sessions, as after a lost device; new ones can begin',
      act: endWidgetSessions,
      active: null,
      done: 'signed out everywhere: their widget sessions, streams and uploads end within 5 s.',
    },
  ]) {
    clinician
      .command(`${name} <clinicianId>`)
      .description(description)
      .option('--json', 'print JSON')
      .action(async (clinicianId: ClinicianId, { json }: { json?: true }) => {
        await asOperator(async ({ owner }) => {
          const tenant = await getTenantBy(owner, 'clinician', findClinicianAnywhere, clinicianId)
          await owner.write(tenant, (tx) => act(tx, clinicianId, operator))
        })
        print(json === true, active === null ? { id: clinicianId } : { id: clinicianId, active }, [
          `${clinicianId} is ${done}`,
        ])
      })
  }
}
