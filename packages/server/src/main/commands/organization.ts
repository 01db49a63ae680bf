import type { Command } from 'commander'
import { readInstruments, setDefaults } from '../../features/assessments/index.js'
import {
  findClinicAnywhere,
  findOrganizationAnywhere,
  listOrganizationsForOperator,
  listUnitsForOperator,
  provisionOrganization,
  provisionUnit,
} from '../../features/organizations/index.js'
import type { Database, Statement } from '../../kernel/db/database.js'
import {
  isId,
  type AssessmentId,
  type ClinicId,
  type OrganizationId,
  type TenantId,
} from '../../kernel/ids.js'
import type { TenantScope } from '../../kernel/tenant.js'
import { asOperator } from './operator-session.js'
import { parseName } from './parse-name.js'
import { getTenant } from './partner.js'
import { formatTable, print } from './print.js'

interface Json {
  json?: true
}

/** Organizations, clinics and programs: created and listed by the operator only. */
export function addOrganizationCommands(program: Command): void {
  const organization = program.command('organization').description('organizations of a partner')
  organization
    .command('create')
    .description('a new one, and print its id')
    .requiredOption('--partner <id>', 'the partner it belongs to')
    .requiredOption('--name <name>', 'its name', parseName)
    .option('--json', 'print JSON')
    .action(async ({ partner, name, json }: Json & { partner: string; name: string }) => {
      const id = await asOperator(async ({ owner }) =>
        owner.write(await getTenant(owner, partner), (tx) => provisionOrganization(tx, name)),
      )
      print(json === true, { id }, [id])
    })
  organization
    .command('list')
    .description('their ids and names')
    .requiredOption('--partner <id>', 'the partner')
    .option('--json', 'print JSON')
    .action(async ({ partner, json }: Json & { partner: string }) => {
      const rows = await asOperator(async ({ owner }) => {
        const tenant = await getTenant(owner, partner)
        return await owner.read(tenant, listOrganizationsForOperator(tenant))
      })
      const items = rows.map(({ organizationId, name }) => ({ id: organizationId, name }))
      print(
        json === true,
        items,
        formatTable(
          ['organization', 'name'],
          items.map(({ id, name }) => [id, name]),
        ),
      )
    })
  const clinic = addUnitCommands(program, 'clinic', 'clinics')
  clinic
    .command('set-defaults')
    .description('the assessments that a clinic administers by default, instead of phq9 and gad7')
    .argument('<clinicId>')
    .argument('<assessmentIds...>')
    .option('--json', 'print JSON')
    .action(async (clinicId: ClinicId, assessmentIds: AssessmentId[], { json }: Json) => {
      const defaults = await asOperator(async ({ owner }) => {
        const { catalogue } = await readInstruments(owner)
        const tenant = await getTenantBy(owner, 'clinic', findClinicAnywhere, clinicId)
        return owner.write(tenant, (tx) => setDefaults(tx, catalogue, clinicId, assessmentIds))
      })
      print(json === true, { id: clinicId, defaults }, defaults)
    })
  addUnitCommands(program, 'program', 'programs')
}

function addUnitCommands(program: Command, noun: string, table: 'clinics' | 'programs'): Command {
  const command = program.command(noun).description(`${table} of an organization`)
  command
    .command('create')
    .description('a new one, and print its id')
    .requiredOption('--organization <id>', 'the organization it belongs to')
    .requiredOption('--name <name>', 'its name', parseName)
    .option('--json', 'print JSON')
    .action(
      async ({ organization: organizationId, name, json }: Json & { organization: string; name: string }) => {
        const id = await asOperator(async ({ owner }) =>
          owner.write(await getTenantOf(owner, organizationId), (tx) =>
            provisionUnit(tx, table, { organizationId, name }),
          ),
        )
        print(json === true, { id }, [id])
      },
    )
  command
    .command('list')
    .description('their ids and names')
    .requiredOption('--organization <id>', 'the organization')
    .option('--json', 'print JSON')
    .action(async ({ organization: organizationId, json }: Json & { organization: string }) => {
      const rows = await asOperator(async ({ owner }) => {
        const tenant = await getTenantOf(owner, organizationId)
        return await owner.read(tenant, listUnitsForOperator(table, tenant, organizationId))
      })
      const items = rows.map(({ id, name }) => ({ id, name }))
      print(
        json === true,
        items,
        formatTable(
          [noun, 'name'],
          items.map(({ id, name }) => [id, name]),
        ),
      )
    })
  return command
}

const getTenantOf = (owner: Database, organizationId: OrganizationId): Promise<TenantScope> =>
  getTenantBy(owner, 'organization', findOrganizationAnywhere, organizationId)

export async function getTenantBy<Id extends string>(
  owner: Database,
  noun: string,
  findAnywhere: (id: Id) => Statement<{ tenantId: TenantId }>,
  id: Id,
): Promise<TenantScope> {
  const [row] = isId(id) ? await owner.throughDoor(findAnywhere(id)) : []
  if (row === undefined) throw new Error(`there is no ${noun} ${id}`)
  return row
}
