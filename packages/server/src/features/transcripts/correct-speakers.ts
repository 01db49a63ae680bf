import { isSpeaker, type Transcript, type TranscriptPatch } from '@casenote/contract'
import { enqueueStep } from '../../jobs/enqueue-step.js'
import { recordChange } from '../../kernel/audit/index.js'
import type { ChangeContext } from '../../kernel/change-context.js'
import type { Tx } from '../../kernel/db/database.js'
import type { SessionId } from '../../kernel/ids.js'
import { refuse } from '../../kernel/refuse.js'
import { sealJson } from '../../kernel/secrets/sealed-json.js'
import { readAfterMs } from './correct-words.js'
import { getLockedSpoken, itemsPlace, readKeptSpeakers } from './read-transcript.js'
import { updateTranscript } from './transcripts.sql.js'
import { listSpeakers } from './voices.js'

/**
 * All labels at once, so that two can be swapped. What is said by another now is read anew, and the note compared with it; writing the
 * note again is up to the caller.
 */
export async function correctSpeakers(
  tx: Tx,
  context: ChangeContext,
  sessionId: SessionId,
  { speakers }: TranscriptPatch,
): Promise<Transcript> {
  const { ring, actor, requestId } = context
  const { row, transcript } = await getLockedSpoken(tx, ring, sessionId)
  const problems = findProblems(transcript, speakers)
  if (problems.length > 0) throw refuse.invalid(problems)
  const renamed = new Map(Object.entries(speakers))
  const transcriptItems = transcript.transcriptItems.map((item) => ({
    ...item,
    speaker: renamed.get(item.speaker) ?? item.speaker,
  }))
  const sealedItems = sealJson(ring.forClient(row.clientId), itemsPlace(sessionId), transcriptItems)
  const voiceCount = new Set(transcriptItems.map(({ voice }) => voice)).size
  await tx.run(updateTranscript(tx.tenant, sessionId, sealedItems, voiceCount))
  await enqueueStep(tx, 'transcript_changed', sessionId, readAfterMs)
  tx.announce('casenote_sessions')
  const subjects = [sessionId, row.clientId]
  await recordChange(tx, { operation: 'session.correctSpeakers', actor, requestId, subjects })
  return {
    ...transcript,
    transcriptItems,
    speakers: listSpeakers(transcriptItems, readKeptSpeakers(ring, row)),
  }
}

function findProblems({ transcriptItems }: Transcript, speakers: TranscriptPatch['speakers']): string[] {
  const labels = new Set(transcriptItems.map(({ speaker }) => speaker))
  return Object.entries(speakers).flatMap(([label, speaker]) => {
    if (!labels.has(label)) return [`speakers.${label} must be a speaker of the transcript`]
    return isSpeaker(speaker)
      ? []
      : [`speakers.${label} must be one of the following values: clinician, client, speaker_N`]
  })
}
