import type { NotePreferences } from '@casenote/contract'
import type { ChangeContext } from '../../kernel/change-context.js'
import type { Tx } from '../../kernel/db/database.js'
import { receiveRecording, receiveSegments } from './advance-session.js'
import { readFileUrl } from './describe-session.js'
import { holdClient, openSession, type RecordingSource } from './open-session.js'
import { getSession } from './read-sessions.js'
import {
  keepRecordingLonger,
  lockFailedSession,
  selectRetryOf,
  selectSessionClinician,
  updateAudio,
  type FailedSessionRow,
  type SessionClinicianRow,
} from './sessions.sql.js'

/** Why there will be no second try; told to the operator. */
export class NoRetry extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'NoRetry'
  }
}

export interface RetryParts {
  sessionId: string
  preferences: NotePreferences | null
  /** For how long a recording stays that nobody finalizes a note of. */
  keepDays: number
  /** Segments of the widget that are still there become the other session's; says how many there were. */
  moveSegments: (tx: Tx, from: string, to: string) => Promise<number>
}

/**
 * A new session of the same hour: same client, clinician, type and `sessionExternalId`. The recording becomes its own,
 * so that it is kept for as long as the new session needs it and deleted once.
 */
export async function retrySession(tx: Tx, context: ChangeContext, parts: RetryParts): Promise<string> {
  const failed = await holdFailed(tx, parts.sessionId)
  const session = await getSession(tx, parts.sessionId)
  const [clinician] = await tx.run<SessionClinicianRow & Record<string, unknown>>(
    selectSessionClinician(tx.tenant, session.clinicianId),
  )
  if (clinician === undefined) throw new NoRetry('its clinician is gone')
  const client = await holdClient(tx, session.clientId)
  if (client.status === 'archived') throw new NoRetry('its client is archived')
  const source: RecordingSource = findSource(failed, readFileUrl(context.ring, session))
  const { sessionId } = await openSession(tx, context, {
    clientId: session.clientId,
    clinician,
    source,
    noteType: session.noteType,
    sessionExternalId: session.sessionExternalId,
    sessionType: session.sessionType,
    startedAt: session.startedAt?.toISOString() ?? null,
    preferences: parts.preferences,
    retryOf: parts.sessionId,
  })
  const segments = await parts.moveSegments(tx, parts.sessionId, sessionId)
  if (failed.audioBlobId !== null && failed.hasAudio) {
    await tx.run(updateAudio(tx.tenant, parts.sessionId, null))
    await tx.run(keepRecordingLonger(tx.tenant, failed.audioBlobId, parts.keepDays))
    await receiveRecording(tx, { sessionId, blobId: failed.audioBlobId })
  } else if ('isHere' in source) {
    if (segments === 0) throw new NoRetry('its recording is gone')
    await receiveSegments(tx, sessionId)
  }
  return sessionId
}

async function holdFailed(tx: Tx, sessionId: string): Promise<FailedSessionRow> {
  const [failed] = await tx.run<FailedSessionRow & Record<string, unknown>>(
    lockFailedSession(tx.tenant, sessionId),
  )
  if (failed?.status !== 'failed') throw new NoRetry('it has not failed')
  if (failed.failureCode === 'discarded') throw new NoRetry('its recording was discarded by the clinician')
  const [retry] = await tx.run<{ sessionId: string }>(selectRetryOf(tx.tenant, sessionId))
  if (retry !== undefined) throw new NoRetry(`it was tried again as ${retry.sessionId}`)
  return failed
}

/** What is here is taken; else the file server is asked once more. */
function findSource({ hasAudio }: FailedSessionRow, fileUrl: string | null): RecordingSource {
  if (hasAudio) return { isHere: 'whole', fileUrl }
  return fileUrl === null ? { isHere: 'segments', fileUrl } : { fileUrl }
}
