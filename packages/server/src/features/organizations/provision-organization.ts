import { recordChange } from '../../kernel/audit/index.js'
import type { Tx } from '../../kernel/db/database.js'
import { newId, type OrganizationId } from '../../kernel/ids.js'
import { operator } from '../../kernel/operator.js'
import { insertOrganization, insertUnit, type UnitTable } from './organizations.sql.js'

/** Organizations, clinics and programs come from the operator, not from partners (ruling 3). */
export async function provisionOrganization(tx: Tx, name: string): Promise<string> {
  const id = newId()
  await tx.run(insertOrganization(tx.tenant, id, name))
  await recordChange(tx, { ...operator, operation: 'organization.create', subjects: [id] })
  return id
}

export async function provisionUnit(
  tx: Tx,
  table: UnitTable,
  { organizationId, name }: { organizationId: OrganizationId; name: string },
): Promise<string> {
  const id = newId()
  await tx.run(insertUnit(table, tx.tenant, { id, organizationId, name }))
  const operation = table === 'clinics' ? 'clinic.create' : 'program.create'
  await recordChange(tx, { ...operator, operation, subjects: [id] })
  return id
}
