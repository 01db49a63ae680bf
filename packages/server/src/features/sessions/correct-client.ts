import { toSessionPayload } from '@casenote/contract'
import { endJobsOf } from '../../jobs/enqueue-job.js'
import { recordChange } from '../../kernel/audit/index.js'
import type { ChangeContext } from '../../kernel/change-context.js'
import type { Tx } from '../../kernel/db/database.js'
import type { ClientId, SessionId } from '../../kernel/ids.js'
import { recordEvent } from '../../kernel/outbox/index.js'
import { refuse } from '../../kernel/refuse.js'
import { withdrawNote } from '../progress-notes/index.js'
import { applySessionAction } from './apply-session-action.js'
import { readFileUrl } from './describe-session.js'
import { findTreating, getLockedClient } from './open-session.js'
import { getSession } from './read-sessions.js'
import { reserveIfUnique } from './require-free-session-id.js'
import { NoRetry, openAgain, type RetryParts } from './retry-session.js'
import { describeFailure, SESSION_FAILURES } from './session-lifecycle.js'
import {
  endExports,
  lockEndedSession,
  lockFailureCode,
  selectRetryOf,
  type EndedSessionRow,
  type SessionRow,
} from './sessions.sql.js'

export interface Correction extends RetryParts {
  /** Who was really recorded. */
  clientId: ClientId
  /** The external id of that client's appointment: the other one's would lead a partner to the wrong chart once more. */
  sessionExternalId: string | null
  /** Refuses where the client never agreed to be recorded. */
  requireConsent: (tx: Tx) => Promise<void>
  /** Whatever was made of the recording beside its note. */
  forgetArtifacts: (tx: Tx) => Promise<void>
}

/**
 * Puts right a recording that was made under the wrong client: another session with the same recording for the right one,
 * and the wrong one withdrawn with its note (decision 0024). Asked again for the same client, it is the same session.
 */
export async function correctClient(tx: Tx, context: ChangeContext, given: Correction): Promise<string> {
  const { sessionId, clientId } = given
  const session = await getSession(tx, sessionId)
  const clinician = await findTreating(tx, clientId, session.clinicianId)
  if (clinician === null) throw refuse.invalid(['clientId must be a client of the clinician'])
  const client = await getLockedClient(tx, clientId)
  const locked = await getLockedEndedSession(tx, sessionId)
  if (locked.failureCode === 'withdrawn') return findCorrected(tx, sessionId, clientId)
  if (session.clientId === clientId) {
    throw refuse.invalid(['clientId must be another client than the one of the session'])
  }
  await requireOwnRecording(tx, sessionId, locked)
  if (client.status === 'archived') throw refuse.conflict('client_archived', 'Client is archived')
  if (session.source === 'recording') await given.requireConsent(tx)
  // What was fetched once and is gone is not fetched again: what stands behind its address may be gone as well.
  if (!locked.hasAudio && readFileUrl(context.ring, session) !== null)
    throw refuse.conflict('recording_gone', goneRefusal)
  await reserveIfUnique(tx, given.sessionExternalId)
  // First: nobody reads a transcript of a session that was withdrawn.
  const lines = session.source === 'typed' ? await given.findLines(tx) : null
  const findLines = (): Promise<string[] | null> => Promise.resolve(lines)
  const progressNoteIds = await withdraw(tx, context, session)
  const again = { ...given, findLines, session, recording: locked, clinician }
  const correctedId = await openForClient(tx, context, again)
  await given.forgetArtifacts(tx)
  const [ended] = await tx.run(endExports(tx.tenant, session.clientId))
  const { actor, requestId } = context
  const files = ended?.blobIds ?? []
  const subjects = [sessionId, session.clientId, ...progressNoteIds, correctedId, clientId, ...files]
  await recordChange(tx, { operation: 'session.withdraw', actor, requestId, subjects })
  return correctedId
}

const goneRefusal = 'The recording is no longer kept'

async function openForClient(
  tx: Tx,
  context: ChangeContext,
  again: Parameters<typeof openAgain>[2],
): Promise<string> {
  try {
    return await openAgain(tx, context, again)
  } catch (error) {
    if (error instanceof NoRetry) throw refuse.conflict('recording_gone', goneRefusal)
    throw error
  }
}

/** Whether a session was withdrawn. Nothing more is kept of such a one: a step of the pipeline that was under way drops what it made. */
export async function isWithdrawn(tx: Tx, sessionId: SessionId): Promise<boolean> {
  const [row] = await tx.run(lockFailureCode(tx.tenant, sessionId))
  return row?.failureCode === 'withdrawn'
}

async function getLockedEndedSession(tx: Tx, sessionId: SessionId): Promise<EndedSessionRow> {
  const [locked] = await tx.run(lockEndedSession(tx.tenant, sessionId))
  if (locked === undefined) throw new Error('a session does not exist')
  return locked
}

/** What was thrown away is nobody's, and what was tried again is the other session's by now: it is put right there. */
async function requireOwnRecording(tx: Tx, sessionId: SessionId, locked: EndedSessionRow): Promise<void> {
  if (locked.failureCode === 'discarded') throw refuse.conflict('session_discarded', 'The session has failed')
  const [again] = await tx.run(selectRetryOf(tx.tenant, sessionId))
  if (again !== undefined)
    throw refuse.conflict('session_retried', 'The session was tried again: put the newer one right')
}

async function findCorrected(tx: Tx, sessionId: SessionId, clientId: ClientId): Promise<SessionId> {
  const [again] = await tx.run(selectRetryOf(tx.tenant, sessionId))
  // None: it was erased since.
  if (again !== undefined && (await getSession(tx, again.sessionId)).clientId === clientId)
    return again.sessionId
  throw refuse.conflict('session_withdrawn', 'The session was withdrawn already, for another client')
}

/** The event is the only one that says that nothing comes of a session; a partner that has its note must hear of it. */
async function withdraw(tx: Tx, context: ChangeContext, session: SessionRow): Promise<string[]> {
  const { sessionId } = session
  if ((await applySessionAction(tx, sessionId, 'withdraw', 'withdrawn')) === null) {
    throw refuse.conflict('recording_incomplete', 'The recording is not complete yet')
  }
  const { progressNoteIds, generationId } = await withdrawNote(tx, context, sessionId)
  await endJobsOf(tx, generationId === null ? [sessionId] : [sessionId, generationId])
  await recordEvent(tx, {
    eventType: 'session_transcript_error',
    payload: {
      ...toSessionPayload(session),
      error: SESSION_FAILURES.withdrawn,
      failure: describeFailure('withdrawn'),
    },
    onceKey: `session_transcript_error/${sessionId}`,
    nowMs: context.nowMs,
  })
  return progressNoteIds
}
