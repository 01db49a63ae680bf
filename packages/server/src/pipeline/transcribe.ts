import { EngineFault } from '../engines/engine-fault.js'
import type { SpokenTerm } from '../engines/lexicon/correct-vocabulary.js'
import { findEngine } from '../engines/speech/find-engine.js'
import { isImagined } from '../engines/speech/is-imagined.js'
import { isOneVoice } from '../engines/speech/is-one-voice.js'
import { RecordingProblem } from '../engines/speech/recording-problem.js'
import { transcribeRecording } from '../engines/speech/transcribe-recording.js'
import { unheardVoices } from '../engines/speech/voices/index.js'
import { otherLanguage } from '../engines/reader/reading.js'
import { isUnknownLanguage } from '../engines/text/is-unknown-language.js'
import { findClient } from '../features/clients/index.js'
import {
  findSession,
  recordAudioLength,
  showProgress,
  type SessionFailure,
} from '../features/sessions/index.js'
import { completeTranscript, makeCheckpoints } from '../features/transcripts/index.js'
import { readVocabulary } from '../features/vocabulary/index.js'
import { finishJob } from '../jobs/enqueue-job.js'
import type { SessionJob } from '../jobs/jobs.sql.js'
import { makeBlobReader } from '../kernel/blobs/index.js'
import type { ClientId, ClinicianId } from '../kernel/ids.js'
import { tolerateFailure } from '../kernel/log.js'
import { endUnwritten } from './end-unwritten.js'
import { failSessionOf } from './fail-session-of.js'
import { openPipelineChange, type PipelineParts, type Step } from './pipeline-parts.js'

/** Where transcribing begins and ends within a session's progress. */
const progressFrom = 0.1
const progressTo = 0.7

/** Often enough to be seen moving, and rare beside the work itself. */
const progressEveryMs = 1_000

/** Turns the recording into a transcript. What was heard is kept chunk by chunk. */
export const transcribe: Step = {
  async run(parts, job, signal) {
    const session = await findSession(parts.db, job, job.subjectId)
    if (session?.status !== 'transcribing' || session.audioBlobId === null) {
      await parts.db.write(job, (tx) => finishJob(tx, job))
      return
    }
    const { audioBlobId } = session
    const { speech } = parts
    const isDictated = session.source === 'dictated'
    // Somebody who was there said what was spoken: then whatever is heard is taken.
    const isKnownLanguage = session.language !== null
    const language = otherLanguage(session.language)
    const engine = findEngine(speech.engine, language)
    if (engine === null) return failSessionOf(parts, job, 'language_not_heard')
    try {
      const transcription = await transcribeRecording({
        openAudio: makeBlobReader(parts.blobs, job, audioBlobId),
        decoder: speech.decoder,
        scratchFolder: speech.scratchFolder,
        engine,
        pool: speech.pool,
        voices: isDictated ? unheardVoices : await speech.openVoices(),
        isDictated,
        checkpoints: makeCheckpoints(parts, job, session),
        onProgress: makeProgress(parts, job),
        vocabulary: language === null ? await findVocabulary(parts, job, session.clinicianId) : null,
        owner: job.subjectId,
        isKnownLanguage,
        // Of a dictation the client has said no word.
        isOtherExpected: !isDictated && (await isOtherExpected(parts, job, session.clientId)),
        signal,
      })
      if (isImagined(transcription)) throw new RecordingProblem('no_speech')
      const { items } = transcription
      // An engine that knows other languages wrote them down; reader and writers do not.
      if (!isKnownLanguage && isUnknownLanguage(items.map(({ transcript }) => transcript)))
        throw new RecordingProblem('not_understood')
      const context = await openPipelineChange(parts, job)
      await parts.db.write(job, async (tx) => {
        await finishJob(tx, job)
        const madeBy = `${engine.name} ${engine.model}`
        const heard = { items, madeBy, isOneVoice: !isDictated && isOneVoice(transcription) }
        await completeTranscript(tx, context, { sessionId: job.subjectId, ...heard })
        const { durationSeconds } = transcription
        await recordAudioLength(tx, { sessionId: job.subjectId, durationSeconds })
        await endUnwritten(tx, context, { ...parts, sessionId: job.subjectId, language })
      })
    } catch (error) {
      // What is broken off kills its decoder, which then reads as a damaged recording.
      signal.throwIfAborted()
      const failure = findFailure(error)
      if (failure === null) throw error
      parts.log.warn({ err: error, sessionId: job.subjectId }, 'no transcript was made')
      await failSessionOf(parts, job, failure)
    }
  },
  giveUp: (parts, job) => failSessionOf(parts, job, 'transcription_failed', 'parked'),
}

/** A client's record that says nothing says English, as notes are. */
async function isOtherExpected(parts: PipelineParts, job: SessionJob, clientId: ClientId): Promise<boolean> {
  const language = (await findClient(parts.db, job, clientId))?.language ?? 'en'
  return language.split('-')[0]?.toLowerCase() !== 'en'
}

async function findVocabulary(
  parts: PipelineParts,
  job: SessionJob,
  clinicianId: ClinicianId,
): Promise<SpokenTerm[]> {
  const { ring } = await openPipelineChange(parts, job)
  const { terms } = await readVocabulary(parts.db, ring, clinicianId)
  return terms.map(({ term, heard }) => ({ term, heard }))
}

/** Null: another attempt may do better. So may one after a malformed answer: a gateway's page of apology looks like it. */
function findFailure(error: unknown): SessionFailure | null {
  if (error instanceof RecordingProblem) return `audio_${error.code}`
  return error instanceof EngineFault && error.kind === 'refused' ? 'transcription_failed' : null
}

function makeProgress(parts: PipelineParts, job: SessionJob): (fraction: number) => void {
  let toldAtMs = 0
  return (fraction) => {
    const nowMs = parts.clock.nowMs()
    if (nowMs - toldAtMs < progressEveryMs) return
    toldAtMs = nowMs
    const progress = progressFrom + (progressTo - progressFrom) * Math.min(fraction, 0.999)
    void tolerateFailure(parts.log, 'progress is shown, not relied on', () =>
      showProgress(parts.db, job, { sessionId: job.subjectId, progress }),
    )
  }
}
