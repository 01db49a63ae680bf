import type { Database, Tx } from '../../kernel/db/database.js'
import type { SessionId } from '../../kernel/ids.js'
import { sealJson, unsealJson, type JsonPlace } from '../../kernel/secrets/sealed-json.js'
import type { TenantKeyRing } from '../../kernel/secrets/tenant-keys.js'
import { deleteText, insertText, selectText } from './session-texts.sql.js'

const textPlace = (sessionId: SessionId): JsonPlace<string> => ({
  table: 'session_texts',
  row: sessionId,
  column: 'sealed_text',
})

/** What a typed session has in place of a recording; never changed again. */
export const keepText = (
  tx: Tx,
  ring: TenantKeyRing,
  { sessionId, text }: { sessionId: SessionId; text: string },
): Promise<unknown> => tx.run(insertText(tx.tenant, sessionId, sealJson(ring, textPlace(sessionId), text)))

/** Null: it was recorded, or another session took its text over. */
export async function findText(
  db: Database,
  ring: TenantKeyRing,
  sessionId: SessionId,
): Promise<string | null> {
  const tenant = { tenantId: ring.tenantId }
  const [row] = await db.read(tenant, selectText(tenant, sessionId))
  return row === undefined ? null : unsealJson(ring, textPlace(sessionId), row.sealedText)
}

/** The text that a session was made from, as `findText` gives it, within a change. */
export async function readText(tx: Tx, ring: TenantKeyRing, sessionId: SessionId): Promise<string | null> {
  const [row] = await tx.run(selectText(tx.tenant, sessionId))
  return row === undefined ? null : unsealJson(ring, textPlace(sessionId), row.sealedText)
}

/** For another session, whose it is from then on. Null: there is none. */
export async function takeText(tx: Tx, ring: TenantKeyRing, sessionId: SessionId): Promise<string | null> {
  const text = await readText(tx, ring, sessionId)
  if (text !== null) await tx.run(deleteText(tx.tenant, sessionId))
  return text
}
