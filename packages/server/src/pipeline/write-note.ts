import {
  isPrescriberNoteType,
  NOTE_TYPES,
  type NoteSection,
  type NoteTemplate,
  type NoteType,
  type ReviewItem,
} from '@casenote/contract'
import type { NoteChecker } from '../engines/checker/note-checker.js'
import { EngineFault } from '../engines/engine-fault.js'
import { keepLeftOut } from '../engines/ledger/left-out.js'
import { keepNamesOut } from '../engines/text/keep-names-out.js'
import { describeWriter } from '../engines/writer/made-by.js'
import { splitJotted } from '../engines/writer/place-jotted.js'
import { applyPreferences } from '../engines/writer/templates/apply-preferences.js'
import { defaultOf } from '../engines/writer/templates/built-in-templates.js'
import { withUnmet } from '../engines/writer/templates/list-unmet.js'
import { toNoteSection, toNoteSections } from '../engines/writer/to-note-sections.js'
import type { WriterEngine, WrittenNote } from '../engines/writer/writer-engine.js'
import {
  completeGeneration,
  failGeneration,
  findPendingGeneration,
  storeSection,
  type NoteGoal,
  type PendingGeneration,
} from '../features/progress-notes/index.js'
import { changeTemplate, isPrescriberSession, recordProgress } from '../features/sessions/index.js'
import { readPad } from '../features/session-pads/index.js'
import { listDefaults, readWritingPreferences } from '../features/templates/index.js'
import { saveReading } from '../features/transcripts/index.js'
import { finishJob, requireJob } from '../jobs/enqueue-job.js'
import { enqueueStep } from '../jobs/enqueue-step.js'
import type { JobOf } from '../jobs/jobs.sql.js'
import { afterWriting } from '../jobs/next-step.js'
import type { Tx } from '../kernel/db/database.js'
import { openPipelineChange, type PipelineParts, type Step } from './pipeline-parts.js'
import { readKnown, toNoteGoals, type Known } from './read-known.js'
import { readTranscript, type ReadSession } from './read-transcript.js'
import { withFallback } from './with-fallback.js'

/** Where writing begins and ends within a session's progress. */
const progressFrom = 0.7
const progressTo = 0.9

/** A note that is there is closed to its clinician until it is written again: no longer than a server takes to restart. */
const rewritingPatienceMs = 300_000

interface Written {
  /** The template as it is kept, without the clinician's preferences. */
  template: NoteTemplate
  sections: NoteSection[]
  review: readonly ReviewItem[]
  goals: readonly NoteGoal[]
  /** The session as it was read, with what a model found, too: later edits are compared with it. */
  read: ReadSession
  writer: WriterEngine
}

type WritingJob = JobOf<'write_note'>

/** Writes a note: the first time, again, or as a magic edit asks. What is found and not written is kept with it. */
export const writeNote: Step<WritingJob> = {
  async run(parts, job, signal) {
    const pending = await findPending(parts, job)
    if (pending === null) {
      await parts.db.write(job, (tx) => finishJob(tx, job))
      return
    }
    try {
      const written =
        pending.kind === 'magic_edit'
          ? await edit(parts, job, pending, signal)
          : await write(parts, job, pending, signal)
      await keep(parts, job, pending, written)
    } catch (error) {
      if (error instanceof EditRefused) {
        await fail(parts, job, pending, error.message)
        return
      }
      if (!(error instanceof EngineFault) || error.isTransient) throw error
      parts.log.warn({ err: error, sessionId: pending.sessionId }, 'no note was written')
      await fail(parts, job, pending, 'The note could not be written')
    }
  },
  async findPatienceMs(parts, job) {
    const pending = await findPending(parts, job)
    return pending?.kind === 'generation' ? null : rewritingPatienceMs
  },
  async giveUp(parts, job, signal) {
    const pending = await findPending(parts, job)
    if (pending !== null && (await writeInstead(parts, job, pending, signal))) return
    await fail(parts, job, pending, 'The note could not be written', 'parked')
  },
}

/** A reading takes ten minutes at most, an extract half of one. */
const insteadWithinMs = 660_000

/** A second time somebody was killed in it: then it is given up for good. */
const attemptsWithInsteadMax = 6

/**
 * Where the operator chose quotes for what a model cannot do: a model that ended in each of its attempts could not, either.
 * False: no note was written so. What an instruction asks for is nothing to quote.
 */
