import type { JobHandlers } from '../jobs/job-runner.js'
import { JOINING_KINDS, WRITING_KINDS, type JobOf, type SessionJob } from '../jobs/jobs.sql.js'
import type { StepKind } from '../jobs/next-step.js'
import type { Lane } from '../jobs/share-places.js'
import { observeQuotaRefusal } from '../http/metrics.js'
import { QuotaExceeded } from '../kernel/blobs/index.js'
import { cutAudio } from './cut-audio.js'
import { deriveMdm } from './derive-mdm.js'
import { failSessionOf } from './fail-session-of.js'
import { fetchAudio } from './fetch-audio.js'
import { hearDownload, hearLive } from './hear-live.js'
import { joinAudio } from './join-audio.js'
import type { PipelineParts, Step } from './pipeline-parts.js'
import { readCorrectedWords } from './read-corrected.js'
import { summarize } from './summarize.js'
import { takeText } from './take-text.js'
import { transcribe } from './transcribe.js'
import { findOutageOfStep, waitForServer } from './wait-for-server.js'
import { writeNote } from './write-note.js'

/**
 * What each kind of job runs. Which one follows which is `NEXT_STEP` (jobs/next-step.ts). The last two are not part of a
 * session's way: they follow a correction, or a strike.
 */
export const PIPELINE = {
  fetch_audio: fetchAudio,
  join_audio: joinAudio,
  hear_live: hearLive,
  hear_download: hearDownload,
  finish_live: transcribe,
  transcribe,
  take_text: takeText,
  write_note: writeNote,
  derive_mdm: deriveMdm,
  summarize,
  read_transcript: readCorrectedWords,
  cut_audio: cutAudio,
} as const satisfies Record<Exclude<StepKind, 'write_note'>, Step> & { write_note: Step<JobOf<'write_note'>> }

/** A recording comes within this, unless its file server is slow. */
const fetchTurnMs = 120_000

/** An hour is heard within this on two cores; what was heard is kept, and gone on with at the tenant's next turn. */
const transcribeTurnMs = 600_000

/** A recording that is followed is followed to its end, unless another tenant has none that is. */
const liveTurnMs = 60_000

/** Two for one tenant, and two that it leaves to the others, as many as there were for all. */
export const WRITING_PLACES = 4

/**
 * Fetching waits for others, so many at once, and never all for one tenant, nor for a few: their file servers may be slow
 * for an hour; a file that comes slowly is heard meanwhile, without taking a place of those that are being recorded; one
 * recording at a time has all cores, so that two side by side end no later than one after the other; a clinician who waits
 * for a magic edit waits for no recording, and for no other tenant's notes.
 */
export const LANES: readonly Lane[] = [
  { kinds: ['fetch_audio'], places: 12, leavesRoom: true, turnMs: fetchTurnMs },
  { kinds: JOINING_KINDS, places: 2, leavesRoom: true },
  { kinds: ['hear_download'], places: 1, turnMs: liveTurnMs },
  { kinds: ['finish_live'], places: 1, turnMs: transcribeTurnMs },
  { kinds: ['transcribe'], places: 1, turnMs: transcribeTurnMs },
  { kinds: ['take_text'], places: 2, leavesRoom: true },
  { kinds: WRITING_KINDS, places: WRITING_PLACES, leavesRoom: true },
]

/**
 * The lane of recordings that are heard while they are recorded. Each takes a tenth to a third of a core as long as somebody speaks, and a decoder of
 * 100 MB: more would keep whole recordings waiting. Those without a place are heard when they are complete. A worker
 * without places leaves them to others.
 */
export const makeLiveLanes = (places: number): Lane[] =>
  places === 0 ? [] : [{ kinds: ['hear_live'], places, turnMs: liveTurnMs }]

export type StepJob = SessionJob | JobOf<'write_note'>

/**
 * The branches read alike, and are of other types: the job of a note is about a generation, every other one about a session, and
 * only behind the question does the compiler know that step and job are about the same.
 */
export const makeJobHandlers = (parts: PipelineParts): JobHandlers<StepJob> => ({
  run: (job, signal) =>
    job.kind === 'write_note'
      ? runStep(parts, PIPELINE[job.kind], job, signal)
      : runStep(parts, PIPELINE[job.kind], job, signal),
  giveUp: (job, signal) =>
    job.kind === 'write_note'
      ? PIPELINE[job.kind].giveUp(parts, job, signal)
      : PIPELINE[job.kind].giveUp(parts, job, signal),
})

async function runStep<Claimed extends StepJob>(
  parts: PipelineParts,
  step: Step<Claimed>,
  job: Claimed,
  signal: AbortSignal,
): Promise<void> {
  try {
    await step.run(parts, job, signal)
  } catch (error) {
    const isFull = error instanceof QuotaExceeded
    if (isFull) observeQuotaRefusal(error.quota)
    const outage = signal.aborted ? null : findOutageOfStep(error)
    if (outage !== null && (await waitForServer(parts, job, step, outage))) return
    // Only recordings take room.
    if (!isFull || job.kind === 'write_note') throw error
    await failSessionOf(parts, job, 'no_room')
  }
}
