import type { Client, ClientPatch } from '@casenote/contract'
import { recordChange, type ChangeSource } from '../../kernel/audit/index.js'
import type { Database } from '../../kernel/db/database.js'
import type { TenantScope } from '../../kernel/tenant.js'
import { requireCallingCode, requireFreeClientId, requirePrograms, toClient } from './client-rules.js'
import { deleteClientPrograms, insertClientPrograms, updateClient, type ClientRow } from './clients.sql.js'
import { readLockedClient } from './find-client.js'
import { foldFullName } from './fold-name.js'

export async function changeClient(
  db: Database,
  tenant: TenantScope,
  client: ClientRow,
  patch: ClientPatch,
  { source, isExternalIdUnique }: { source: ChangeSource; isExternalIdUnique: boolean },
): Promise<Client> {
  requireCallingCode(patch.phoneNumber)
  if (Object.keys(patch).length === 0) return toClient(client)
  // A transfer stays within the organization: what fits now fits when it is written.
  const programIds =
    patch.programIds === undefined
      ? null
      : await requirePrograms(db, tenant, client.organizationId, patch.programIds ?? [])
  const { clientId } = client
  return db.write(tenant, async (tx) => {
    const current = await readLockedClient(tx, clientId)
    const changed: ClientRow = { ...current, ...patch, programIds: programIds ?? current.programIds }
    if (isExternalIdUnique && changed.externalId !== current.externalId)
      await requireFreeClientId(tx, clientId, changed.externalId)
    await tx.run(updateClient(tenant, { ...changed, nameFolded: foldFullName(changed) }))
    if (programIds !== null) {
      await tx.run(deleteClientPrograms(tenant, clientId))
      await tx.run(insertClientPrograms(tenant, clientId, programIds))
    }
    await recordChange(tx, { ...source, operation: 'client.change', subjects: [clientId] })
    return toClient(changed)
  })
}
