import type { SessionPad } from '@casenote/contract'
import type { Database } from '../../kernel/db/database.js'
import type { SessionId } from '../../kernel/ids.js'
import { unsealJson, type JsonPlace } from '../../kernel/secrets/sealed-json.js'
import type { TenantKeyRing } from '../../kernel/secrets/tenant-keys.js'
import type { TenantScope } from '../../kernel/tenant.js'
import { selectPad } from './session-pads.sql.js'

export const padPlace = (sessionId: SessionId): JsonPlace<SessionPad> => ({
  table: 'session_pads',
  row: sessionId,
  column: 'sealed_pad',
})

/** An empty one where nothing was jotted down or marked. */
export async function readPad(
  db: Database,
  tenant: TenantScope,
  ring: TenantKeyRing,
  sessionId: SessionId,
): Promise<SessionPad> {
  const [row] = await db.read(tenant, selectPad(tenant, sessionId))
  return row === undefined ? { text: '', markers: [] } : unsealJson(ring, padPlace(sessionId), row.sealedPad)
}
