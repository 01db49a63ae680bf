import { EngineFault } from '../engines/engine-fault.js'
import { otherLanguage } from '../engines/reader/reading.js'
import { moveLink } from '../features/linked-sessions/index.js'
import { findSession, findText, startTranscribing } from '../features/sessions/index.js'
import { completeTranscript, takeOverTranscript } from '../features/transcripts/index.js'
import { finishJob } from '../jobs/enqueue-job.js'
import { endUnwritten } from './end-unwritten.js'
import { failSessionOf } from './fail-session-of.js'
import { openPipelineChange, type Step } from './pipeline-parts.js'

/**
 * Makes the transcript of a session of which nothing is heard: of what its clinician typed, as theirs (decision 0032), or of what was heard when it
 * was tried before.
 */
export const takeText: Step = {
  async run(parts, job) {
    const sessionId = job.subjectId
    const session = await findSession(parts.db, job, sessionId)
    if (session?.status !== 'fetching') {
      await parts.db.write(job, (tx) => finishJob(tx, job))
      return
    }
    const context = await openPipelineChange(parts, job)
    const language = otherLanguage(session.language)
    if (session.source !== 'typed') {
      await parts.db.write(job, async (tx) => {
        await finishJob(tx, job)
        if (!(await startTranscribing(tx, sessionId))) return
        await takeOverTranscript(tx, context, sessionId)
        await tx.run(moveLink(tx.tenant, sessionId))
        await endUnwritten(tx, context, { ...parts, sessionId, language })
      })
      return
    }
    const text = await findText(parts.db, context.ring, sessionId)
    if (text === null) throw new Error('a typed session has no text')
    const isKnown = session.language !== null
    const account = await parts.checker.takeAccount({ text, isKnown }, job.tenantId)
    if (account === null) throw new EngineFault('unavailable', 'the text was not split')
    if (account.isUnknown) return failSessionOf(parts, job, 'text_not_english')
    const { items } = account
    await parts.db.write(job, async (tx) => {
      await finishJob(tx, job)
      if (!(await startTranscribing(tx, sessionId))) return
      await completeTranscript(tx, context, { sessionId, items, madeBy: 'clinician' })
      await endUnwritten(tx, context, { ...parts, sessionId, language })
    })
  },
  giveUp: (parts, job) => failSessionOf(parts, job, 'processing_failed', 'parked'),
}