async function writeInstead(
  parts: PipelineParts,
  job: WritingJob,
  pending: PendingGeneration,
  brokenOff: AbortSignal,
): Promise<boolean> {
  const { fallbackWriter, log } = parts
  if (fallbackWriter === null || pending.kind === 'magic_edit' || job.attempts > attemptsWithInsteadMax)
    return false
  const { sessionId } = pending
  const signal = AbortSignal.any([brokenOff, AbortSignal.timeout(insteadWithinMs)])
  try {
    const read = await readTranscript(parts, job, sessionId, signal)
    const written = await writeWith(fallbackWriter, parts, job, { pending, read }, signal)
    log.warn({ sessionId }, 'it is quoted instead of written')
    await keep(parts, job, pending, written)
    return true
  } catch (error) {
    brokenOff.throwIfAborted()
    if (!(error instanceof EngineFault) && !signal.aborted) throw error
    log.warn({ err: error, sessionId }, 'it could not be quoted, either')
    return false
  }
}

async function findPending(parts: PipelineParts, job: WritingJob): Promise<PendingGeneration | null> {
  const { ring } = await openPipelineChange(parts, job)
  return parts.db.write(job, (tx) => findPendingGeneration(tx, ring, job.subjectId))
}

/** An instruction that the writer cannot carry out; the message is for the clinician. */
class EditRefused extends Error {}

async function write(
  parts: PipelineParts,
  job: WritingJob,
  pending: PendingGeneration,
  signal: AbortSignal,
): Promise<Written> {
  const read = await readTranscript(parts, job, pending.sessionId, signal)
  const { made } = await withFallback(parts, pending.sessionId, (writer) =>
    writeWith(writer, parts, job, { pending, read }, signal),
  )
  return made
}

async function writeWith(
  writer: WriterEngine,
  parts: PipelineParts,
  job: WritingJob,
  { pending, read }: { pending: PendingGeneration; read: ReadSession },
  signal: AbortSignal,
): Promise<Written> {
  const { sessionId, clinicianId, template: kept, treatmentApproaches } = pending
  const { noteType } = kept
  const { ring } = await openPipelineChange(parts, job)
  const { text } = await readPad(parts.db, job, ring, sessionId)
  const jotted = splitJotted(text)
  const template = applyPreferences(kept, await readWritingPreferences(parts.db, ring, clinicianId))
  const { length } = template.sections
  const known = await readKnown(parts, job, sessionId)
  const request = {
    noteType,
    template,
    treatmentApproaches,
    jotted,
    owner: job.tenantId,
    ...read,
    // No check would tell in another language that a sentence rests on what was known before.
    ...(known.background === null || read.reading.language !== undefined
      ? {}
      : { background: known.background }),
  }
  let count = 0
  for await (const event of writer.writeNote(request, signal)) {
    if (event.kind === 'end')
      return finish(parts, job, writer, { template: kept, note: event.note, read, known }, signal)
    count += 1
    const [section] = keepNamesOut([toNoteSection(template, event.section)], known.keepNamesOut)
    if (section === undefined) continue
    const fraction = Math.min(count / length, 0.999)
    await parts.db.write(job, async (tx) => {
      await requireJob(tx, job)
      // The session before its note, as whoever withdraws both.
      await recordProgress(tx, sessionId, progressFrom + (progressTo - progressFrom) * fraction)
      await storeSection(tx, ring, { generationId: job.subjectId, section })
    })
  }
  throw new EngineFault('malformed', 'the writer ended without a note')
}

async function edit(
  parts: PipelineParts,
  job: WritingJob,
  pending: PendingGeneration,
  signal: AbortSignal,
): Promise<Written> {
  const { sessionId, clinicianId, treatmentApproaches, sections: note, userInstructions } = pending
  const { noteType } = pending.template
  if (isTooLong(note)) throw new EditRefused('The note is too long to be changed by an instruction.')
  const read = await readTranscript(parts, job, sessionId, signal)
  const instructions = userInstructions ?? ''
  const { ring } = await openPipelineChange(parts, job)
  const { avoidedPhrases } = await readWritingPreferences(parts.db, ring, clinicianId)
  // What the note has is the clinician's to say now; only what they never want to read stays refused.
  const wanted = { length: 'usual' as const, leftOut: [], avoidedPhrases }
  const template = applyPreferences(pending.template, wanted)
  const defaults = await parts.db.write(job, (tx) => listDefaults(tx, clinicianId))
  const request = {
    noteType,
    template,
    treatmentApproaches,
    note,
    instructions,
    // Ours, too, not only those that stand in their place: the edit may end as any type of note.
    defaults: Object.fromEntries(
      NOTE_TYPES.map((type) => [type, applyPreferences(defaultOf(type, defaults), wanted)]),
    ),
    owner: job.tenantId,
    ...read,
  }
  const outcome = await parts.writer.editNote(request, signal)
  if (!outcome.isDone) throw new EditRefused(outcome.reason)
  const isChange = outcome.noteType !== noteType
  if (isChange && isPrescriberNoteType(outcome.noteType)) {
    const mayPrescribe = await isPrescriberSession(parts.db, job, sessionId)
    if (!mayPrescribe) throw new EditRefused('Only a prescriber can use that note type')
  }
  return finish(
    parts,
    job,
    parts.writer,
    {
      template: isChange ? defaultOf(outcome.noteType, defaults) : pending.template,
      note: outcome.note,
      read,
      known: await readKnown(parts, job, sessionId),
      before: pending.review,
    },
    signal,
  )
}

