import type { Transcript, WordCorrection } from '@casenote/contract'
import { enqueueStep } from '../../jobs/enqueue-step.js'
import { recordChange } from '../../kernel/audit/index.js'
import type { ChangeContext } from '../../kernel/change-context.js'
import type { Tx } from '../../kernel/db/database.js'
import type { ClinicianId, SessionId } from '../../kernel/ids.js'
import { refuse } from '../../kernel/refuse.js'
import { sealJson } from '../../kernel/secrets/sealed-json.js'
import { correctionPlace } from './list-corrected-items.js'
import { describeTranscript, itemsPlace } from './read-transcript.js'
import { countCorrections, correctionsMax, insertCorrection } from './transcript-corrections.sql.js'
import { lockTranscript, selectTranscript, updateTranscript } from './transcripts.sql.js'

/** Whole sentences may be missing; a transcript must not grow without end by what is put right in it. */
const longerMax = 500

/** Who puts one line right often puts right the next: one reading for both. */
export const readAfterMs = 5_000

/**
 * The words of one item, as the clinician heard them. Items keep their places, so what points to one still does; what stood
 * there before is kept with who changed it. What is said now is read anew, and the note compared with it; writing the note again is
 * up to the caller.
 */
export async function correctWords(
  tx: Tx,
  context: ChangeContext,
  { sessionId, clinicianId }: { sessionId: SessionId; clinicianId: ClinicianId },
  { item: index, before, after: given }: WordCorrection,
): Promise<Transcript> {
  const { ring, actor, requestId } = context
  const after = given.trim()
  if (after === '') throw refuse.invalid(['after should not be empty'])
  if (after.length > before.length + longerMax)
    throw refuse.invalid([`after must be at most ${longerMax} characters longer than before`])
  await tx.run(lockTranscript(tx.tenant, sessionId))
  const [row] = await tx.run(selectTranscript(tx.tenant, sessionId))
  const transcript = row === undefined ? null : describeTranscript(ring, row)
  if (row === undefined || transcript === null)
    throw refuse.conflict('transcript_missing', 'Transcript has not been generated')
  const item = transcript.transcriptItems[index]
  if (item === undefined) throw refuse.invalid(['item must be an item of the transcript'])
  if (item.transcript !== before)
    throw refuse.conflict('words_changed', 'The words have changed since they were read')
  if (after === before) return transcript
  const [count] = await tx.run(countCorrections(tx.tenant, sessionId))
  const number = (count?.total ?? 0) + 1
  if (number > correctionsMax)
    throw refuse.conflict('corrections_full', 'The transcript has been corrected too often')
  const { corrections = [], ...rest } = item
  // What the recognizer put right and the clinician put otherwise is no longer there.
  const standing = corrections.filter(({ corrected }) => after.includes(corrected))
  const next = { ...rest, transcript: after, ...(standing.length > 0 ? { corrections: standing } : {}) }
  const transcriptItems = transcript.transcriptItems.with(index, next)
  const own = ring.forClient(row.clientId)
  await tx.run(updateTranscript(tx.tenant, sessionId, sealJson(own, itemsPlace(sessionId), transcriptItems)))
  const sealedWords = sealJson(own, correctionPlace(sessionId, number), { before, after })
  await tx.run(insertCorrection(tx.tenant, { sessionId, number, item: index, clinicianId, sealedWords }))
  await enqueueStep(tx, 'transcript_changed', sessionId, readAfterMs)
  tx.announce('casenote_sessions')
  const subjects = [sessionId, row.clientId]
  await recordChange(tx, { operation: 'session.correctWords', actor, requestId, subjects })
  return { ...transcript, transcriptItems }
}
