import { setImmediate as nextTurn } from 'node:timers/promises'
import type { TranscriptItem } from '@casenote/contract'
import type { Reading } from '../engines/reader/reading.js'
import { findReading, getTranscriptItems, saveReading } from '../features/transcripts/index.js'
import type { Job } from '../jobs/jobs.sql.js'
import { openPipelineChange, type PipelineParts } from './pipeline-parts.js'

export interface ReadSession {
  transcript: TranscriptItem[]
  reading: Reading
}

/**
 * What every writer is given of a session. It is read once and kept; again only by a newer reader, or when speakers were
 * corrected.
 */
export async function readTranscript(
  parts: PipelineParts,
  job: Job,
  sessionId: string,
  signal: AbortSignal,
): Promise<ReadSession> {
  const { ring } = await openPipelineChange(parts, job)
  const transcript = await getTranscriptItems(parts.db, ring, sessionId)
  // Hours of talk: reading them, finding them read and handing them on are a turn each.
  await nextTurn()
  const kept = await findReading(parts.db, ring, sessionId, transcript)
  await nextTurn()
  if (kept?.version === parts.reader.version) return { transcript, reading: kept }
  const reading = await parts.reader.read(transcript, signal)
  const save = { sessionId, transcript, reading, isCompared: false }
  await parts.db.write(job, (tx) => saveReading(tx, ring, save))
  return { transcript, reading }
}
