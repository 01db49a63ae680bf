import { EngineFault } from '../engines/engine-fault.js'
import { describeWriter } from '../engines/writer/made-by.js'
import type { WriterEngine, WritingRequest } from '../engines/writer/writer-engine.js'
import type { SessionRow } from '../features/sessions/index.js'
import { finishJob } from '../jobs/enqueue-job.js'
import { enqueueStep } from '../jobs/enqueue-step.js'
import type { SessionJob } from '../jobs/jobs.sql.js'
import type { ChangeContext } from '../kernel/change-context.js'
import type { Tx } from '../kernel/db/database.js'
import { isCorrectedSince, readMark } from './corrected-since.js'
import { openPipelineChange, type PipelineParts } from './pipeline-parts.js'
import { readKnown } from './read-known.js'
import { readLockedSignature } from './read-locked-signature.js'
import { readTranscript } from './read-transcript.js'
import { withFallback } from './with-fallback.js'

interface BesideNote<Made> {
  ask: (writer: WriterEngine, request: WritingRequest) => Promise<Made>
  /** Keeps what was made in the transaction that ends the job; what stands beside a signed note stays. */
  keep: (
    tx: Tx,
    context: ChangeContext,
    one: { made: Made; madeBy: string; isSigned: boolean; keepNamesOut: (text: string) => string },
  ) => Promise<void>
  /** What happened then, and what where words of the transcript were put right meanwhile. */
  ended: 'mdm_ended' | 'summary_ended'
  outdated: 'mdm_outdated' | 'summary_outdated'
  /** For the log, where a writer cannot make it; the session goes on without. */
  failure: string
  goOn: () => Promise<void>
}

/** What MDM elements and the summary have in common: they are made of the talk beside the note, and no session fails for want of them. */
export async function makeBesideNote<Made>(
  parts: PipelineParts,
  { job, session, signal }: { job: SessionJob; session: Pick<SessionRow, 'noteType'>; signal: AbortSignal },
  { ask, keep, ended, outdated, failure, goOn }: BesideNote<Made>,
): Promise<void> {
  const sessionId = job.subjectId
  const context = await openPipelineChange(parts, job)
  try {
    const corrected = await readMark(parts, job)
    const read = await readTranscript(parts, job, sessionId, signal)
    const request = { noteType: session.noteType, ...read, treatmentApproaches: [], owner: job.tenantId }
    const { made, writer } = await withFallback(parts, sessionId, (one) => ask(one, request))
    const { keepNamesOut } = await readKnown(parts, job, sessionId)
    await parts.db.write(job, async (tx) => {
      const isSigned = await readLockedSignature(tx, sessionId)
      await finishJob(tx, job)
      await keep(tx, context, { made, madeBy: describeWriter(writer), isSigned, keepNamesOut })
      await enqueueStep(tx, (await isCorrectedSince(tx, job, corrected)) ? outdated : ended, sessionId)
    })
  } catch (error) {
    if (!(error instanceof EngineFault) || error.isTransient) throw error
    parts.log.warn({ err: error, sessionId }, failure)
    await goOn()
  }
}
