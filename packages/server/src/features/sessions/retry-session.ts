import type { NotePreferences } from '@casenote/contract'
import type { ChangeContext } from '../../kernel/change-context.js'
import type { Tx } from '../../kernel/db/database.js'
import type { ClientId, SessionId } from '../../kernel/ids.js'
import { refuse } from '../../kernel/refuse.js'
import { requireConsentIfAsked } from '../consents/index.js'
import { copyGaps, countStruck, dropSpoken, selectSegmentBlobs, selectUncut } from '../session-gaps/index.js'
import { movePad } from '../session-pads/index.js'
import { findKeptTemplate } from '../templates/index.js'
import { receiveRecording, receiveSegments } from './advance-session.js'
import { readFileUrl } from './describe-session.js'
import { moveContext } from './keep-context.js'
import { takeText } from './keep-text.js'
import { getLockedClient, openSession, type RecordingSource } from './open-session.js'
import { getSession } from './read-sessions.js'
import { requireFreeIfUnique } from './require-free-session-id.js'
import {
  keepRecordingLonger,
  lockEndedSession,
  selectRetryOf,
  selectSessionClinician,
  updateAudio,
  type EndedSessionRow,
  type SessionClinicianRow,
  type SessionRow,
} from './sessions.sql.js'

/** Why there will be no second try; told to the operator. `obstacle`: what a clinician is told of it. */
export class NoRetry extends Error {
  readonly obstacle: 'archived' | 'recording_gone' | 'text_gone' | 'other'

  constructor(message: string, obstacle: NoRetry['obstacle'] = 'other') {
    super(message)
    this.name = 'NoRetry'
    this.obstacle = obstacle
  }
}

export interface RetryParts {
  sessionId: SessionId
  /** The clinician's word for it, where the service thought otherwise. */
  language?: string
  preferences: NotePreferences | null
  /** For how long a recording stays that nobody finalizes a note of. */
  keepDays: number
  /** Segments of the widget that are still there become the other session's; says how many there were. */
  moveSegments: (tx: Tx, from: string, to: string) => Promise<number>
  /** The lines of the transcript as they stand, put right by the clinician or not; null: there is none yet. */
  findLines: (tx: Tx) => Promise<string[] | null>
  /** Whether its transcript in this language is kept, with it or with one that it is another try of. */
  isHeard: (tx: Tx, language: string | null) => Promise<boolean>
}

/**
 * A new session of the same hour: same client, clinician, type and `sessionExternalId`. 409 where that is one session's only, and
 * another one has it by now.
 */
export async function retrySession(tx: Tx, context: ChangeContext, parts: RetryParts): Promise<string> {
  const failed = await getLockedFailedSession(tx, parts.sessionId)
  const session = await getSession(tx, parts.sessionId)
  const [clinician] = await tx.run(selectSessionClinician(tx.tenant, session.clinicianId))
  if (clinician === undefined) throw new NoRetry('its clinician is gone')
  const client = await getLockedClient(tx, session.clientId)
  if (client.status === 'archived') throw new NoRetry('its client is archived', 'archived')
  const { clientId, sessionExternalId } = session
  await requireFreeIfUnique(tx, sessionExternalId)
  const isHere = failed.hasAudio || session.source === 'typed'
  // What was fetched once and is gone is not fetched again: what stands behind its address may be gone as well.
  const goesOn = !isHere && (await parts.isHeard(tx, parts.language ?? session.language))
  // Its own transcript stays until the newer one is kept: it may be all that is ever heard of it.
  return openAgain(tx, context, {
    ...parts,
    session,
    recording: failed,
    clinician,
    clientId,
    sessionExternalId,
    goesOn,
  })
}

interface Again extends RetryParts {
  /** The one that has ended, whose recording it is. */
  session: SessionRow
  recording: EndedSessionRow
  clinician: SessionClinicianRow
  clientId: ClientId
  sessionExternalId: string | null
  /** From the transcript that is kept: nothing is heard anew. */
  goesOn?: boolean
}

/**
 * Another session with the recording of one that has ended. The recording becomes its own, so that it is kept for as long
 * as the new session needs it and deleted once. The client is locked, and not archived.
 */
