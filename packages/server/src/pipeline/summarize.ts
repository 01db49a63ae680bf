import { completeSession, findSession } from '../features/sessions/index.js'
import { saveSummary } from '../features/summaries/index.js'
import { finishJob } from '../jobs/enqueue-job.js'
import type { SessionJob } from '../jobs/jobs.sql.js'
import { makeBesideNote } from './make-beside-note.js'
import type { PipelineParts, Step } from './pipeline-parts.js'

/** The summary, and with it the end of the session's processing. */
export const summarize: Step = {
  async run(parts, job, signal) {
    const session = await findSession(parts.db, job, job.subjectId)
    if (session === null || session.status === 'failed') {
      await end(parts, job)
      return
    }
    const sessionId = job.subjectId
    await makeBesideNote(
      parts,
      { job, session, signal },
      {
        ask: (writer, request) => writer.summarize(request, signal),
        keep: async (tx, context, { made, madeBy, isSigned, keepNamesOut }) => {
          await saveSummary(tx, context, { sessionId, summary: keepNamesOut(made), madeBy, isSigned })
          await completeSession(tx, sessionId)
        },
        ended: 'summary_ended',
        outdated: 'summary_outdated',
        failure: 'no summary was written',
        goOn: () => end(parts, job),
      },
    )
  },
  giveUp: (parts, job) => end(parts, job, 'parked'),
}

const end = (parts: PipelineParts, job: SessionJob, status: 'done' | 'parked' = 'done'): Promise<void> =>
  parts.db.write(job, async (tx) => {
    await finishJob(tx, job, status)
    await completeSession(tx, job.subjectId)
  })
