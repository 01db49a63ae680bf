import type {
  ContextField,
  NotePreferences,
  NoteTemplate,
  SessionContextChange,
  SessionSource,
} from '@casenote/contract'
import { enqueueStep } from '../../jobs/enqueue-step.js'
import { recordChange } from '../../kernel/audit/index.js'
import type { ChangeContext } from '../../kernel/change-context.js'
import type { Tx } from '../../kernel/db/database.js'
import { newId, type ClientId, type ClinicianId } from '../../kernel/ids.js'
import { refuse } from '../../kernel/refuse.js'
import { sealJson } from '../../kernel/secrets/sealed-json.js'
import { applyClientAction, lockClient, selectTreats, type LockedClientRow } from '../clients/index.js'
import { openNote } from '../progress-notes/index.js'
import { fileUrlPlace } from './describe-session.js'
import { keepContext } from './keep-context.js'
import { keepText } from './keep-text.js'
import { getSession } from './read-sessions.js'
import {
  insertSession,
  insertSessionHistory,
  selectSessionClinician,
  type SessionClinicianRow,
  type SessionRow,
} from './sessions.sql.js'

/**
 * Where the recording comes from: fetched by us, sent in pieces by the widget under an id of its own, or here already, of
 * a session that failed; of that, where its sound is gone, at least what was heard. Where nobody was recorded, what the clinician typed; from the widget under an id of its own, too.
 */
export type RecordingSource =
  | ({ fileUrl: string } & Dictation)
  | ({ recordingId: string } & Dictation)
  | ({ isHere: 'whole' | 'segments' | 'transcript'; fileUrl: string | null } & Dictation)
  | { text: string; recordingId: string | null }

interface Dictation {
  /** Only its clinician is heard, who tells of the session. */
  isDictated: boolean
}

export const nameSource = (source: RecordingSource): SessionSource =>
  'text' in source ? 'typed' : source.isDictated ? 'dictated' : 'recording'

export interface NewSession {
  clientId: ClientId
  clinician: SessionClinicianRow
  source: RecordingSource
  template: NoteTemplate
  sessionExternalId: string | null | undefined
  sessionType: string | null
  startedAt: string | null | undefined
  /** How long ago its recorder began; null where that is not known. */
  recordedForMs?: number | null
  preferences: NotePreferences | null
  /** The failed session whose recording it has. */
  retryOf?: string
  language?: string | null | undefined
  /** What the partner knows beside it. */
  known?: SessionContextChange | null | undefined
  /** What the widget had to leave out of it. */
  leftOut?: readonly ContextField[] | undefined
}

/**
 * What a new session has to know of its client, from the statement that locks them: they stay locked until the session is there, so that archiving
 * comes before or after it. The whole client, as their own feature shows them, is `readLockedClient` there.
 */
export async function getLockedClient(tx: Tx, clientId: ClientId): Promise<LockedClientRow> {
  const [client] = await tx.run(lockClient(tx.tenant, clientId))
  if (client === undefined) throw refuse.notFound()
  return client
}

/** Null: unknown, not the partner's, or not one who treats this client. */
export async function findTreating(
  tx: Tx,
  clientId: ClientId,
  clinicianId: ClinicianId,
): Promise<SessionClinicianRow | null> {
  const [found] = await tx.run(selectTreats(tx.tenant, clientId, clinicianId))
  if (found?.treats !== true) return null
  const [row] = await tx.run(selectSessionClinician(tx.tenant, clinicianId))
  return row ?? null
}

/** The client is locked, and not archived. */
export async function openSession(tx: Tx, context: ChangeContext, given: NewSession): Promise<SessionRow> {
  const sessionId = newId()
  const { clientId, clinician, source } = given
  const { clinicianId, clinicId, organizationId } = clinician
  const ring = context.ring.forClient(clientId)
  const isHere = 'isHere' in source
  const fileUrl = 'fileUrl' in source ? source.fileUrl : null
  const isFetched = !isHere && fileUrl !== null
  const isTyped = 'text' in source
  const isThere = isFetched || isTyped || (isHere && source.isHere !== 'segments')
  const status = isThere ? 'fetching' : 'awaiting_audio'
  await tx.run(
    insertSession(tx.tenant, {
      sessionId,
      sessionExternalId: given.sessionExternalId ?? null,
      clientId,
      clinicianId,
      clinicId,
      organizationId,
      noteType: given.template.noteType,
      templateId: given.template.id,
      templateVersion: given.template.version,
      sessionType: given.sessionType,
      sealedFileUrl: fileUrl === null ? null : sealJson(ring, fileUrlPlace(sessionId), fileUrl),
      recordingId: 'recordingId' in source ? source.recordingId : null,
      source: nameSource(source),
      language: given.language ?? null,
      retryOf: given.retryOf ?? null,
      startedAt: given.startedAt ?? null,
      recordedForMs: given.recordedForMs ?? null,
      status,
      progress: 0,
    }),
  )
  const created = { action: 'create', fromStatus: null, toStatus: status } as const
  await tx.run(insertSessionHistory(tx.tenant, sessionId, created))
  await openNote(tx, ring, { sessionId, preferences: given.preferences })
  if (isFetched) await enqueueStep(tx, 'file_named', sessionId)
  if (isTyped) {
    await keepText(tx, ring, { sessionId, text: source.text })
    await enqueueStep(tx, 'text_typed', sessionId)
  }
  if (isHere && source.isHere === 'transcript') await enqueueStep(tx, 'transcript_kept', sessionId)
  const { known, leftOut = [] } = given
  if (known != null || leftOut.length > 0)
    await keepContext(tx, ring, { sessionId, given: known ?? {}, leftOut })
  // A client in any other status stays in it (ruling 5).
  await applyClientAction(tx, clientId, 'startFirstSession')
  const { actor, requestId } = context
  const { retryOf } = given
  const subjects = [sessionId, clientId, clinicianId, ...(retryOf === undefined ? [] : [retryOf])]
  await recordChange(tx, { operation: 'session.create', actor, requestId, subjects })
  // That it needed no consent is somebody's word, and stands beside it.
  if (nameSource(source) === 'dictated')
    await recordChange(tx, { operation: 'session.dictate', actor, requestId, subjects })
  return getSession(tx, sessionId)
}
