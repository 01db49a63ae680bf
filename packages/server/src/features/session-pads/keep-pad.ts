import type { SessionPad } from '@casenote/contract'
import { recordChange } from '../../kernel/audit/index.js'
import type { ChangeContext } from '../../kernel/change-context.js'
import type { Tx } from '../../kernel/db/database.js'
import type { ClientId, SessionId } from '../../kernel/ids.js'
import { sealJson, unsealJson } from '../../kernel/secrets/sealed-json.js'
import { padPlace } from './read-pad.js'
import { deletePad, selectPad, upsertPad } from './session-pads.sql.js'

/** The whole pad takes the place of what was kept before: a repeated call changes nothing. The session is locked. */
export async function keepPad(
  tx: Tx,
  { ring, actor, requestId }: ChangeContext,
  { sessionId, clientId, pad }: { sessionId: SessionId; clientId: ClientId; pad: SessionPad },
): Promise<void> {
  await tx.run(upsertPad(tx.tenant, sessionId, sealJson(ring.forClient(clientId), padPlace(sessionId), pad)))
  await recordChange(tx, { operation: 'session.keepPad', actor, requestId, subjects: [sessionId, clientId] })
}

/** It belongs to the recording: a session that takes one over takes it, too. */
export async function movePad(
  tx: Tx,
  { ring }: ChangeContext,
  from: SessionId,
  to: { sessionId: SessionId; clientId: ClientId },
): Promise<void> {
  const [row] = await tx.run(selectPad(tx.tenant, from))
  if (row === undefined) return
  const pad = unsealJson(ring, padPlace(from), row.sealedPad)
  const sealedPad = sealJson(ring.forClient(to.clientId), padPlace(to.sessionId), pad)
  await tx.run(upsertPad(tx.tenant, to.sessionId, sealedPad))
  await forgetPad(tx, from)
}

export const forgetPad = (tx: Tx, sessionId: SessionId): Promise<unknown> =>
  tx.run(deletePad(tx.tenant, sessionId))
