import type { ChangeContext } from '../../kernel/change-context.js'
import type { Tx } from '../../kernel/db/database.js'
import type { SessionId } from '../../kernel/ids.js'
import { sealJson, unsealJson } from '../../kernel/secrets/sealed-json.js'
import { getSession } from '../sessions/index.js'
import { completeTranscript } from './complete-transcript.js'
import { correctionPlace } from './list-corrected-items.js'
import { describeTranscript, readKeptSpeakers, speakersPlace } from './read-transcript.js'
import { insertCorrection, selectCorrections } from './transcript-corrections.sql.js'
import {
  lockTranscript,
  selectHeardTry,
  selectTranscript,
  selectTranscriptMaker,
  updateSpeakers,
} from './transcripts.sql.js'

/** Whether what was said is written down already, in this language: with the session, or with one that it is another try of. */
export async function isHeard(
  tx: Tx,
  { sessionId, language }: { sessionId: SessionId; language: string | null },
): Promise<boolean> {
  return (await tx.run(selectHeardTry(tx.tenant, sessionId, language))).length > 0
}

/**
 * A session that is tried again when its sound is gone goes on from what was heard of it: lines, who speaks in them, and who put what right. The
 * older one forgets them in the same transaction, unless a legal hold keeps them.
 */
export async function takeOverTranscript(
  tx: Tx,
  context: ChangeContext,
  sessionId: SessionId,
): Promise<void> {
  const { language, clientId } = await getSession(tx, sessionId)
  const [heard] = await tx.run(selectHeardTry(tx.tenant, sessionId, language))
  if (heard === undefined) throw new Error('nothing was heard of a session that goes on from its transcript')
  const earlierId = heard.sessionId
  await tx.run(lockTranscript(tx.tenant, earlierId))
  const [row] = await tx.run(selectTranscript(tx.tenant, earlierId))
  const [maker] = await tx.run(selectTranscriptMaker(tx.tenant, earlierId))
  const transcript = row === undefined ? null : describeTranscript(context.ring, row)
  if (row === undefined || maker === undefined || transcript === null)
    throw new Error('a transcript is gone that was there')
  const speakers = readKeptSpeakers(context.ring, row)
  const corrections = await tx.run(selectCorrections(tx.tenant, earlierId))
  const { transcriptItems: items } = transcript
  const kept = { sessionId, items, madeBy: maker.madeBy, isOneVoice: row.isOneVoice === true }
  if ((await completeTranscript(tx, context, kept)) === null)
    throw new Error('a session that is being transcribed takes no transcript')
  const own = context.ring.forClient(clientId)
  if (speakers.length > 0)
    await tx.run(updateSpeakers(tx.tenant, sessionId, sealJson(own, speakersPlace(sessionId), speakers)))
  for (const { sealedWords, ...correction } of corrections) {
    const { number } = correction
    const words = unsealJson(context.ring, correctionPlace(earlierId, number), sealedWords)
    const sealed = sealJson(own, correctionPlace(sessionId, number), words)
    await tx.run(insertCorrection(tx.tenant, { ...correction, sessionId, sealedWords: sealed }))
  }
}
