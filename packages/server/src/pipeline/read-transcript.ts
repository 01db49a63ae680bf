import { setImmediate as nextTurn } from 'node:timers/promises'
import type { NamedItem } from '../engines/named-item.js'
import { makeUnread, otherLanguage, type Finding, type Reading } from '../engines/reader/reading.js'
import {
  findReading,
  findLockedLines,
  getNamedItems,
  readCorrected,
  saveReading,
  type FoundReading,
} from '../features/transcripts/index.js'
import { findSession, isWithdrawn } from '../features/sessions/index.js'
import { requireJob } from '../jobs/enqueue-job.js'
import type { Job } from '../jobs/jobs.sql.js'
import type { SessionId } from '../kernel/ids.js'
import { openPipelineChange, type PipelineParts } from './pipeline-parts.js'

export interface ReadSession {
  transcript: NamedItem[]
  reading: Reading
}

/**
 * What every writer is given of a session. It is read once and kept; again only by a newer reader, or when something was
 * corrected. What a model found before stays found in other lines than those that were corrected: the next may not be asked, or
 * not find it again.
 */
export async function readTranscript(
  parts: PipelineParts,
  job: Job,
  sessionId: SessionId,
  signal: AbortSignal,
): Promise<ReadSession> {
  const { ring } = await openPipelineChange(parts, job)
  const transcript = await getNamedItems(parts.db, ring, sessionId)
  // Hours of talk: reading them, finding them read and handing them on are a turn each.
  await nextTurn()
  const kept = await findReading(parts.db, ring, sessionId, transcript)
  await nextTurn()
  if (kept?.isCurrent === true && kept.reading.version === parts.reader.version)
    return { transcript, reading: kept.reading }
  const session = await findSession(parts.db, job, sessionId)
  const language = otherLanguage(session?.language ?? null)
  const fresh =
    language === null
      ? await parts.reader.read(transcript, signal, job.tenantId)
      : makeUnread(language, parts.reader.version, transcript.length)
  const found = kept === null ? [] : await listFoundByModel(parts, job, sessionId, kept)
  const reading = { ...fresh, findings: [...fresh.findings, ...found] }
  const save = { sessionId, transcript, reading, before: kept }
  await parts.db.write(job, async (tx) => {
    // The session before its lines, and both before the job, as whoever strikes some or puts them right.
    await isWithdrawn(tx, sessionId)
    const lines = await findLockedLines(tx, ring, sessionId)
    await requireJob(tx, job)
    // Struck meanwhile: what was read has lines that are gone. Corrections move none, and are read by a job of their own.
    if (lines?.length !== transcript.length) return
    await saveReading(tx, ring, save)
  })
  return { transcript, reading }
}

async function listFoundByModel(
  parts: PipelineParts,
  job: Job,
  sessionId: SessionId,
  { reading, otherSpeakers }: FoundReading,
): Promise<Finding[]> {
  const { items } = await parts.db.write(job, (tx) => readCorrected(tx, sessionId))
  const corrected = new Set([...items, ...otherSpeakers])
  return reading.findings.filter(
    (finding) =>
      finding.kind === 'danger' &&
      finding.foundBy === 'model' &&
      !finding.items.some((item) => corrected.has(item)),
  )
}
