import { joinRecordings } from '../engines/speech/audio/join-recordings.js'
import { RecordingProblem } from '../engines/speech/recording-problem.js'
import { findSession } from '../features/sessions/index.js'
import { selectUploadsOfSession, type UploadRow } from '../features/widget/index.js'
import { finishJob } from '../jobs/enqueue-job.js'
import type { Job } from '../jobs/jobs.sql.js'
import { makeBlobReader, writeBlob } from '../kernel/blobs/index.js'
import { failSessionOf } from './fail-session-of.js'
import { keepRecording } from './keep-recording.js'
import type { PipelineParts, Step } from './pipeline-parts.js'

/**
 * Makes one recording of what the widget sent. A single segment is the recording, byte for byte. Several are joined; they
 * stay for as long as what was made of them, being what the recorder really wrote.
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
    if (others.length === 0) {
      await keepRecording(parts, job, { blobId: only.blobId, isMadeHere: false })
      return
    }
    try {
      const { blobId } = await writeBlob(parts.blobs, job, 'audio', join(parts, job, segments, signal))
      await keepRecording(parts, job, { blobId, isMadeHere: true })
    } catch (error) {
      if (!(error instanceof RecordingProblem)) throw error
      await failSessionOf(parts, job, `audio_${error.code}`)
    }
  },
  giveUp: (parts, job) => failSessionOf(parts, job, 'processing_failed', 'parked'),
}

const join = (
  { blobs, speech }: PipelineParts,
  job: Job,
  segments: readonly UploadRow[],
  signal: AbortSignal,
): AsyncGenerator<Buffer> =>
  joinRecordings(
    segments.map(({ blobId, offsetBytes }) => ({
      openAudio: makeBlobReader(blobs, job, blobId),
      sizeBytes: offsetBytes,
    })),
    { ffmpegPath: speech.ffmpegPath, scratchFolder: speech.scratchFolder, signal },
  )
