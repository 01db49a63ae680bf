import { isPrescriberNoteType, isWebAddress, type NoteType, type SessionCreate } from '@casenote/contract'
import { enqueueJob } from '../../jobs/enqueue-job.js'
import { recordChange } from '../../kernel/audit/index.js'
import type { ChangeContext } from '../../kernel/change-context.js'
import type { Tx } from '../../kernel/db/database.js'
import { findTargetProblem } from '../../kernel/guarded-fetch/target-rules.js'
import { newId } from '../../kernel/ids.js'
import { refuse } from '../../kernel/refuse.js'
import { sealJson } from '../../kernel/secrets/sealed-json.js'
import type { Environment } from '../../kernel/tenant.js'
import { applyClientAction, lockClient, selectTreats, type LockedClientRow } from '../clients/index.js'
import { openNote } from '../progress-notes/index.js'
import { fileUrlPlace } from './describe-session.js'
import { getSession } from './read-sessions.js'
import {
  insertSession,
  insertSessionHistory,
  selectSessionClinician,
  type SessionClinicianRow,
  type SessionRow,
} from './sessions.sql.js'

/** An API-only session: its recording is fetched from `fileUrl`. */
export async function createSession(
  tx: Tx,
  context: ChangeContext,
  environment: Environment,
  { clientId, given }: { clientId: string; given: SessionCreate },
): Promise<SessionRow> {
  // Held until the session is there, so that archiving comes before or after it.
  const [client] = await tx.run<LockedClientRow & Record<string, unknown>>(lockClient(tx.tenant, clientId))
  if (client === undefined) throw refuse.notFound()
  const clinician = await findTreating(tx, clientId, given.clinicianId ?? client.clinicianId)
  const problems = findProblems(given, environment, clinician)
  if (problems.length > 0 || clinician === null) throw refuse.invalid(problems)
  if (client.status === 'archived') throw refuse.conflict('Client is archived')
  const sessionId = newId()
  const { clinicianId, clinicId, organizationId } = clinician
  await tx.run(
    insertSession(tx.tenant, {
      sessionId,
      sessionExternalId: given.sessionExternalId ?? null,
      clientId,
      clinicianId,
      clinicId,
      organizationId,
      noteType: given.noteType ?? defaultNoteType(clinician),
      sessionType: null,
      sealedFileUrl: sealJson(context.ring, fileUrlPlace(sessionId), given.fileUrl),
      startedAt: given.startedAt ?? null,
      status: 'fetching',
      progress: 0,
    }),
  )
  const created = { action: 'create', fromStatus: null, toStatus: 'fetching' } as const
  await tx.run(insertSessionHistory(tx.tenant, sessionId, created))
  await openNote(tx, context.ring, { sessionId, preferences: null })
  await enqueueJob(tx, 'fetch_audio', sessionId)
  // A client in any other status stays in it (decisions 5).
  await applyClientAction(tx, clientId, 'startFirstSession')
  const { actor, requestId } = context
  const subjects = [sessionId, clientId, clinicianId]
  await recordChange(tx, { operation: 'session.create', actor, requestId, subjects })
  return getSession(tx, sessionId)
}

/** Null: unknown, not the partner's, or not one who treats this client. */
async function findTreating(
  tx: Tx,
  clientId: string,
  clinicianId: string,
): Promise<SessionClinicianRow | null> {
  const [found] = await tx.run<{ treats: boolean }>(selectTreats(tx.tenant, clientId, clinicianId))
  if (found?.treats !== true) return null
  const [row] = await tx.run<SessionClinicianRow & Record<string, unknown>>(
    selectSessionClinician(tx.tenant, clinicianId),
  )
  return row ?? null
}

function findProblems(
  given: SessionCreate,
  environment: Environment,
  clinician: SessionClinicianRow | null,
): string[] {
  const problems = findFileUrlProblems(environment, given.fileUrl)
  if (clinician === null) problems.push('clinicianId must be a clinician who treats the client')
  if (given.noteType != null && clinician !== null && !mayUse(clinician, given.noteType)) {
    problems.push('noteType must not be a prescriber note type: the clinician is no prescriber')
  }
  return problems
}

/** What is no URL at all is the schema's to say. */
export function findFileUrlProblems(environment: Environment, fileUrl: unknown): string[] {
  if (typeof fileUrl !== 'string' || !isWebAddress(fileUrl)) return []
  const problem = findTargetProblem(new URL(fileUrl), environment)
  return problem === null ? [] : [`fileUrl ${problem}`]
}

const mayUse = ({ prescriber }: SessionClinicianRow, noteType: NoteType): boolean =>
  prescriber || !isPrescriberNoteType(noteType)

/** A default from the time when the clinician still prescribed is no reason to refuse a session. */
const defaultNoteType = (clinician: SessionClinicianRow): NoteType =>
  clinician.defaultNoteType !== null && mayUse(clinician, clinician.defaultNoteType)
    ? clinician.defaultNoteType
    : 'soap'
