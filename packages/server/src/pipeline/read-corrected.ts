import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  findNoteOfSession,
  isAwaiting,
  isLoading,
  keepJudgement,
  readReview,
  readSections,
  type NoteRow,
} from '../features/progress-notes/index.js'
import { keepLeftOut } from '../engines/ledger/left-out.js'
import { findSession, isWithdrawn } from '../features/sessions/index.js'
import {
  findReading,
  getNamedItems,
  readCorrected,
  saveReading,
  type CorrectedLines,
} from '../features/transcripts/index.js'
import { deferJob, finishJob, requireJob } from '../jobs/enqueue-job.js'
import { enqueueStep } from '../jobs/enqueue-step.js'
import type { SessionJob } from '../jobs/jobs.sql.js'
import { afterNote } from '../jobs/next-step.js'
import type { Tx } from '../kernel/db/database.js'
import { openPipelineChange, type PipelineParts, type Step } from './pipeline-parts.js'
import { readKnown } from './read-known.js'
import { readTranscript, type ReadSession } from './read-transcript.js'

/** A note is written within minutes; whoever writes it has read the words of before, so it is compared after that. */
const whileWritingMs = 10_000

/** Somebody changed the note while it was compared. */
const afterChangeMs = 1_000

/** Who puts words right goes on for a while, and a model is asked for each of these once more. */
const deriveAfterMs = 10_000

/**
 * After words or speakers of a transcript were put right: what is said now is read, danger in it is opened, the note is compared with it, and MDM
 * elements and summary, which nobody edits, are made anew. What is signed stays as it was signed, and with it what was made beside
 * it. A session has one such job, however much is put right while it waits.
 */
export const readCorrectedWords: Step = {
  async run(parts, job, signal) {
    const session = await findSession(parts.db, job, job.subjectId)
    const corrected = await findCorrected(parts, job)
    if (session === null || session.status === 'failed') {
      await parts.db.write(job, (tx) => finishJob(tx, job))
      return
    }
    if (corrected.items.length === 0) {
      await parts.db.write(job, (tx) => finish(tx, job, corrected))
      return
    }
    const read = await readTranscript(parts, job, job.subjectId, signal)
    const note = await findNoteOfSession(parts.db, job, job.subjectId)
    if (note !== null && isLoading(note)) {
      await parts.db.write(job, (tx) => deferJob(tx, job, whileWritingMs))
      return
    }
    if (note === null || note.status === 'finalized' || isAwaiting(note)) {
      await parts.db.write(job, (tx) => finish(tx, job, corrected))
      return
    }
    if (note.version === 0) {
      await parts.db.write(job, async (tx) => {
        await finish(tx, job, corrected)
        await deriveAnew(tx, note)
      })
      return
    }
    await judge(parts, job, { note, read, corrected })
  },
  giveUp: (parts, job) => parts.db.write(job, (tx) => finishJob(tx, job, 'parked')),
}

/**
 * Also lines that are somebody else's since the note was compared with them: all, where whoever reads them first is not done, or where
 * speakers are again who they were, and what was read is the talk in between.
 */
async function findCorrected(parts: PipelineParts, job: SessionJob): Promise<CorrectedLines> {
  const { items, mark } = await parts.db.write(job, (tx) => readCorrected(tx, job.subjectId))
  if (mark === null) return { items: [], mark }
  const { ring } = await openPipelineChange(parts, job)
  const transcript = await getNamedItems(parts.db, ring, job.subjectId)
  await nextTurn()
  const kept = await findReading(parts.db, ring, job.subjectId, transcript)
  const named = new Set([...items, ...(kept?.otherSpeakers ?? transcript.keys())])
  const lines = named.size === 0 && kept?.isCurrent === false ? transcript.keys() : named
  return { items: [...lines].toSorted((one, other) => one - other), mark }
}

async function judge(
  parts: PipelineParts,
  job: SessionJob,
  { note, read, corrected }: { note: NoteRow; read: ReadSession; corrected: CorrectedLines },
): Promise<void> {
  const context = await openPipelineChange(parts, job)
  // Opening the note and handing it on are a turn each.
  await nextTurn()
  const sections = readSections(context.ring, note)
  await nextTurn()
  const { names } = await readKnown(parts, job, job.subjectId)
  const request = { sections, ...read, correctedItems: corrected.items, names }
  const judged = await parts.checker.judgeAgain(request, job.tenantId)
  if (judged === null) throw new Error('a note was not compared with corrected words')
  const judgement = {
    sections: judged.sections,
    review: keepLeftOut(judged.ledger.review, readReview(context.ring, note)),
  }
  await parts.db.write(job, async (tx) => {
    // The session before its note, as whoever withdraws both; and the note before the job, as whoever hands it back.
    await isWithdrawn(tx, job.subjectId)
    if (!(await keepJudgement(tx, context, note, judgement))) {
      await deferJob(tx, job, afterChangeMs)
      return
    }
    await saveReading(tx, context.ring, { sessionId: job.subjectId, ...read })
    await requireJob(tx, job)
    await finish(tx, job, corrected)
    await deriveAnew(tx, note)
  })
}

const deriveAnew = (tx: Tx, { sessionId, noteType }: NoteRow): Promise<void> =>
  enqueueStep(tx, afterNote(noteType), sessionId, deriveAfterMs)

/** What was put right since it was read is read by another run: while this one had the job, nobody could ask for it. */
async function finish(tx: Tx, job: SessionJob, { mark }: CorrectedLines): Promise<void> {
  await finishJob(tx, job)
  const now = await readCorrected(tx, job.subjectId)
  if (now.mark !== mark) await enqueueStep(tx, 'transcript_changed', job.subjectId)
}
