import { isPrescriberNoteType, type Mdm, type MdmFindings } from '@casenote/contract'
import type { Database } from '../../kernel/db/database.js'
import { isId, type SessionId } from '../../kernel/ids.js'
import { unsealJson, type JsonPlace } from '../../kernel/secrets/sealed-json.js'
import type { TenantKeyRing } from '../../kernel/secrets/tenant-keys.js'
import type { TenantScope } from '../../kernel/tenant.js'
import { selectMdm, type MdmRow } from './mdm.sql.js'

export const findingsPlace = (sessionId: SessionId): JsonPlace<MdmFindings> => ({
  table: 'mdm_elements',
  row: sessionId,
  column: 'sealed_findings',
})

/** Null: no such session. One without MDM elements has a row without them. */
export async function findMdm(
  db: Database,
  tenant: TenantScope,
  sessionId: SessionId,
): Promise<MdmRow | null> {
  if (!isId(sessionId)) return null
  const [row] = await db.read(tenant, selectMdm(tenant, sessionId))
  return row ?? null
}

/** Null: not made yet, or made for a note that was of a prescriber's type then. */
export function describeMdm(ring: TenantKeyRing, row: MdmRow): Mdm | null {
  const { sessionId, noteType, mdmId, sealedFindings, createdAt } = row
  if (!isPrescriberNoteType(noteType)) return null
  if (mdmId === null || sealedFindings === null || createdAt === null) return null
  const findings = unsealJson(ring, findingsPlace(sessionId), sealedFindings)
  return { id: mdmId, mdmId, sessionId, ...findings, createdAt: createdAt.toISOString() }
}
