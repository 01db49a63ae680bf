import { joinRecordings } from '../engines/speech/audio/join-recordings.js'
import type { Silence } from '../engines/speech/audio/silence-stretches.js'
import { RecordingProblem } from '../engines/speech/recording-problem.js'
import { listUncut, toSilence } from '../features/session-gaps/index.js'
import { failSession, findSession, getSession, type SessionFailure } from '../features/sessions/index.js'
import { selectUploadsOfSession, type UploadRow } from '../features/widget/index.js'
import { finishJob } from '../jobs/enqueue-job.js'
import type { Job } from '../jobs/jobs.sql.js'
import { deleteBlob, makeBlobReader, writeBlob } from '../kernel/blobs/index.js'
import { dropBegun, findWholeRecording, rememberBegun } from './begun-recording.js'
import { dropSpoken } from './drop-spoken.js'
import { keepRecording } from './keep-recording.js'
import { openPipelineChange, type PipelineParts, type Step } from './pipeline-parts.js'

/** From this attempt on a struck recording is taken as far as its sound goes: what was recorded before a crash has no other end. */
const lenientAttempt = 3

/** A blob store may be away for a weekend: whoever gives up a struck recording deletes it. */
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
    const mustBeWhole = isStruck && job.attempts < lenientAttempt
    try {
      const blobId =
        others.length === 0 && !isStruck
          ? only.blobId
          : await makeRecording(
              parts,
              job,
              clinicianId,
              join(parts, job, { segments, silence, mustBeWhole, signal }),
            )
      const spoken = isStruck ? { clientId, segments, placed: silence.listPlaced() } : null
      await keepRecording(parts, job, { blobId, spoken })
    } catch (error) {
      signal.throwIfAborted()
      // Perhaps not the recording's fault: what was sent stays, and it is tried again.
      const isPassing = isStruck && error instanceof RecordingProblem && error.code === 'too_slow'
      if (!(error instanceof RecordingProblem) || isPassing) throw error
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

/** Of a struck recording nothing stays: what was said off the record is in its segments, and nobody will take it out. */
async function fail(
  parts: PipelineParts,
  job: Job,
  failure: SessionFailure,
  status: 'done' | 'parked' = 'done',
): Promise<void> {
  const isStruck = (await listUncut(parts.db, job, job.subjectId)).length > 0
  const segments = isStruck ? await listSegments(parts, job) : []
  const context = await openPipelineChange(parts, job)
  const gone = await parts.db.write(job, async (tx) => {
    await finishJob(tx, job, status)
    if (!(await failSession(tx, context, { sessionId: job.subjectId, failure }))) return []
    const { clientId } = await getSession(tx, job.subjectId)
    return dropSpoken(tx, { sessionId: job.subjectId, clientId, segments })
  })
  if (gone.length > 0)
    parts.log.error({ sessionId: job.subjectId }, 'a struck recording was not joined, and is deleted')
  for (const { blobId } of gone) await deleteBlob(parts.blobs, job, blobId, 'requested')
}

async function listSegments(parts: PipelineParts, job: Job): Promise<UploadRow[]> {
  const uploads = (await parts.db.read(job, selectUploadsOfSession(job, job.subjectId))) as UploadRow[]
  return uploads.filter(({ status }) => status === 'used')
}

/** Counts for the clinician's quota, and is never refused: what it is made of was taken. */
async function makeRecording(
  parts: PipelineParts,
  job: Job,
  clinicianId: string,
  sound: AsyncIterable<Buffer>,
): Promise<string> {
  const { ring } = await openPipelineChange(parts, job)
  const whole = await findWholeRecording(parts, job, ring)
  if (whole !== null) return whole
  return (await writeBlob(parts.blobs, job, 'audio', sound, rememberBegun(job, ring, clinicianId))).blobId
}

interface Joining {
  segments: readonly UploadRow[]
  silence: Silence
  mustBeWhole: boolean
  signal: AbortSignal
}

const join = (
  { blobs, speech }: PipelineParts,
  job: Job,
  { segments, silence, mustBeWhole, signal }: Joining,
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
      ...(mustBeWhole ? { secondsLeast: 0 } : {}),
      signal,
    },
  )
