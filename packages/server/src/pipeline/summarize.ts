import { EngineFault } from '../engines/engine-fault.js'
import { completeSession, findSession } from '../features/sessions/index.js'
import { saveSummary } from '../features/summaries/index.js'
import { finishJob } from '../jobs/enqueue-job.js'
import { enqueueStep } from '../jobs/enqueue-step.js'
import type { SessionJob } from '../jobs/jobs.sql.js'
import { describeWriter } from '../engines/writer/made-by.js'
import { isCorrectedSince, readMark } from './corrected-since.js'
import { readLockedSignature } from './read-locked-signature.js'
import { openPipelineChange, type PipelineParts, type Step } from './pipeline-parts.js'
import { readKnown } from './read-known.js'
import { readTranscript } from './read-transcript.js'
import { withFallback } from './with-fallback.js'

/** The summary, and with it the end of the session's processing. */
export const summarize: Step = {
  async run(parts, job, signal) {
    const session = await findSession(parts.db, job, job.subjectId)
    if (session === null || session.status === 'failed') {
      await end(parts, job)
      return
    }
    const context = await openPipelineChange(parts, job)
    try {
      const corrected = await readMark(parts, job)
      const read = await readTranscript(parts, job, job.subjectId, signal)
      const request = { noteType: session.noteType, ...read, treatmentApproaches: [], owner: job.tenantId }
      const { made: summary, writer } = await withFallback(parts, job.subjectId, (one) =>
        one.summarize(request, signal),
      )
      const { keepNamesOut } = await readKnown(parts, job, job.subjectId)
      await parts.db.write(job, async (tx) => {
        const isSigned = await readLockedSignature(tx, job.subjectId)
        await finishJob(tx, job)
        const madeBy = describeWriter(writer)
        await saveSummary(tx, context, {
          sessionId: job.subjectId,
          summary: keepNamesOut(summary),
          madeBy,
          isSigned,
        })
        await completeSession(tx, job.subjectId)
        const isStale = await isCorrectedSince(tx, job, corrected)
        await enqueueStep(tx, isStale ? 'summary_outdated' : 'summary_ended', job.subjectId)
      })
    } catch (error) {
      if (!(error instanceof EngineFault) || error.isTransient) throw error
      parts.log.warn({ err: error, sessionId: job.subjectId }, 'no summary was written')
      await end(parts, job)
    }
  },
  giveUp: (parts, job) => end(parts, job, 'parked'),
}

const end = (parts: PipelineParts, job: SessionJob, status: 'done' | 'parked' = 'done'): Promise<void> =>
  parts.db.write(job, async (tx) => {
    await finishJob(tx, job, status)
    await completeSession(tx, job.subjectId)
  })
