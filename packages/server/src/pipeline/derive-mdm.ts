import { isPrescriberNoteType, type MdmFindings } from '@casenote/contract'
import { saveMdm } from '../features/mdm/index.js'
import { findSession, recordProgress } from '../features/sessions/index.js'
import { finishJob } from '../jobs/enqueue-job.js'
import { enqueueStep } from '../jobs/enqueue-step.js'
import type { SessionJob } from '../jobs/jobs.sql.js'
import { makeBesideNote } from './make-beside-note.js'
import type { PipelineParts, Step } from './pipeline-parts.js'

/** MDM elements, for prescriber note types only. Without them the session goes on all the same. */
export const deriveMdm: Step = {
  async run(parts, job, signal) {
    const session = await findSession(parts.db, job, job.subjectId)
    if (session === null || session.status === 'failed' || !isPrescriberNoteType(session.noteType)) {
      await goOn(parts, job)
      return
    }
    const sessionId = job.subjectId
    await makeBesideNote(
      parts,
      { job, session, signal },
      {
        ask: (writer, request) => writer.deriveMdm(request, signal),
        keep: async (tx, context, { made, madeBy, isSigned, keepNamesOut }) => {
          const findings = withoutNames(made, keepNamesOut)
          await saveMdm(tx, context, { sessionId, findings, madeBy, isSigned })
          await recordProgress(tx, sessionId, 0.95)
        },
        ended: 'mdm_ended',
        outdated: 'mdm_outdated',
        failure: 'no MDM elements were derived',
        goOn: () => goOn(parts, job),
      },
    )
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
