import { isPrescriberNoteType, type MdmFindings } from '@casenote/contract'
import { EngineFault } from '../engines/engine-fault.js'
import { saveMdm } from '../features/mdm/index.js'
import { findSession, recordProgress } from '../features/sessions/index.js'
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

/** MDM elements, for prescriber note types only. Without them the session goes on all the same. */
export const deriveMdm: Step = {
  async run(parts, job, signal) {
    const session = await findSession(parts.db, job, job.subjectId)
    if (session === null || session.status === 'failed' || !isPrescriberNoteType(session.noteType)) {
      await goOn(parts, job)
      return
    }
    const context = await openPipelineChange(parts, job)
    try {
      const corrected = await readMark(parts, job)
      const read = await readTranscript(parts, job, job.subjectId, signal)
      const request = { noteType: session.noteType, ...read, treatmentApproaches: [], owner: job.tenantId }
      const { made, writer } = await withFallback(parts, job.subjectId, (one) =>
        one.deriveMdm(request, signal),
      )
      const { keepNamesOut } = await readKnown(parts, job, job.subjectId)
      const findings = withoutNames(made, keepNamesOut)
      await parts.db.write(job, async (tx) => {
        const isSigned = await readLockedSignature(tx, job.subjectId)
        await finishJob(tx, job)
        const madeBy = describeWriter(writer)
        await saveMdm(tx, context, { sessionId: job.subjectId, findings, madeBy, isSigned })
        await recordProgress(tx, job.subjectId, 0.95)
        const isStale = await isCorrectedSince(tx, job, corrected)
        await enqueueStep(tx, isStale ? 'mdm_outdated' : 'mdm_ended', job.subjectId)
      })
    } catch (error) {
      if (!(error instanceof EngineFault) || error.isTransient) throw error
      parts.log.warn({ err: error, sessionId: job.subjectId }, 'no MDM elements were derived')
      await goOn(parts, job)
    }
  },
  giveUp: (parts, job) => goOn(parts, job, 'parked'),
}

const withoutNames = (made: MdmFindings, keep: (text: string) => string): MdmFindings => ({
  ...made,
  problemsAddressed: made.problemsAddressed.map((one) => ({
    ...one,
    problem: keep(one.problem),
    rationale: keep(one.rationale),
  })),
  riskOfComplications: {
    ...made.riskOfComplications,
    rationale: keep(made.riskOfComplications.rationale),
  },
  crisisInterventionRationale:
    made.crisisInterventionRationale === null ? null : keep(made.crisisInterventionRationale),
})

const goOn = (parts: PipelineParts, job: SessionJob, status: 'done' | 'parked' = 'done'): Promise<void> =>
  parts.db.write(job, async (tx) => {
    await finishJob(tx, job, status)
    await enqueueStep(tx, 'mdm_ended', job.subjectId)
  })
