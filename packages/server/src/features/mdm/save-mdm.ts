import { isPrescriberNoteType, toSessionPayload, type MdmFindings } from '@casenote/contract'
import { recordChange } from '../../kernel/audit/index.js'
import type { ChangeContext } from '../../kernel/change-context.js'
import type { Tx } from '../../kernel/db/database.js'
import { newId, type SessionId } from '../../kernel/ids.js'
import { recordEvent } from '../../kernel/outbox/index.js'
import { sealJson } from '../../kernel/secrets/sealed-json.js'
import { getSession, isWithdrawn } from '../sessions/index.js'
import { upsertMdm } from './mdm.sql.js'
import { findingsPlace } from './read-mdm.js'

/**
 * Only for prescriber note types; the event is sent once for a session, however often it is derived. Null: the session was
 * withdrawn meanwhile, or it has them and they are signed.
 */
export async function saveMdm(
  tx: Tx,
  context: ChangeContext,
  {
    sessionId,
    findings,
    madeBy,
    isSigned = false,
  }: { sessionId: SessionId; findings: MdmFindings; madeBy: string; isSigned?: boolean },
): Promise<string | null> {
  if (await isWithdrawn(tx, sessionId)) return null
  const session = await getSession(tx, sessionId)
  if (!isPrescriberNoteType(session.noteType)) throw new Error('MDM elements are for prescriber note types')
  const { ring, publicUrl, nowMs, actor, requestId } = context
  const sealedFindings = sealJson(ring.forClient(session.clientId), findingsPlace(sessionId), findings)
  const [saved] = await tx.run(
    upsertMdm(tx.tenant, { sessionId, mdmId: newId(), sealedFindings, madeBy, staysAsItIs: isSigned }),
  )
  if (saved === undefined && isSigned) return null
  if (saved === undefined) throw new Error('MDM elements were not saved')
  const { mdmId } = saved
  const mdmUrl = `${publicUrl}/v2/sessions/${sessionId}/mdm`
  await recordEvent(tx, {
    eventType: 'mdm_elements_identified',
    payload: { ...toSessionPayload(session), mdmId, mdmUrl },
    onceKey: `mdm_elements_identified/${sessionId}`,
    nowMs,
  })
  const subjects = [mdmId, sessionId, session.clientId]
  tx.announce('casenote_sessions')
  await recordChange(tx, { operation: 'mdm.save', actor, requestId, subjects })
  return mdmId
}
