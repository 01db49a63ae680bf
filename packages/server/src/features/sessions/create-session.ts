import { isWebAddress, type SessionCreate, type WidgetSessionCreate } from '@casenote/contract'
import type { ChangeContext } from '../../kernel/change-context.js'
import type { Tx } from '../../kernel/db/database.js'
import { findTargetProblem } from '../../kernel/guarded-fetch/target-rules.js'
import { refuse } from '../../kernel/refuse.js'
import type { Environment } from '../../kernel/tenant.js'
import { requireActive } from '../clinicians/index.js'
import { findTreating, holdClient, mayUse, openSession, prescriberTypeProblem } from './open-session.js'
import { selectSessionOfRecording, type SessionClinicianRow, type SessionRow } from './sessions.sql.js'

/** An API-only session: its recording is fetched from `fileUrl`. */
export async function createSession(
  tx: Tx,
  context: ChangeContext,
  targets: Environment,
  { clientId, given }: { clientId: string; given: SessionCreate },
): Promise<SessionRow> {
  const client = await holdClient(tx, clientId)
  const clinician = await findTreating(tx, clientId, given.clinicianId ?? client.clinicianId)
  const problems = findProblems(given, targets, clinician)
  if (problems.length > 0 || clinician === null) throw refuse.invalid(problems)
  if (client.status === 'archived') throw refuse.conflict('Client is archived')
  await requireActive(tx, clinician.clinicianId)
  const { noteType, sessionExternalId, startedAt, fileUrl } = given
  const of = { clientId, clinician, source: { fileUrl } }
  return openSession(tx, context, {
    ...of,
    noteType,
    sessionExternalId,
    startedAt,
    sessionType: null,
    preferences: null,
  })
}

/** A session of the widget: its recording is sent in pieces. Asked again for the same recording, it is the same one. */
export async function createRecordedSession(
  tx: Tx,
  context: ChangeContext,
  { clientId, clinicianId, given }: { clientId: string; clinicianId: string; given: WidgetSessionCreate },
  requireConsent: () => Promise<void>,
): Promise<SessionRow> {
  const client = await holdClient(tx, clientId)
  const { recordingId } = given
  const [existing] = await tx.run<SessionRow & Record<string, unknown>>(
    selectSessionOfRecording(tx.tenant, clinicianId, recordingId),
  )
  if (existing !== undefined) {
    if (existing.clientId !== clientId) throw refuse.conflict('The recording is of another client')
    return existing
  }
  const clinician = await findTreating(tx, clientId, clinicianId)
  if (clinician === null) throw refuse.notFound()
  if (given.noteType != null && !mayUse(clinician, given.noteType))
    throw refuse.invalid([prescriberTypeProblem])
  if (client.status === 'archived') throw refuse.conflict('Client is archived')
  await requireActive(tx, clinicianId)
  await requireConsent()
  const { noteType, sessionExternalId, startedAt, sessionType, treatmentApproaches, sessionSetting } = given
  return openSession(tx, context, {
    clientId,
    clinician,
    source: { recordingId },
    noteType,
    sessionExternalId,
    startedAt,
    sessionType: sessionType ?? null,
    preferences: { treatmentApproaches: treatmentApproaches ?? [], sessionSetting: sessionSetting ?? null },
  })
}

function findProblems(
  given: SessionCreate,
  targets: Environment,
  clinician: SessionClinicianRow | null,
): string[] {
  const problems = findFileUrlProblems(targets, given.fileUrl)
  if (clinician === null) problems.push('clinicianId must be a clinician who treats the client')
  if (given.noteType != null && clinician !== null && !mayUse(clinician, given.noteType)) {
    problems.push(prescriberTypeProblem)
  }
  return problems
}

/** What is no URL at all is the schema's to say. */
export function findFileUrlProblems(targets: Environment, fileUrl: unknown): string[] {
  if (typeof fileUrl !== 'string' || !isWebAddress(fileUrl)) return []
  const problem = findTargetProblem(new URL(fileUrl), targets)
  return problem === null ? [] : [`fileUrl ${problem}`]
}
