import { joinRecordings } from '../engines/speech/audio/join-recordings.js'
import type { Stretch } from '../engines/speech/audio/silence-stretches.js'
import { RecordingProblem } from '../engines/speech/recording-problem.js'
import { listUncut, toStretch } from '../features/session-gaps/index.js'
import { findSession } from '../features/sessions/index.js'
import { selectUploadsOfSession, type UploadRow } from '../features/widget/index.js'
import { finishJob } from '../jobs/enqueue-job.js'
import type { Job } from '../jobs/jobs.sql.js'
import { makeBlobReader, writeBlob } from '../kernel/blobs/index.js'
import { dropBegun, findWholeRecording, rememberBegun } from './begun-recording.js'
import { failSessionOf } from './fail-session-of.js'
import { keepRecording } from './keep-recording.js'
import { openPipelineChange, type PipelineParts, type Step } from './pipeline-parts.js'

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
    const uploads = (await parts.db.read(job, selectUploadsOfSession(job, job.subjectId))) as UploadRow[]
    const segments = uploads.filter(({ status }) => status === 'used')
    const [only, ...others] = segments
    if (only === undefined) throw new Error('a session that received its recording has no segments')
    const silent = (await listUncut(parts.db, job, job.subjectId)).map(toStretch)
    try {
      const blobId =
        others.length === 0 && silent.length === 0
          ? only.blobId
          : await makeRecording(
              parts,
              job,
              session.clinicianId,
              join(parts, job, { segments, silent, signal }),
            )
      await keepRecording(parts, job, { blobId, spoken: silent.length === 0 ? [] : segments })
    } catch (error) {
      signal.throwIfAborted()
      // Perhaps not the recording's fault: what was sent stays, and it is tried again.
      const isPassing = silent.length > 0 && error instanceof RecordingProblem && error.code === 'too_slow'
      if (!(error instanceof RecordingProblem) || isPassing) throw error
      await failSessionOf(parts, job, `audio_${error.code}`)
    }
  },
  async giveUp(parts, job) {
    const { ring } = await openPipelineChange(parts, job)
    await dropBegun(parts, job, ring)
    await failSessionOf(parts, job, 'processing_failed', 'parked')
  },
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

const join = (
  { blobs, speech }: PipelineParts,
  job: Job,
  {
    segments,
    silent,
    signal,
  }: { segments: readonly UploadRow[]; silent: readonly Stretch[]; signal: AbortSignal },
): AsyncGenerator<Buffer> =>
  joinRecordings(
    segments.map(({ blobId, offsetBytes }) => ({
      openAudio: makeBlobReader(blobs, job, blobId),
      sizeBytes: offsetBytes,
    })),
    {
      decoder: speech.decoder,
      scratchFolder: speech.scratchFolder,
      silent,
      ...(silent.length === 0 ? {} : { secondsLeast: 0 }),
      signal,
    },
  )