/** The longest notes that were measured have 12,000 characters and 150 sentences; what a writer reads here is not endless. */
const editedLengthMax = 200_000
const editedSentencesMax = 2_000

/** How long what is written may be: twice of what is read for it, and nothing that a later reading would be slow for. */
const writtenLengthMax = 400_000
const writtenSentencesMax = 5_000

const lengthOf = (note: readonly NoteSection[]): number =>
  note.reduce((sum, { content }) => sum + content.length, 0)

const isTooLong = (note: readonly NoteSection[]): boolean =>
  lengthOf(note) > editedLengthMax ||
  note.reduce((sum, { evidence }) => sum + evidence.length, 0) > editedSentencesMax

interface Finished {
  template: NoteTemplate
  note: WrittenNote
  read: ReadSession
  known: Known
  /** The list of the note that was edited. */
  before?: readonly ReviewItem[]
}

/** The ledger's last word: what the note that is kept does not say. */
async function finish(
  { checker }: PipelineParts,
  { tenantId }: WritingJob,
  writer: WriterEngine,
  { template, note, read, known, before = [] }: Finished,
  signal: AbortSignal,
): Promise<Written> {
  const count = note.sections.reduce((sum, { sentences }) => sum + sentences.length, 0)
  if (count > writtenSentencesMax) throw new EngineFault('malformed', 'more was written than a note can hold')
  const written = toNoteSections(template, note.sections)
  if (lengthOf(written) > writtenLengthMax)
    throw new EngineFault('malformed', 'the note is too long to be kept')
  const { findings } = note
  const { transcript } = read
  // Without the names on both sides, as after every later change.
  const sections = keepNamesOut(written, known.keepNamesOut)
  const ledger = await checker.compare({ sections, findings, transcript, names: known.names }, tenantId)
  const goals = await findLinks(checker, writer, { sections, known, owner: tenantId }, signal)
  const said = keepLeftOut(ledger.review, [...(note.leftOut ?? []), ...before])
  const unmet = await checker.listUnmet({ template, sections }, tenantId)
  if (unmet === null) throw new EngineFault('unavailable', 'what the note lacks was not found out')
  const review = withUnmet(said, unmet)
  const reading = { ...read.reading, findings }
  return { template, sections, review, goals, read: { ...read, reading }, writer }
}

/** Links sentences to goals by the model that wrote them, if it can say; else by their words. */
async function findLinks(
  checker: NoteChecker,
  writer: WriterEngine,
  { sections, known: { goals }, owner }: { sections: NoteSection[]; known: Known; owner: string },
  signal: AbortSignal,
): Promise<NoteGoal[]> {
  if (goals.length === 0) return []
  const asked = (await writer.linkGoals?.({ sections, goals, owner }, signal)) ?? null
  return toNoteGoals(goals, asked ?? (await checker.linkGoals({ sections, goals }, owner)))
}

async function keep(
  parts: PipelineParts,
  job: WritingJob,
  pending: PendingGeneration,
  { template, sections, review, goals, read, writer }: Written,
): Promise<void> {
  const context = await openPipelineChange(parts, job)
  await parts.db.write(job, async (tx) => {
    await finishJob(tx, job)
    if (pending.isTemplateChange || template !== pending.template)
      await changeTemplate(tx, pending.sessionId, template)
    const madeBy = describeWriter(writer)
    await saveReading(tx, context.ring, { sessionId: pending.sessionId, ...read })
    await completeGeneration(tx, context, { generationId: job.subjectId, sections, review, goals, madeBy })
    await goOn(tx, pending, { isWritten: true, noteType: template.noteType })
  })
}

async function fail(
  parts: PipelineParts,
  job: WritingJob,
  pending: PendingGeneration | null,
  reason: string,
  status: 'done' | 'parked' = 'done',
): Promise<void> {
  const context = await openPipelineChange(parts, job)
  await parts.db.write(job, async (tx) => {
    await finishJob(tx, job, status)
    await failGeneration(tx, context, { generationId: job.subjectId, reason })
    if (pending !== null) await goOn(tx, pending, { isWritten: false, noteType: pending.template.noteType })
  })
}

const goOn = (
  tx: Tx,
  { kind, sessionId, template }: PendingGeneration,
  ended: { isWritten: boolean; noteType: NoteType },
): Promise<void> =>
  enqueueStep(tx, afterWriting(kind, { ...ended, typeBefore: template.noteType }), sessionId)
