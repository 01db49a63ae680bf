import type { AssessmentAssignments, AssignmentStatus } from '@casenote/contract'
import { recordChange, type AuditEntry } from '../../kernel/audit/index.js'
import type { Tx } from '../../kernel/db/database.js'
import { newId } from '../../kernel/ids.js'
import { refuse } from '../../kernel/refuse.js'
import { lockClient, type LockedClientRow } from '../clients/index.js'
import { expireAssignments, insertAssignments, type AssignmentRow } from './assessments.sql.js'
import { assignmentUrl, hashAssignmentToken, newAssignmentToken } from './assignment-token.js'
import type { Catalogue, Instrument } from './instruments/index.js'

/** Between two appointments a month apart the link must still work; much longer, and it lies forgotten in a mailbox. */
const linkValidDays = 30

export interface Administration {
  catalogue: Catalogue
  clientId: string
  assessmentIds: readonly string[]
  publicUrl: string
}

/** All of them or none. One that is named twice is assigned once: the client would be asked the same twice. */
export async function administerAssessments(
  tx: Tx,
  { catalogue, clientId, assessmentIds, publicUrl }: Administration,
  audit: Pick<AuditEntry, 'actor' | 'requestId'>,
): Promise<AssessmentAssignments> {
  const instruments = requireOffered(catalogue, [...new Set(assessmentIds)])
  await requireNotArchived(tx, clientId)
  const made = instruments.map(({ id, version }) => ({
    assignmentId: newId(),
    assessmentId: id,
    instrumentVersion: version,
    token: newAssignmentToken(tx.tenant),
  }))
  const statuses = await assign(tx, clientId, made)
  const assignmentIds = made.map(({ assignmentId }) => assignmentId)
  const subjects = [clientId, ...assignmentIds]
  await recordChange(tx, { ...audit, operation: 'assessment.administer', subjects })
  const assignments = made.map(({ assignmentId, assessmentId, token }) => ({
    id: assignmentId,
    assessmentId,
    status: statuses.get(assessmentId) ?? 'outstanding',
    url: assignmentUrl(publicUrl, token),
  }))
  return { assignments }
}

function requireOffered(catalogue: Catalogue, assessmentIds: readonly string[]): Instrument[] {
  const offered = new Map(catalogue.listOffered().map((instrument) => [instrument.id, instrument]))
  const unknown = assessmentIds.filter((id) => !offered.has(id))
  if (unknown.length > 0) {
    throw refuse.invalid([`assessmentIds must name assessments of the clinic, not: ${unknown.join(', ')}`])
  }
  return assessmentIds.flatMap((id) => offered.get(id) ?? [])
}

async function requireNotArchived(tx: Tx, clientId: string): Promise<void> {
  const [client] = await tx.run<LockedClientRow & Record<string, unknown>>(lockClient(tx.tenant, clientId))
  if (client === undefined) throw refuse.notFound()
  if (client.status === 'archived') throw refuse.conflict('Client is archived')
}

async function assign(
  tx: Tx,
  clientId: string,
  made: readonly { assignmentId: string; assessmentId: string; instrumentVersion: string; token: string }[],
): Promise<Map<string, AssignmentStatus>> {
  const assessmentIds = made.map(({ assessmentId }) => assessmentId)
  await tx.run(expireAssignments(tx.tenant, clientId, assessmentIds))
  const to = { clientId, administrationId: newId(), validDays: linkValidDays }
  const rows = made.map(({ token, ...row }) => ({ ...row, tokenHash: hashAssignmentToken(token) }))
  const inserted = await tx.run<AssignmentRow & Record<string, unknown>>(
    insertAssignments(tx.tenant, to, rows),
  )
  const statuses = new Map(inserted.map(({ assessmentId, status }) => [assessmentId, status]))
  const outstanding = assessmentIds.filter((id) => !statuses.has(id))
  // Thrown inside the transaction: nothing of it stays.
  if (outstanding.length > 0) {
    throw refuse.conflict(`Assessments are already outstanding: ${outstanding.join(', ')}`)
  }
  return statuses
}
