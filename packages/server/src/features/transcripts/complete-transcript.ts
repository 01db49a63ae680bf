import { isSpeaker, toSessionPayload, type TranscriptItem } from '@casenote/contract'
import { recordChange } from '../../kernel/audit/index.js'
import type { ChangeContext } from '../../kernel/change-context.js'
import type { Tx } from '../../kernel/db/database.js'
import type { SessionId } from '../../kernel/ids.js'
import { recordEvent } from '../../kernel/outbox/index.js'
import { sealJson } from '../../kernel/secrets/sealed-json.js'
import { forgetHeard } from '../live-transcripts/index.js'
import { startWriting } from '../progress-notes/index.js'
import { isUnderHold } from '../session-gaps/index.js'
import { applySessionAction, getSession } from '../sessions/index.js'
import { forgetEarlierTries } from './forget-transcript.js'
import { itemsPlace } from './read-transcript.js'
import { insertTranscript } from './transcripts.sql.js'

interface MadeTranscript {
  sessionId: SessionId
  items: readonly TranscriptItem[]
  madeBy: string
  /** Whether nobody else than one voice was heard in a recording. */
  isOneVoice?: boolean
}

/**
 * Keeps the transcript, tells of it once and asks for the note. Returns the generation that is now pending. Null: the
 * session is not being transcribed (a retry, or it has failed), and nothing was changed.
 */
export async function completeTranscript(
  tx: Tx,
  context: ChangeContext,
  { sessionId, items, madeBy, isOneVoice = false }: MadeTranscript,
): Promise<string | null> {
  if (!items.every(({ speaker }) => isSpeaker(speaker))) throw new Error('a speaker has no known label')
  if ((await applySessionAction(tx, sessionId, 'completeTranscript')) === null) return null
  const { ring, publicUrl, nowMs, actor, requestId } = context
  const session = await getSession(tx, sessionId)
  const sealedItems = sealJson(ring.forClient(session.clientId), itemsPlace(sessionId), items)
  await tx.run(insertTranscript(tx.tenant, { sessionId, sealedItems, madeBy, isOneVoice }))
  await forgetHeard(tx, sessionId)
  // From here on it is not the only one: what is struck of it, or put under another client, would stay in the older ones.
  if (session.retryOf !== null && !(await isUnderHold(tx, session.clientId)))
    await forgetEarlierTries(tx, sessionId)
  await recordEvent(tx, {
    eventType: 'transcript_ready',
    payload: {
      ...toSessionPayload(session),
      transcriptUrl: `${publicUrl}/v2/sessions/${sessionId}/transcript`,
    },
    onceKey: `transcript_ready/${sessionId}`,
    nowMs,
  })
  const subjects = [sessionId, session.clientId]
  await recordChange(tx, { operation: 'transcript.complete', actor, requestId, subjects })
  return startWriting(tx, context, sessionId)
}
