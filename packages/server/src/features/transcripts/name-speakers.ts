import type { SpeakersChange, Transcript } from '@casenote/contract'
import { enqueueStep } from '../../jobs/enqueue-step.js'
import { recordChange } from '../../kernel/audit/index.js'
import type { ChangeContext } from '../../kernel/change-context.js'
import type { Tx } from '../../kernel/db/database.js'
import type { SessionId } from '../../kernel/ids.js'
import { refuse } from '../../kernel/refuse.js'
import { sealJson } from '../../kernel/secrets/sealed-json.js'
import { readAfterMs } from './correct-words.js'
import { nameLines } from './name-lines.js'
import { getLockedSpoken, itemsPlace, speakersPlace } from './read-transcript.js'
import { updateSpeakers, updateTranscript } from './transcripts.sql.js'
import { changeSpeakers, findSpeakerProblems, listSpeakers, relabel } from './voices.js'

/**
 * Who the voices are; given again it is the same. A name changes no line. A role may make a voice the client's or the clinician's, or say that
 * one who would be taken for the client is another: then, and where a line is another's, what was said is read anew and the note compared
 * with it. Writing the note again is up to the caller.
 */
export async function nameSpeakers(
  tx: Tx,
  context: ChangeContext,
  sessionId: SessionId,
  given: SpeakersChange,
): Promise<Transcript> {
  const { ring, actor, requestId } = context
  const { row, transcript } = await getLockedSpoken(tx, ring, sessionId)
  const problems = findSpeakerProblems(transcript.transcriptItems, given)
  if (problems.length > 0) throw refuse.invalid(problems)
  const own = ring.forClient(row.clientId)
  const items = relabel(transcript.transcriptItems, given)
  const kept = changeSpeakers(transcript.speakers ?? [], given)
  const named = { ...transcript, transcriptItems: items, speakers: listSpeakers(items, kept) }
  if (isHeardOtherwise(transcript, named)) {
    // Also where no line is another: by the bytes whoever reads it at the moment knows that it has to be read once more.
    const sealedItems = sealJson(own, itemsPlace(sessionId), items)
    const voiceCount = new Set(items.map(({ voice }) => voice)).size
    await tx.run(updateTranscript(tx.tenant, sessionId, sealedItems, voiceCount))
    await enqueueStep(tx, 'transcript_changed', sessionId, readAfterMs)
  }
  const sealed = kept.length === 0 ? null : sealJson(own, speakersPlace(sessionId), kept)
  await tx.run(updateSpeakers(tx.tenant, sessionId, sealed))
  tx.announce('casenote_sessions')
  const subjects = [sessionId, row.clientId]
  await recordChange(tx, { operation: 'session.nameSpeakers', actor, requestId, subjects })
  return named
}

/** A line is another's, or of a voice that may be the client's it is said that it is not, or no longer. */
function isHeardOtherwise(before: Transcript, after: Transcript): boolean {
  const others = nameLines(before).map(({ isOther }) => isOther)
  return (
    after.transcriptItems.some((item, index) => item !== before.transcriptItems[index]) ||
    nameLines(after).some(({ isOther }, index) => isOther !== others[index])
  )
}
