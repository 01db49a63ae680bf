import type { Checkpoints, ChunkResult } from '../engines/speech/chunk-result.js'
import { otherLanguage } from '../engines/reader/reading.js'
import { findEngine } from '../engines/speech/find-engine.js'
import { followSound } from '../engines/speech/live/follow-sound.js'
import { ChannelsChanged, makeLiveHearing } from '../engines/speech/live/live-hearing.js'
import { unheardVoices } from '../engines/speech/voices/index.js'
import { isConsentedDuring } from '../features/consents/index.js'
import { dropDraft, isComing, keepDraft, keepHeard } from '../features/live-transcripts/index.js'
import { countUncut, listUncut, toSilence } from '../features/session-gaps/index.js'
import { findSession, type SessionRow } from '../features/sessions/index.js'
import { makeCheckpoints } from '../features/transcripts/index.js'
import { finishJob } from '../jobs/enqueue-job.js'
import type { SessionJob } from '../jobs/jobs.sql.js'
import type { TenantScope } from '../kernel/tenant.js'
import { countChannels, decodeSegments } from './decode-segments.js'
import { followDownload } from './live-download.js'
import { followSegments, SegmentsChanged, StretchStruck, type LiveSegments } from './live-segments.js'
import type { PipelineParts, Step } from './pipeline-parts.js'
import { NotHeardLive } from './probe-beginning.js'
import { whileGoingOn } from './while-going-on.js'

/** Which channel of a stereo recording is the louder one may change once while it begins; seldom a segment is thrown away. */
const beginningsMax = 3

/** How a recording comes in. */
interface Coming {
  status: Extract<SessionRow['status'], 'awaiting_audio' | 'fetching'>
  open: (
    parts: PipelineParts,
    tenant: TenantScope,
    session: ComingSession & { struckCount: number },
    signal: AbortSignal,
  ) => LiveSegments
  /** Whether the widget's recorder records it: nothing of it is heard once the consent is withdrawn, and the clinician reads along until then. */
  isRecorded: boolean
}
type ComingSession = Pick<SessionRow, 'sessionId' | 'clientId' | 'language' | 'source'>

/**
 * Hears a recording while it comes in: what is settled is kept as transcribing keeps it, and found there. It ends with the recording or
 * a pause, and is asked for again with the next bytes. Nothing depends on it: what it did not hear is heard afterwards.
 */
const hear = (coming: Coming): Step => ({
  async run(parts, job, signal) {
    const isStillComing = async (): Promise<boolean> =>
      (await findSession(parts.db, job, job.subjectId))?.status === coming.status &&
      (!coming.isRecorded || (await isConsentedDuring(parts.db, job, job.subjectId)))
    const session = await findSession(parts.db, job, job.subjectId)
    let status: 'done' | 'parked' = 'done'
    if (session !== null && (await isStillComing())) {
      try {
        await whileGoingOn(isStillComing, signal, (untilEnd) =>
          follow(parts, job, { coming, session, signal: untilEnd }),
        )
      } catch (error) {
        signal.throwIfAborted()
        if (!(error instanceof NotHeardLive)) throw error
        parts.log.info({ err: error, sessionId: job.subjectId }, 'a recording is heard when it is complete')
        status = 'parked'
      }
    }
    if (!(await isStillComing())) await dropDraft(parts.db, job, job.subjectId)
    await parts.db.write(job, (tx) => finishJob(tx, job, status))
  },
  async giveUp(parts, job) {
    await dropDraft(parts.db, job, job.subjectId)
    await parts.db.write(job, (tx) => finishJob(tx, job, 'parked'))
  },
})

/** One that is being recorded: the clinician may read along. */
export const hearLive = hear({
  status: 'awaiting_audio',
  open: (parts, tenant, { sessionId, struckCount }, signal) =>
    followSegments(parts, tenant, sessionId, struckCount, signal),
  isRecorded: true,
})

/** One whose file server takes its time. */
export const hearDownload = hear({ status: 'fetching', open: followDownload, isRecorded: false })

interface Hearing {
  coming: Coming
  session: ComingSession
  signal: AbortSignal
}

async function follow(parts: PipelineParts, job: SessionJob, hearing: Hearing): Promise<void> {
  for (let beginnings = 0; beginnings < beginningsMax;) {
    try {
      return await followOnce(parts, job, hearing)
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
  job: SessionJob,
  { coming, session, signal }: Hearing,
): Promise<void> {
  const { speech } = parts
  const { sessionId, clientId, source } = session
  const engine = findEngine(speech.engine, otherLanguage(session.language))
  if (engine === null) throw new NotHeardLive('it is in a language that is not known here')
  const struck = await listUncut(parts.db, job, sessionId)
  const struckCount = struck.length
  const segments = coming.open(parts, job, { ...session, struckCount }, signal)
  const first = await segments.next()
  if (first === null) return
  const channelCount = countChannels(first.tracks)
  const checkpoints = makeCheckpoints(parts, job, session, async (tx) => {
    if (!(await isComing(tx, sessionId, coming.status))) return false
    const [now] = await tx.run(countUncut(tx.tenant, sessionId))
    return now?.total === struckCount
  })
  const hearing = makeLiveHearing(channelCount, await loadKept(checkpoints, engine.model), {
    engine,
    pool: speech.pool,
    // As it is heard at its end: else nothing of this would be taken over there.
    voices: source === 'dictated' ? unheardVoices : await speech.openVoices(),
    checkpoints,
    owner: sessionId,
    signal,
  })
  const heardSoFar = () => ({
    sessionId,
    fedBytes: segments.fedBytes,
    heardSeconds: hearing.seconds,
    struckCount,
  })
  const sound = decodeSegments(speech.decoder, segments, first, signal, toSilence(struck))
  const tellHeard = (): Promise<void> => keepHeard(parts.db, job, heardSoFar())
  const tellDraft = async (): Promise<void> => {
    const draft = await hearing.hearDraft()
    // Each time: a key may be retired while somebody speaks.
    const ring = (await parts.keys.get(job)).forClient(clientId)
    await keepDraft(parts.db, ring, { ...heardSoFar(), draft })
  }
  // Late, there is no draft: what was one is in a chunk by then.
  await followSound(sound, hearing, { onTaken: coming.isRecorded ? tellDraft : tellHeard, onLate: tellHeard })
}

/** Their order and their sound are compared as they are come to. */
async function loadKept(checkpoints: Checkpoints, model: string): Promise<readonly ChunkResult[]> {
  const chunks = await checkpoints.load()
  const from = chunks.findIndex((chunk, index) => chunk.index !== index || chunk.model !== model)
  return from < 0 ? chunks : chunks.slice(0, from)
}
