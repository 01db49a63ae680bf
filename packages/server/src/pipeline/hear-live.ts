import type { Checkpoints, ChunkResult } from '../engines/speech/chunk-result.js'
import { followSound } from '../engines/speech/live/follow-sound.js'
import { ChannelsChanged, makeLiveHearing } from '../engines/speech/live/live-hearing.js'
import { dropDraft, isBeingRecorded, keepDraft } from '../features/live-transcripts/index.js'
import { countStruck, listUncut, toStretch } from '../features/session-gaps/index.js'
import { findSession } from '../features/sessions/index.js'
import { makeCheckpoints } from '../features/transcripts/index.js'
import { finishJob } from '../jobs/enqueue-job.js'
import type { Job } from '../jobs/jobs.sql.js'
import { countChannels, decodeSegments } from './decode-segments.js'
import { followSegments, NotHeardLive, SegmentsChanged, StretchStruck } from './live-segments.js'
import type { PipelineParts, Step } from './pipeline-parts.js'
import { whileGoingOn } from './while-going-on.js'

/** Which channel of a stereo recording is the louder one may change once while it begins; seldom a segment is thrown away. */
const beginningsMax = 3

/**
 * Hears a recording while it is recorded: what is settled is kept as transcribing keeps it, and found there. It ends with the recording or
 * a pause, and is asked for again with the next bytes. Nothing depends on it: what it did not hear is heard afterwards.
 */
export const hearLive: Step = {
  async run(parts, job, signal) {
    const session = await findSession(parts.db, job, job.subjectId)
    let status: 'done' | 'parked' = 'done'
    if (session?.status === 'awaiting_audio') {
      try {
        await whileGoingOn(
          () => isStillRecorded(parts, job),
          signal,
          (untilEnd) => follow(parts, job, session, untilEnd),
        )
      } catch (error) {
        signal.throwIfAborted()
        if (!(error instanceof NotHeardLive)) throw error
        parts.log.info({ err: error, sessionId: job.subjectId }, 'a recording is heard when it is complete')
        status = 'parked'
      }
    }
    if (!(await isStillRecorded(parts, job))) await dropDraft(parts.db, job, job.subjectId)
    await parts.db.write(job, (tx) => finishJob(tx, job, status))
  },
  async giveUp(parts, job) {
    await dropDraft(parts.db, job, job.subjectId)
    await parts.db.write(job, (tx) => finishJob(tx, job, 'parked'))
  },
}

const isStillRecorded = async (parts: PipelineParts, job: Job): Promise<boolean> =>
  (await findSession(parts.db, job, job.subjectId))?.status === 'awaiting_audio'

async function follow(
  parts: PipelineParts,
  job: Job,
  session: { clientId: string },
  signal: AbortSignal,
): Promise<void> {
  for (let beginnings = 0; beginnings < beginningsMax;) {
    try {
      return await followOnce(parts, job, session, signal)
    } catch (error) {
      // As often as a clinician strikes something, which has a bound.
      if (error instanceof StretchStruck) continue
      beginnings += 1
      if (!(error instanceof ChannelsChanged || error instanceof SegmentsChanged)) throw error
    }
  }
  throw new NotHeardLive('what is to be heard of it keeps changing')
}

async function followOnce(
  parts: PipelineParts,
  job: Job,
  { clientId }: { clientId: string },
  signal: AbortSignal,
): Promise<void> {
  const { speech } = parts
  const sessionId = job.subjectId
  const struck = await listUncut(parts.db, job, sessionId)
  const struckCount = struck.length
  const segments = followSegments(parts, job, sessionId, struckCount, signal)
  const first = await segments.next()
  if (first === null) return
  const channelCount = countChannels(first.tracks)
  const checkpoints = makeCheckpoints(parts, job, sessionId, async (tx) => {
    if (!(await isBeingRecorded(tx, sessionId))) return false
    const [now] = await tx.run<{ total: number }>(countStruck(tx.tenant, sessionId))
    return now?.total === struckCount
  })
  const hearing = makeLiveHearing(channelCount, await loadKept(checkpoints, speech.engine.model), {
    engine: speech.engine,
    pool: speech.pool,
    voices: await speech.openVoices(),
    checkpoints,
    owner: sessionId,
    signal,
  })
  const sound = decodeSegments(speech.decoder, segments, first, signal, struck.map(toStretch))
  await followSound(sound, hearing, async (draft) => {
    const { fedBytes } = segments
    // Each time: a key may be retired while somebody speaks.
    const ring = (await parts.keys.get(job)).forClient(clientId)
    const heardSeconds = hearing.seconds
    await keepDraft(parts.db, ring, { sessionId, fedBytes, heardSeconds, draft, struckCount })
  })
}

/** Their order and their sound are compared as they are come to. */
async function loadKept(checkpoints: Checkpoints, model: string): Promise<readonly ChunkResult[]> {
  const chunks = await checkpoints.load()
  const from = chunks.findIndex((chunk, index) => chunk.index !== index || chunk.model !== model)
  return from < 0 ? chunks : chunks.slice(0, from)
}