export async function openAgain(tx: Tx, context: ChangeContext, again: Again): Promise<string> {
  const { session, recording, clinician, clientId, sessionExternalId, preferences, keepDays } = again
  const uncut = await tx.run(selectUncut(tx.tenant, session.sessionId))
  // Its sound is apart from the session until then, and nobody else cuts it.
  if (uncut.some(({ blobId }) => blobId !== null))
    throw refuse.conflictForNow('session_processing', 'The recording is being cut')
  const source = await findSource(tx, context, again)
  const { sessionId } = await openSession(tx, context, {
    clientId,
    clinician,
    source,
    template: await findKeptTemplate(tx, session),
    sessionExternalId,
    sessionType: session.sessionType,
    startedAt: session.startedAt?.toISOString() ?? null,
    preferences,
    retryOf: session.sessionId,
    language: again.language ?? session.language,
  })
  await movePad(tx, context, session.sessionId, { sessionId, clientId })
  await tx.run(copyGaps(tx.tenant, session.sessionId, sessionId))
  await moveContext(tx, context.ring, { from: session, to: { sessionId, clientId } })
  const segments = await again.moveSegments(tx, session.sessionId, sessionId)
  if (recording.audioBlobId !== null && recording.hasAudio) {
    await tx.run(updateAudio(tx.tenant, session.sessionId, null))
    await tx.run(keepRecordingLonger(tx.tenant, recording.audioBlobId, keepDays))
    await receiveRecording(tx, { sessionId, blobId: recording.audioBlobId })
    // It was joined under a legal hold, which kept what it was made of: perhaps of another client.
    if (uncut.length > 0) {
      const blobs = await tx.run(selectSegmentBlobs(tx.tenant, sessionId))
      const spoken = blobs.filter(({ blobId }) => blobId !== recording.audioBlobId)
      await dropSpoken(tx, { sessionId, clientId, segments: spoken })
    }
  } else if ('isHere' in source && source.isHere === 'segments') {
    if (segments === 0) throw new NoRetry('its recording is gone', 'recording_gone')
    await receiveSegments(tx, sessionId)
  }
  return sessionId
}

async function getLockedFailedSession(tx: Tx, sessionId: SessionId): Promise<EndedSessionRow> {
  const [failed] = await tx.run(lockEndedSession(tx.tenant, sessionId))
  if (failed?.status !== 'failed') throw new NoRetry('it has not failed')
  if (failed.failureCode === 'discarded') throw new NoRetry('its recording was discarded by the clinician')
  // By itself: the newer session, which the look below finds, may have been erased with the client that it was put under.
  if (failed.failureCode === 'withdrawn')
    throw new NoRetry('it was withdrawn: it was recorded or typed under the wrong client')
  const [retry] = await tx.run(selectRetryOf(tx.tenant, sessionId))
  if (retry !== undefined) throw new NoRetry(`it was tried again as ${retry.sessionId}`)
  return failed
}

/** What is here is taken; else the file server is asked once more. */
async function findSource(
  tx: Tx,
  { ring }: ChangeContext,
  { session, clientId, recording: { hasAudio }, findLines, goesOn = false }: Again,
): Promise<RecordingSource> {
  if (session.source === 'typed') {
    const text = await takeText(tx, ring, session.sessionId)
    if (text === null) throw new NoRetry('its text is gone', 'text_gone')
    // A recording is heard anew; of what was typed, what its clinician put right in the transcript is the newest.
    return { text: (await findLines(tx))?.join('\n') ?? text, recordingId: null }
  }
  const isDictated = session.source === 'dictated'
  const fileUrl = readFileUrl(ring, session)
  if (goesOn) return { isHere: 'transcript', fileUrl, isDictated }
  if (hasAudio) return { isHere: 'whole', fileUrl, isDictated }
  if (fileUrl === null) return { isHere: 'segments', fileUrl, isDictated }
  // What the file server has still holds what was struck.
  const [struck] = await tx.run(countStruck(tx.tenant, session.sessionId))
  if ((struck?.total ?? 0) > 0) throw new NoRetry('its recording is gone', 'recording_gone')
  if (!isDictated) await requireConsentIfAsked(tx, clientId)
  return { fileUrl, isDictated }
}
