import { isCutShort } from '../engines/speech/audio/decoder-cut-short.js'
import { joinRecordings, type JoinOptions } from '../engines/speech/audio/join-recordings.js'
import type { Silence } from '../engines/speech/audio/silence-stretches.js'
import { RecordingProblem } from '../engines/speech/recording-problem.js'
import { countUncut, deleteSegmentsAfter, listUncut, toSilence } from '../features/session-gaps/index.js'
import { failSession, findSession, type SessionFailure } from '../features/sessions/index.js'
import { selectUploadsOfSession, type UploadRow } from '../features/widget/index.js'
import { finishJob } from '../jobs/enqueue-job.js'
import type { SessionJob } from '../jobs/jobs.sql.js'
import { makeBlobReader, writeBlob } from '../kernel/blobs/index.js'
import type { ClientId, ClinicianId } from '../kernel/ids.js'
import { dropBegun, findWholeRecording, rememberBegun } from './begun-recording.js'
import { keepRecording } from './keep-recording.js'
import { openPipelineChange, type PipelineParts, type Step } from './pipeline-parts.js'

/**
 * From this attempt on a struck recording is taken as far as its sound goes: what was recorded before a crash has no other end. What a
 * decoder that did not end by itself says is never taken for an end.
 */
const lenientAttempt = 3

/** A blob store may be away for a weekend. So long somebody may try again, too, before what was struck goes with all the rest. */
const struckPatienceMs = 3 * 86_400_000

/**
 * Makes one recording of what the widget sent. A single segment is the recording, byte for byte. Several are joined; they
 * stay for as long as what was made of them, being what the recorder really wrote, unless something of them is off the record.
 */
export const joinAudio: Step = {
  async run(parts, job, signal) {
    const session = await findSession(parts.db, job, job.subjectId)
    if (session?.status !== 'fetching') {
      await parts.db.write(job, (tx) => finishJob(tx, job))
      return
    }
    const { clinicianId, clientId } = session
    const segments = await listSegments(parts, job)
    const [only, ...others] = segments
    if (only === undefined) throw new Error('a session that received its recording has no segments')
    const uncut = await listUncut(parts.db, job, job.subjectId)
    const isStruck = uncut.length > 0
    const silence = toSilence(uncut)
    // Where a stretch lies in the whole is known by whoever joins it, and lost with them.
    const mustBeAnew = uncut.some(({ fromSegment }) => fromSegment !== null)
    const isLenient = job.attempts >= lenientAttempt
    const strictness = !isStruck ? {} : isLenient ? { leavesOutSoundless: true } : { secondsLeast: 0 }
    try {
      const blobId =
        others.length === 0 && !isStruck
          ? only.blobId
          : await makeRecording(
              parts,
              job,
              { clientId, clinicianId, mustBeAnew },
              join(parts, job, { segments, silence, strictness, signal }),
            )
      const spoken = isStruck ? { clientId, segments, placed: silence.listPlaced() } : null
      await keepRecording(parts, job, { blobId, spoken })
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof RecordingProblem) || isCutShort(error)) throw error
      // Perhaps not the recording's fault: it is tried again.
      if (isStruck && (!isLenient || error.code === 'too_slow')) throw error
      await fail(parts, job, `audio_${error.code}`)
    }
  },
  async giveUp(parts, job) {
    const { ring } = await openPipelineChange(parts, job)
    await dropBegun(parts, job, ring)
    await fail(parts, job, 'processing_failed', 'parked')
  },
  async findPatienceMs(parts, job) {
    return (await listUncut(parts.db, job, job.subjectId)).length > 0 ? struckPatienceMs : null
  },
}

/** Nobody hears the segments of a struck recording. They go after some days, in which it may be tried again. */
async function fail(
  parts: PipelineParts,
  job: SessionJob,
  failure: SessionFailure,
  status: 'done' | 'parked' = 'done',
): Promise<void> {
  const sessionId = job.subjectId
  const context = await openPipelineChange(parts, job)
  const isLeft = await parts.db.write(job, async (tx) => {
    await finishJob(tx, job, status)
    if (!(await failSession(tx, context, { sessionId, failure }))) return false
    const [uncut] = await tx.run(countUncut(tx.tenant, sessionId))
    if ((uncut?.total ?? 0) === 0) return false
    await tx.run(deleteSegmentsAfter(tx.tenant, sessionId, struckPatienceMs / 1_000))
    return true
  })
  if (isLeft)
    parts.log.error(
      { sessionId },
      'a struck recording was not joined: nobody can hear it, and it is deleted in three days unless it is retried',
    )
}

async function listSegments(parts: PipelineParts, job: SessionJob): Promise<UploadRow[]> {
  const uploads = await parts.db.read(job, selectUploadsOfSession(job, job.subjectId))
  return uploads.filter(({ status }) => status === 'used')
}

/** Counts for the clinician's quota, and is never refused: what it is made of was taken. */
async function makeRecording(
  parts: PipelineParts,
  job: SessionJob,
  { mustBeAnew, ...whose }: { clientId: ClientId; clinicianId: ClinicianId; mustBeAnew: boolean },
  sound: AsyncIterable<Buffer>,
): Promise<string> {
  const { ring } = await openPipelineChange(parts, job)
  if (mustBeAnew) await dropBegun(parts, job, ring)
  const whole = mustBeAnew ? null : await findWholeRecording(parts, job, ring)
  if (whole !== null) return whole
  return (await writeBlob(parts.blobs, job, 'audio', sound, rememberBegun(job, ring, whose))).blobId
}

interface Joining {
  segments: readonly UploadRow[]
  silence: Silence
  strictness: Pick<JoinOptions, 'secondsLeast' | 'leavesOutSoundless'>
  signal: AbortSignal
}

const join = (
  { blobs, speech }: PipelineParts,
  job: SessionJob,
  { segments, silence, strictness, signal }: Joining,
): AsyncGenerator<Buffer> =>
  joinRecordings(
    segments.map(({ blobId, offsetBytes, segment }) => ({
      openAudio: makeBlobReader(blobs, job, blobId),
      sizeBytes: offsetBytes,
      segment,
    })),
    {
      decoder: speech.decoder,
      scratchFolder: speech.scratchFolder,
      silence,
      ...strictness,
      signal,
    },
  )
